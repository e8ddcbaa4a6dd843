package manifest

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem"
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem/gcs"
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem/local"
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem/s3"
)

// FileSystem returns the file system of a path: the machine's own, gs:// or s3://. Errors name the
// missing setting of a cloud. Beam's file system of S3 panics if the settings of AWS cannot be
// read; FileSystem returns an error instead.
func FileSystem(ctx context.Context, path string) (system filesystem.Interface, err error) {
	defer func() {
		if why := recover(); why != nil {
			err = explain(fmt.Errorf("%v", why))
		}
	}()
	system, err = filesystem.New(ctx, path)
	if err == nil && IsURL(path) {
		system = explained{system}
	}
	return system, err
}

// explained is a file system with errors that name the missing setting.
type explained struct{ filesystem.Interface }

func (e explained) List(ctx context.Context, glob string) ([]string, error) {
	names, err := e.Interface.List(ctx, glob)
	return names, explain(err)
}

func (e explained) OpenRead(ctx context.Context, name string) (io.ReadCloser, error) {
	r, err := e.Interface.OpenRead(ctx, name)
	return r, explain(err)
}

func (e explained) OpenWrite(ctx context.Context, name string) (io.WriteCloser, error) {
	w, err := e.Interface.OpenWrite(ctx, name)
	if err != nil {
		return nil, explain(err)
	}
	return explainedWriter{w}, nil
}

// Remove implements [filesystem.Remover] if the file system does.
func (e explained) Remove(ctx context.Context, name string) error {
	if r, ok := e.Interface.(filesystem.Remover); ok {
		return explain(r.Remove(ctx, name))
	}
	return errors.ErrUnsupported
}

// explainedWriter is a file of an [explained] file system. Clouds report most errors at Close.
type explainedWriter struct{ io.WriteCloser }

func (w explainedWriter) Write(p []byte) (int, error) {
	n, err := w.WriteCloser.Write(p)
	return n, explain(err)
}

func (w explainedWriter) Close() error { return explain(w.WriteCloser.Close()) }

// settings are the errors of the libraries of AWS and Google Cloud that a missing setting causes.
// Beam passes on only their text.
var settings = []struct{ text, message string }{
	{"Invalid region: region was not a valid DNS name", "the AWS region is missing or invalid: set AWS_REGION, or region in ~/.aws/config"},
	{"no EC2 IMDS role found", "no AWS credentials were found: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_PROFILE to a profile in ~/.aws/credentials"},
	{"failed to get shared config profile", "AWS_PROFILE names a profile that does not exist: set it to a profile in ~/.aws/config"},
	{"Anonymous caller does not have", "no Google Cloud credentials were found, and the bucket is not public: set GOOGLE_APPLICATION_CREDENTIALS to a key file, or run gcloud auth application-default login"},
}

// explain returns an error that names the setting to change if one is missing, and otherwise err.
func explain(err error) error {
	if err == nil {
		return nil
	}
	text := err.Error()
	if strings.Contains(text, context.Canceled.Error()) {
		return err // an interrupted request for credentials is unrelated to settings
	}
	for _, s := range settings {
		if strings.Contains(text, s.text) {
			return errors.New(s.message)
		}
	}
	return err
}
