package dmformat

import (
	"strings"
	"testing"

	"artifice/trace"
)

func TestMethodLines(t *testing.T) {
	art, _ := ByName(ART)
	dalvik, _ := ByName(Dalvik3)
	for _, test := range []struct {
		v    *Variant
		line string
		m    trace.Method
	}{
		// ART prints ids by C's %#x, for which 0 is "0".
		{art, "0\tjava.lang.Object\twait\t()V\tObject.java", trace.Method{Class: "java.lang.Object", Name: "wait", Signature: "()V", File: "Object.java"}},
		{art, "0x1468\ta.A$B\t<init>\t(I)V\t", trace.Method{ID: 0x1468, Class: "a.A$B", Name: "<init>", Signature: "(I)V"}},
		{dalvik, "0x62830738\tandroid/graphics/Bitmap\taccess$100\t(I)V\tBitmapF.java\t29",
			trace.Method{ID: 0x62830738, Class: "android/graphics/Bitmap", Name: "access$100", Signature: "(I)V", File: "BitmapF.java", Line: 29}},
		{dalvik, "0x00000004\tA\tf\t()V\tA.java\t-1", trace.Method{ID: 4, Class: "A", Name: "f", Signature: "()V", File: "A.java"}},
	} {
		m, note, err := ParseMethodLine(test.line)
		if m != test.m || note != "" || err != nil {
			t.Errorf("%q: %+v, note %q, error %v, want %+v", test.line, m, note, err, test.m)
		}
		if got := string(AppendMethodLine(nil, test.v, &m)); got != test.line {
			t.Errorf("%+v as %s: %q, want %q", m, test.v.Name, got, test.line)
		}
	}
}

func TestOddMethodLines(t *testing.T) {
	for line, want := range map[string]string{
		"0x4\ta":                            "has 2 columns",
		"0x4\ta\tf\t()V\tA.java\t1\tmore":   "has 7 columns",
		"0x4\ta\tf\t()V\tA.java\tno number": "no number",
		"0x4":                               "only an id",
		"\ta\tf\t()V":                       "the id is not a",
		"0x6\ta\tf\t()V":                    "not a multiple of 4",
		"0x10000000000000000\ta\tf\t()V":    "the id is not a",
	} {
		_, note, err := ParseMethodLine(line)
		if err != nil {
			note = err.Error()
		}
		if !strings.Contains(note, want) {
			t.Errorf("%q: %q, want %q", line, note, want)
		}
	}
}

func TestThreadLines(t *testing.T) {
	th, err := ParseThreadLine("21521\tBinder:1\t2")
	if err != nil || th.TID != 21521 || th.Name != "Binder:1\t2" {
		t.Errorf("%+v, %v", th, err)
	}
	if got := string(AppendThreadLine(nil, &th)); got != "21521\tBinder:1 2" {
		t.Errorf("written %q", got)
	}
	for _, line := range []string{"", "main", "-1\tmain", "4294967296\tmain", "0x1\tmain"} {
		if _, err := ParseThreadLine(line); err == nil {
			t.Errorf("%q was accepted", line)
		}
	}
}

func TestHeaderRoundTrip(t *testing.T) {
	for _, h := range []Header{
		{Version: 1, Start: 5}, {Version: 2, Start: 1 << 60}, {Version: 3, RecordSize: 14},
		{Version: 2, Streaming: true, RecordSize: 10}, {Version: 3, Streaming: true, RecordSize: 14},
	} {
		b := h.Append(nil)
		got, err := ParseHeader(b)
		if got != h || err != nil || len(b) != HeaderSize || HeaderLength(b) != HeaderSize {
			t.Errorf("%+v: % x is %+v, %v", h, b, got, err)
		}
	}
}

func TestLongItemsAreRejected(t *testing.T) {
	long := strings.Repeat("x", 1<<16)
	if _, err := AppendMethodItem(nil, long); err == nil {
		t.Error("a method line of 65536 bytes was written")
	}
	if _, err := AppendThreadItem(nil, 1, long); err == nil {
		t.Error("a thread name of 65536 bytes was written")
	}
}

func TestVariantNamesAreUnique(t *testing.T) {
	for i, name := range Names() {
		if v, err := ByName(name); err != nil || v != &Variants[i] {
			t.Errorf("ByName(%s) is %v, %v", name, v, err)
		}
	}
}
