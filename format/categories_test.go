package format_test

import (
	"slices"
	"strings"
	"testing"

	"artifice/format"
	"artifice/internal/encode"
	"artifice/trace"
)

// atraceCategories are the categories that atrace accepts in any release: gfx to thermal in the
// order of k_categories of frameworks/native/cmds/atrace/atrace.cpp (Android 16), and app and pdx
// of older releases. Android 6 has 29 of them.
const atraceCategories = `gfx input view webview wm am sm audio video camera hal res dalvik rs bionic power pm ss database network adb vibrator
	aidl nnapi rro core_services sched irq irqoff preemptoff i2c freq membus idle disk mmc load sync workq memreclaim regulators
	binder_driver binder_lock pagecache memory thermal app pdx`

// TestEveryCategory: each category of atrace is accepted. The recording has a call for each
// component of Android. The category of a component selects only its call. For any other category,
// the writer reports that it selects nothing.
func TestEveryCategory(t *testing.T) {
	calls := map[string]string{
		"gfx": "android.opengl.EGL14.eglSwapBuffers", "view": "android.view.Choreographer.doFrame",
		"input": "android.view.InputEventReceiver.dispatchInputEvent", "am": "android.app.ActivityThread.handleBindApplication",
		"dalvik": "dalvik.system.VMRuntime.runHeapTasks", "binder_driver": "", "app": "com.example.Feed.show", "res": "android.content.res.XmlBlock.nativeCreate",
		"database": "android.database.sqlite.SQLiteConnection.nativeExecute", "audio": "android.media.AudioTrack.write",
		"camera": "android.hardware.Camera.nextFrame", "webview": "android.webkit.WebView.loadUrl",
	}
	all := strings.Fields(atraceCategories)
	for _, name := range all {
		chosen, err := encode.ParseCategories([]string{name})
		if err != nil {
			t.Fatal(err)
		}
		var text strings.Builder
		w, err := format.ByName("ftrace").Write(&text, callsOf(t, calls), format.FtraceOptions{Categories: chosen})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := trace.Copy(w, callsOf(t, calls).Events); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		method, has := calls[name]
		for other, m := range calls {
			if m != "" && strings.Contains(text.String(), "|"+m+"\n") != (other == name) {
				t.Errorf("--category %s: %s\n%s", name, m, text.String())
			}
		}
		if n := strings.Count(text.String(), "binder_transaction:"); (n > 0) != (name == "binder_driver") {
			t.Errorf("--category %s: %d transactions", name, n)
		}
		said := slices.ContainsFunc(w.Notes(), func(note string) bool { return strings.HasPrefix(note, "no events of "+name+":") })
		if said == has {
			t.Errorf("%s: reported as empty: %t, selects %q", name, said, method)
		}
	}
	if n := len(all); n < 29 {
		t.Errorf("only %d categories were checked", n)
	}
	if c, err := encode.ParseCategories([]string{"binder", "gfx"}); err != nil || c.String() != "gfx, binder_driver" {
		t.Errorf("binder and gfx: parsed as %s, %v", c, err)
	}
	if _, err := encode.ParseCategories([]string{"views"}); err == nil || !strings.Contains(err.Error(), `"views": must be one of gfx, input, view,`) {
		t.Errorf("views: error %v, want one with the valid names", err)
	}
}

// callsOf returns a recording with one call of each named method, in sequence. One of them waits
// for another process.
func callsOf(t *testing.T, calls map[string]string) *trace.Recording {
	t.Helper()
	rec := &trace.Recording{Info: trace.Info{Clock: trace.Wall}, Symbols: &trace.Symbols{}}
	if _, err := rec.Symbols.AddThread(trace.Thread{TID: 7, Name: "main"}); err != nil {
		t.Fatal(err)
	}
	names := []string{"android.os.BinderProxy.transactNative"}
	for _, name := range calls {
		if name != "" {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	buffer := &trace.Buffer{}
	for i, name := range names {
		dot := strings.LastIndexByte(name, '.')
		m := trace.Method{ID: uint64(4 * i), Class: name[:dot], Name: name[dot+1:]}
		if m.Name == "transactNative" {
			m.Wait = trace.Binder
		}
		id := rec.Symbols.AddMethod(m)
		for _, action := range []trace.Action{trace.Enter, trace.Exit} {
			buffer.Events = append(buffer.Events, trace.Event{Wall: 1000, Method: id, Action: action})
		}
	}
	rec.Events = trace.NewSliceReader(buffer.Events)
	return rec
}
