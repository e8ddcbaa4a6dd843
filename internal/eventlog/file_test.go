package eventlog

import (
	"os"
	"path/filepath"
	"testing"
)

func TestFileIsGoneAfterClose(t *testing.T) {
	dir := t.TempDir()
	f, err := CreateFile(dir)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteAt([]byte("abc"), 5); err != nil {
		t.Fatal(err)
	}
	got := make([]byte, 3)
	if _, err := f.ReadAt(got, 5); err != nil || string(got) != "abc" {
		t.Errorf("read %q, %v", got, err)
	}
	if err := f.Close(); err != nil {
		t.Error(err)
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "*")); len(left) > 0 {
		t.Errorf("left behind: %q", left)
	}
}

func TestCreateFileInMissingFolderFails(t *testing.T) {
	if _, err := CreateFile(filepath.Join(t.TempDir(), "none")); !os.IsNotExist(err) {
		t.Errorf("error %v, want one that the folder does not exist", err)
	}
}

func TestCloseOfNil(t *testing.T) {
	var f *File
	if err := f.Close(); err != nil {
		t.Error(err)
	}
}
