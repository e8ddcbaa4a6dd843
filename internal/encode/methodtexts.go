package encode

import "artifice/trace"

// MethodTexts are what a format has of each method, made at first use: the events of a
// method are many.
type MethodTexts struct {
	Symbols *trace.Symbols
	Make    func(*trace.Method) []byte
	texts   [][]byte // by method
}

// Of returns the text of a method that the symbols have.
func (t *MethodTexts) Of(m trace.MethodID) []byte {
	if int(m) >= len(t.texts) || t.texts[m] == nil {
		t.add(m)
	}
	return t.texts[m]
}

func (t *MethodTexts) add(m trace.MethodID) {
	if int(m) >= len(t.texts) {
		t.texts = append(t.texts, make([][]byte, len(t.Symbols.Methods)-len(t.texts))...)
	}
	t.texts[m] = t.Make(t.Symbols.Method(m))
}
