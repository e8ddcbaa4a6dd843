package writer

import "artifice/trace"

// methodTexts are what a format has of each method, made at first use: the events of a
// method are many.
type methodTexts struct {
	symbols *trace.Symbols
	make    func(*trace.Method) []byte
	texts   [][]byte // by method
}

// of returns the text of a method that the symbols have.
func (t *methodTexts) of(m trace.MethodID) []byte {
	if int(m) >= len(t.texts) || t.texts[m] == nil {
		t.add(m)
	}
	return t.texts[m]
}

func (t *methodTexts) add(m trace.MethodID) {
	if int(m) >= len(t.texts) {
		t.texts = append(t.texts, make([][]byte, len(t.symbols.Methods)-len(t.texts))...)
	}
	t.texts[m] = t.make(t.symbols.Method(m))
}
