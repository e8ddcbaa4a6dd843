package local

import (
	"bytes"
	"errors"

	"github.com/apache/beam/sdks/v2/go/pkg/beam/core/runtime/exec"
)

// group collects the values of each key in the order of arrival. Keys are equal if Beam encodes
// them equally.
func (t *transform) group() error {
	if len(t.in) != 1 {
		return errors.New("the local runner groups one collection at a time; choose another with --runner")
	}
	encoder := exec.MakeElementEncoder(t.edge.Input[0].From.Coder.Components[0])
	groups := map[string]*exec.FixedReStream{}
	out := t.out[0]
	for i := range t.in[0].elements {
		v := &t.in[0].elements[i].value
		var key bytes.Buffer
		if err := encoder.Encode(&exec.FullValue{Elm: v.Elm}, &key); err != nil {
			return err
		}
		g := groups[key.String()]
		if g == nil {
			g = &exec.FixedReStream{}
			groups[key.String()] = g
			out.elements = append(out.elements, element{exec.FullValue{Elm: v.Elm, Timestamp: v.Timestamp, Windows: v.Windows}, g})
		}
		g.Buf = append(g.Buf, exec.FullValue{Elm: v.Elm2, Timestamp: v.Timestamp})
	}
	return nil
}
