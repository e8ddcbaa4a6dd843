package report_test

import (
	"testing"

	"artifice/report"
	"artifice/trace"
)

func TestBeginsAtStart(t *testing.T) {
	for _, c := range []struct {
		class, name string
		want        bool
	}{
		{"android.app.ActivityThread", "handleBindApplication", true},
		{"android/app/ActivityThread", "handleBindApplication", true}, // Dalvik's form of class names
		{"com.example.ActivityThread", "handleBindApplication", false},
		{"android.app.ActivityThread", "handleResumeActivity", false},
	} {
		symbols := &trace.Symbols{Methods: []trace.Method{{Class: "a.A", Name: "run"}, {Class: c.class, Name: c.name}}}
		if got := report.BeginsAtStart(symbols); got != c.want {
			t.Errorf("%s.%s: %t, want %t", c.class, c.name, got, c.want)
		}
	}
}
