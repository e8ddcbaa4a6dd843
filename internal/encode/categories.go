package encode

import (
	"slices"
	"strings"

	"artifice/internal/words"
	"artifice/trace"
)

// Categories is a set of atrace categories, one bit each; 0 means all. Every call and every kernel
// event belongs to one category.
type Categories uint64

// categoryNames are the names of atrace, in its order (k_categories in
// frameworks/native/cmds/atrace/atrace.cpp), with app and with pdx, which older releases have.
var categoryNames = []string{
	"gfx", "input", "view", "webview", "wm", "am", "sm", "audio", "video", "camera", "hal", "app", "res", "dalvik", "rs", "bionic",
	"power", "pm", "ss", "database", "network", "adb", "vibrator", "aidl", "nnapi", "rro", "pdx", "core_services",
	"sched", "irq", "irqoff", "preemptoff", "i2c", "freq", "membus", "idle", "disk", "mmc", "load", "sync", "workq", "memreclaim",
	"regulators", "binder_driver", "binder_lock", "pagecache", "memory", "thermal",
}

// Categories that this package uses by name.
var (
	appCategory    = category("app")
	dalvikCategory = category("dalvik")
	schedCategory  = category("sched")
	freqCategory   = category("freq")
	idleCategory   = category("idle")
	BinderCategory = category("binder_driver") // transactions of Binder
)

// category returns the bit of a category.
func category(name string) Categories { return 1 << slices.Index(categoryNames, name) }

// codeCategories maps prefixes of class names of Android's own code to categories; the first match
// counts. The categories are the tags (ATRACE_TAG_…, TRACE_TAG_…) of the sections in that code:
// android.view's Choreographer and ViewRootImpl, ActivityThread, EGL, SQLiteConnection, ART and
// others.
var codeCategories = []struct {
	class string
	Categories
}{
	{"android.view.InputEventReceiver", category("input")}, {"android.view.InputChannel", category("input")}, {"android.view.inputmethod.", category("input")},
	{"android.view.", category("view")}, {"android.widget.", category("view")},
	{"android.app.", category("am")},
	{"android.opengl.", category("gfx")}, {"android.graphics.", category("gfx")},
	{"android.content.res.", category("res")},
	{"android.database.", category("database")},
	{"android.media.", category("audio")},
	{"android.hardware.Camera", category("camera")}, {"android.hardware.camera", category("camera")},
	{"android.webkit.", category("webview")},
	{"dalvik.", dalvikCategory}, {"java.lang.Daemons", dalvikCategory}, {"art.", dalvikCategory},
}

// ParseCategories parses names of atrace categories. "binder" means binder_driver.
func ParseCategories(names []string) (c Categories, err error) {
	for _, name := range names {
		if name == "binder" {
			c |= BinderCategory
			continue
		}
		bit, err := words.Parse[uint8]("category of atrace", categoryNames, name)
		if err != nil {
			return 0, err
		}
		c |= 1 << bit
	}
	return c, nil
}

// String lists the categories.
func (c Categories) String() string {
	var names []string
	for i, name := range categoryNames {
		if c&(1<<i) != 0 {
			names = append(names, name)
		}
	}
	return strings.Join(names, ", ")
}

// CategoryOf returns the category of a method's calls: that of its part of Android, or app for all
// other code.
func CategoryOf(m *trace.Method) Categories {
	if m.Flags&trace.Collector != 0 {
		return dalvikCategory
	}
	class := m.DottedClass()
	for _, c := range codeCategories {
		if strings.HasPrefix(class, c.class) {
			return c.Categories
		}
	}
	return appCategory
}

// categoryOfCores returns the category of a scheduling event.
func categoryOfCores(kind trace.SchedKind) Categories {
	switch kind {
	case trace.CoreSpeed:
		return freqCategory
	case trace.CoreIdle:
		return idleCategory
	}
	return schedCategory
}

// Choice selects the categories of a recording that are written. The zero value selects all.
type Choice struct {
	Chosen  Categories
	written Categories   // selected categories that occurred
	of      []Categories // by method
}

// Takes reports whether a category is selected, and marks it as occurred if it is.
func (c *Choice) Takes(category Categories) bool {
	if c.Chosen != 0 && c.Chosen&category == 0 {
		return false
	}
	c.written |= category
	return true
}

// TakesCall reports whether the calls of a method are written.
func (c *Choice) TakesCall(symbols *trace.Symbols, m trace.MethodID) bool {
	if c.Chosen == 0 {
		return true
	}
	for i := len(c.of); i <= int(m); i++ {
		c.of = append(c.of, CategoryOf(symbols.Method(trace.MethodID(i))))
	}
	return c.Takes(c.of[m])
}

// Notes names the selected categories without events, if there are any.
func (c *Choice) Notes() []string {
	var notes []string
	empty := c.Chosen &^ c.written
	if cores := empty & (schedCategory | freqCategory | idleCategory); cores != 0 {
		notes = append(notes, "no events of "+cores.String()+": the source does not state which thread ran on which core; only workloads with the key cores do")
		empty &^= cores
	}
	if empty != 0 {
		notes = append(notes, "no events of "+empty.String()+": the recording has no call or event of these categories")
	}
	return notes
}
