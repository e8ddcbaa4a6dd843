package stackdump

import "testing"

// TestJavaFrames checks names with and without loader and module, hidden classes, and every kind of
// location.
func TestJavaFrames(t *testing.T) {
	for _, test := range []struct {
		text string
		want Frame
	}{
		{"java.lang.Thread.run(Thread.java:748)", Frame{Class: "java.lang.Thread", Method: "run", File: "Thread.java", Line: 748}},
		{"java.lang.Thread.run(java.base@25/Thread.java:1474)", Frame{Class: "java.lang.Thread", Method: "run", File: "Thread.java", Line: 1474}},
		{"java.base@17.0.15/java.lang.Thread.run(Thread.java:840)", Frame{Class: "java.lang.Thread", Method: "run", File: "Thread.java", Line: 840}},
		{"java.base/java.lang.Object.wait(Native Method)", Frame{Class: "java.lang.Object", Method: "wait", JNI: true}},
		{"app//Phases.spin(Phases.java:57)", Frame{Class: "Phases", Method: "spin", File: "Phases.java", Line: 57}},
		{"app/com.example@1.0/com.example.Main.main(Main.java)", Frame{Class: "com.example.Main", Method: "main", File: "Main.java"}},
		{"a.B$$Lambda/0x0000380001232000.run(Unknown Source)", Frame{Class: "a.B$$Lambda/0x0000380001232000", Method: "run"}},
		{"a.B$$Lambda$2/1324119927.run(Unknown Source)", Frame{Class: "a.B$$Lambda$2/1324119927", Method: "run"}},
		{"java.lang.invoke.LambdaForm$DMH/0x00000700.invokeVirtual(java.base@25/LambdaForm$DMH)", Frame{Class: "java.lang.invoke.LambdaForm$DMH/0x00000700", Method: "invokeVirtual", File: "LambdaForm$DMH"}},
		{"java.lang.Object.wait!(Native method)", Frame{Class: "java.lang.Object", Method: "wait", JNI: true}},
		{"android.net.LocalSocketImpl.-wrap1(LocalSocketImpl.java:-1)", Frame{Class: "android.net.LocalSocketImpl", Method: "-wrap1", File: "LocalSocketImpl.java"}},
		{"rbp.run(:com.google.android.gms@14799012@14.7.99 (020408-223214910):-1)", Frame{Class: "rbp", Method: "run", File: ":com.google.android.gms@14799012@14.7.99 (020408-223214910)"}},
		{"a.B.<init>(SourceFile:71)", Frame{Class: "a.B", Method: "<init>", File: "SourceFile", Line: 71}},
		{"main(unavailable:0)", Frame{Method: "main"}},
		{"", Frame{}},
		{"(", Frame{}},
	} {
		if got := parseJavaFrame(test.text); got != test.want {
			t.Errorf("%q: %+v, want %+v", test.text, got, test.want)
		}
	}
}

func TestNativeFrames(t *testing.T) {
	for _, test := range []struct{ text, method, file string }{
		{"000000000004df5c  /apex/libc.so (syscall+28) (BuildId: 01331f)", "syscall", "/apex/libc.so"},
		{"00019efd  /system/lib/libc.so (__start_thread+6)", "__start_thread", "/system/lib/libc.so"},
		{"0000000000045f94  /system/lib64/libsurfaceflinger.so", "libsurfaceflinger.so+0x45f94", "/system/lib64/libsurfaceflinger.so"},
		{"0010  /x/base.apk (offset 0x1000) (Java_f+4)", "Java_f", "/x/base.apk"},
		{"0010  /x/libart.so (art::Thread::Run(void*, (anonymous namespace)::X)+4) (BuildId: 1)", "art::Thread::Run(void*, (anonymous namespace)::X)", "/x/libart.so"},
		{"00af18  [anon:dalvik-classes.dex extracted in memory from /d/v.jar]", "v.jar]+0xaf18", "[anon:dalvik-classes.dex extracted in memory from /d/v.jar]"},
		{"0010  /x/l.so (deleted) (f+1", "f", "/x/l.so"},
		{"", "+0x", ""},
	} {
		got := parseNativeFrame(test.text)
		want := Frame{Method: test.method, File: test.file, Kind: NativeCode}
		if got != want {
			t.Errorf("%q: %+v, want %+v", test.text, got, want)
		}
	}
}
