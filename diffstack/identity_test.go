package diffstack

import (
	"fmt"
	"testing"
)

func TestParseIdentity(t *testing.T) {
	for i, word := range []string{"method", "method+line", "call"} {
		if got, err := ParseIdentity(word, ByCall); err != nil || got != Identity(i) || got.String() != word {
			t.Errorf("%s: parsed as %s, %v", word, got, err)
		}
	}
	if got, err := ParseIdentity("line", ByCall); err == nil {
		t.Errorf("ParseIdentity(line) = %s, want an error", got)
	}
	if got := fmt.Sprint(Identity(9)); got != "unknown(9)" {
		t.Errorf("identity 9 is %s", got)
	}
	if got, err := ParseIdentity("call", BySite); err == nil || err.Error() != `frame identity "call": must be one of method, method+line` {
		t.Errorf("ParseIdentity(call) without calls = %s, %v", got, err)
	}
}
