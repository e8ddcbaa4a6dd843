package stackdump

import "artifice/filter"

// RenameBy returns a [Config.Rename] that gives managed frames the names they
// had before R8 or ProGuard, and back the frames that were inlined into them. It
// is nil when m is.
func RenameBy(m *filter.Mapping) func(Frame) []Frame {
	if m == nil {
		return nil
	}
	return func(f Frame) []Frame {
		if !m.Has(f.Class) || f.Kind != Managed {
			return []Frame{f}
		}
		var frames []Frame
		for _, n := range m.Frame(f.Class, f.Method, f.Line) {
			original := f
			original.Class, original.Method, original.File, original.Line = n.Class, n.Method, n.FileIn(f.File), n.Line
			frames = append(frames, original)
		}
		return frames
	}
}
