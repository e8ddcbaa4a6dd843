package perf

import (
	"strings"
	"testing"
)

// TestPerfFrames checks names of frames. They are those of stackcollapse-perf.pl --all, and the
// cases follow the rules of this tool. A frame without a name in perf's output has the name of its
// module.
func TestPerfFrames(t *testing.T) {
	for _, test := range []struct {
		text string
		java bool
		want string
	}{
		{"native_write_msr_safe ([kernel.kallsyms])", false, "native_write_msr_safe_[k]"},
		{"fsnotify+0x1f (/lib/modules/4.1.0/build/vmlinux)", false, "fsnotify_[k]"},
		{"net_rx_action+0x13a (/usr/lib/debug/boot/vmlinux-5.4.14-example)", false, "net_rx_action_[k]"},
		{"[unknown] ([unknown])", false, "[unknown]"},
		{"[unknown] (/usr/lib/libz.so.1)", false, "[libz.so.1]"},
		{"[unknown] ([vdso])", false, "[[vdso]]_[k]"},
		{" (/lib/libc.so)", false, "[libc.so]"},
		{"Lorg/mozilla/Context;.call(Ljava/lang/Object;)V (/tmp/perf-7.map)", true, "org/mozilla/Context:.call_[j]"},
		{"Lorg/mozilla/Context;.call (/tmp/perf-7.map)", false, "Lorg/mozilla/Context:.call_[j]"},
		{"a::b(int, c<d>)+0x10 (/bin/x)", false, "a::b"},
		{"(anonymous namespace)::f(int) (/bin/x)", false, "(anonymous namespace)::f"},
		{"net/http.(*Client).Do (/bin/go)", false, "net/http.(*Client).Do"},
		{`RegExp:[&<>"'] (/tmp/perf-7.map)`, false, "RegExp:[&<>]_[j]"},
		{"f (/bin/x (deleted))", false, "f"},
		{"[unknown] (/bin/x.so (deleted)+0x1e90)", false, "[x.so]"},
		{"a->b->c (/tmp/perf-7.map)", false, "c_[i] b_[i] a_[j]"},
		{"(app) (/bin/x)", false, ""}, // the process, which is not a frame
		{"foo<(some_enum)0>::bar+0x30 (/home/inf/bay/bastelbox/bastel)", false, "foo<(some_enum)0>::bar"},
		{"operator()(int, char const*) const+0x1 (/bin/x)", false, "operator()"},
		{"std::function<void ()>::operator()() const (/bin/x)", false, "std::function<void ()>::operator()"},
		{"std::function<void ()>::operator() (/bin/x)", false, "std::function<void ()>::operator()"},
		{"core::ops::function::FnOnce<()>::call_once (/bin/x)", false, "core::ops::function::FnOnce<()>::call_once"},
		{"<fn() -> i32 as core::ops::function::FnOnce<()>>::call_once+0x2 (/bin/x)", false, "<fn() -> i32 as core::ops::function::FnOnce<()>>::call_once"},
		{"a::b(int)::{lambda(char)#1}::operator()(char) const (/bin/x)", false, "a::b(int)::{lambda(char)#1}::operator()"},
		{"decltype(auto) f<int>(int) [clone .isra.0] (/bin/x)", false, "decltype(auto) f<int>"},
		{"p<T>::operator->() const (/bin/x)", false, "p<T>::operator->"},
		{"operator<<(std::ostream&, x<y>) (/bin/x)", false, "operator<<"},
		{"my_operator(int) (/bin/x)", false, "my_operator"},
		{"LazyCompile:~(anonymous) /app/x.js:10 (/tmp/perf-7.map)", false, "LazyCompile:~(anonymous) /app/x.js:10_[j]"},
		{"main+0x1 (/home/a b (deleted)/x.so)", false, "main"},
		{"f(int)+0x1 (/odd)dir/x.so)", false, "f"},
		{"f+0x1 (/lib/libc.so+0x1e90)", false, "f"},
		{"f(int) (inlined)", false, "f"},
		{"java.lang.String.hashCode ([JIT app cache])", false, "hashCode"},
		{"main+0x1", false, "main"},
	} {
		var got []string
		for _, f := range parseFrame(test.text, test.java, true) {
			got = append(got, f.Method)
		}
		if strings.Join(got, " ") != test.want {
			t.Errorf("%q: %q, want %q", test.text, got, test.want)
		}
	}
}
