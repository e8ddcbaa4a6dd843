package chrome_test

import (
	"testing"

	"artifice/format/internal/chrome"
	"artifice/format/internal/formattest"
)

const small = `{"traceEvents":[{"ph":"X","name":"a","pid":1,"tid":2,"ts":1,"dur":2},{"ph":"B","name":"b","pid":1,"tid":2,"ts":4.5,"tts":1},{"ph":"E","pid":1,"tid":2,"ts":5,"tts":2}]}`

func FuzzChrome(f *testing.F) { formattest.Fuzz(f, chrome.Format, small) }

func TestCut(t *testing.T) { formattest.Cut(t, chrome.Format, false, small) }
