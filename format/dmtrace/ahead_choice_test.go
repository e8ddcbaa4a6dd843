package dmtrace

import "testing"

// TestAheadIsUsed: a large file is decoded in goroutines, and a small one, one of unknown
// size, one on one core, and one that is to be decoded in place, is not.
func TestAheadIsUsed(t *testing.T) {
	for _, c := range []struct {
		total   int64
		cores   int
		inPlace bool
		want    bool
	}{
		{1 << 20, 2, false, true}, {1<<20 - 1, 2, false, false}, {-1, 2, false, false}, {1 << 20, 1, false, false}, {1 << 20, 2, true, false},
	} {
		f := &File{Total: c.total, Config: FileConfig{InPlace: c.inPlace, Ahead: AheadConfig{Cores: c.cores}}}
		if used := NewAhead[worker](f, nil, nil) != nil; used != c.want {
			t.Errorf("%d bytes on %d cores, in place %t: decoded ahead %t, want %t", c.total, c.cores, c.inPlace, used, c.want)
		}
	}
}
