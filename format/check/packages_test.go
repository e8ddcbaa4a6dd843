package check

import "testing"

// TestPackages: the most frequent package is the name, without com. and org. Packages of the
// platform do not count.
func TestPackages(t *testing.T) {
	for want, classes := range map[string][]string{
		"none": {"java.A", "android.B", "com.android.C"},
		"a":    {"com.a.A", "b.B", "org.a.C"},
		"b":    {"b.B", ""},
		"":     {"", "b.B", "java.C", "java.D"},
	} {
		var p packages
		for _, c := range classes {
			p.add(c)
		}
		if got := p.common(); got != want {
			t.Errorf("%q: %q, want %q", classes, got, want)
		}
	}
	var p packages
	p.add("com.")
	if got := p.common(); got != "" {
		t.Errorf(`"com.": %q`, got)
	}
}
