package writer_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"artifice/format"
	"artifice/internal/testdata"
	"artifice/trace"
	"artifice/writer"
)

// TestFormats checks that each format with a writer is created by its name.
func TestFormats(t *testing.T) {
	for _, f := range format.Written() {
		var file bytes.Buffer
		rec := testdata.ExampleRecording()
		rec.Info.Clock = trace.Wall
		w, err := writer.Create(&file, f.Name, rec)
		if err == nil {
			err = errors.Join(w.WriteEvents(testdata.ExampleEvents()), w.Close())
		}
		if err != nil || file.Len() == 0 {
			t.Errorf("%s: %d bytes, error %v", f.Name, file.Len(), err)
		}
	}
	if _, err := writer.Create(nil, "anr", testdata.ExampleRecording()); err == nil || !strings.HasPrefix(err.Error(), `no writer for format "anr"; use one of dalvik1, dalvik2, `) {
		t.Errorf("a format of process dumps: %v", err)
	}
}

// TestFileAppearsComplete checks that no file remains if reading the recording fails.
func TestFileAppearsComplete(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.folded")
	rec := testdata.ExampleRecording()
	rec.Events = failing{}
	if _, err := writer.WriteFile(path, "", rec); !errors.Is(err, errBroken) {
		t.Errorf("error %v", err)
	}
	if entries, err := os.ReadDir(filepath.Dir(path)); err != nil || len(entries) > 0 {
		t.Errorf("files %v remain, error %v", entries, err)
	}
	rec.Events = trace.NewSliceReader([]trace.Event{{Wall: time.Millisecond}})
	if _, err := writer.WriteFile(path, "", rec); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(path); err != nil {
		t.Error(err)
	}
	if _, err := writer.WriteFile(path+".unknown", "", rec); err == nil || !strings.Contains(err.Error(), "a.folded.unknown: no format has the extension of this file; choose one of the formats dalvik1, ") {
		t.Errorf("a file with an unknown extension: %v", err)
	}
}

var errBroken = errors.New("broken")

type failing struct{}

func (failing) ReadEvents([]trace.Event) (int, error) { return 0, errBroken }
