package chrome_test

import (
	"testing"

	"artifice/format/calltest"
	"artifice/format/internal/chrome"
)

const small = `{"traceEvents":[{"ph":"X","name":"a","pid":1,"tid":2,"ts":1,"dur":2},{"ph":"B","name":"b","pid":1,"tid":2,"ts":4.5,"tts":1},{"ph":"E","pid":1,"tid":2,"ts":5,"tts":2}]}`

func FuzzChrome(f *testing.F) { calltest.Fuzz(f, chrome.Format, small) }

func TestCut(t *testing.T) { calltest.Cut(t, chrome.Format, false, small) }
