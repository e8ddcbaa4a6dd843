package report

import "artifice/trace"

// BeginsAtStart reports whether a recording begins at the start of the app's process, judged by a
// call of ActivityThread.handleBindApplication: the main thread calls it once, when the system
// hands the app to a new process (android/app/ActivityThread.java).
func BeginsAtStart(symbols *trace.Symbols) bool {
	for i := range symbols.Methods {
		if m := &symbols.Methods[i]; m.Name == "handleBindApplication" && m.DottedClass() == "android.app.ActivityThread" {
			return true
		}
	}
	return false
}
