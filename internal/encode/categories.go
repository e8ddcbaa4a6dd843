package encode

import (
	"slices"
	"strings"

	"artifice/internal/words"
	"artifice/trace"
)

// Categories are a set of atrace's categories, one bit each; 0 stands for all. Every call belongs to one of
// them, and so does every event of the kernel.
type Categories uint64

// categoryNames are atrace's, in its order (k_categories in frameworks/native/cmds/atrace/atrace.cpp), with app and
// pdx, which older releases have.
var categoryNames = []string{
	"gfx", "input", "view", "webview", "wm", "am", "sm", "audio", "video", "camera", "hal", "app", "res", "dalvik", "rs", "bionic",
	"power", "pm", "ss", "database", "network", "adb", "vibrator", "aidl", "nnapi", "rro", "pdx", "core_services",
	"sched", "irq", "irqoff", "preemptoff", "i2c", "freq", "membus", "idle", "disk", "mmc", "load", "sync", "workq", "memreclaim",
	"regulators", "binder_driver", "binder_lock", "pagecache", "memory", "thermal",
}

// Categories that something here is told of by name.
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

// codeCategories are the categories of Android's own code, by what the names of its classes begin with; the first
// that fits counts. They are the tags (ATRACE_TAG_…, TRACE_TAG_…) with which that code begins its sections:
// android.view's Choreographer and ViewRootImpl, ActivityThread, EGL, SQLiteConnection, ART and others.
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

// ParseCategories reads names as atrace takes them. "binder" is binder_driver.
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

// CategoryOf returns the category of a method's calls: that of the part of Android whose code it is, and app of
// all other code.
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

// categoryOfCores returns the category of what cores do.
func categoryOfCores(kind trace.SchedKind) Categories {
	switch kind {
	case trace.CoreSpeed:
		return freqCategory
	case trace.CoreIdle:
		return idleCategory
	}
	return schedCategory
}

// Choice is what is written of a recording, by categories. The zero value is all.
type Choice struct {
	Chosen  Categories
	written Categories   // there was something of them
	of      []Categories // by method
}

// Takes reports whether something of a category is written.
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

// Notes says which of the chosen categories have nothing, if there are any.
func (c *Choice) Notes() []string {
	var notes []string
	empty := c.Chosen &^ c.written
	if cores := empty & (schedCategory | freqCategory | idleCategory); cores != 0 {
		notes = append(notes, "nothing of "+cores.String()+": the source does not tell what cores do; the truth of a workload with cores does")
		empty &^= cores
	}
	if empty != 0 {
		notes = append(notes, "nothing of "+empty.String()+": the recording has no call or event of these categories")
	}
	return notes
}
