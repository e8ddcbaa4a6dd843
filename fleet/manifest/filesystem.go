package manifest

import (
	"context"
	"fmt"

	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem"
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem/gcs"
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem/local"
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem/s3"
)

// FileSystem returns the file system of a path: the machine's own, gs:// or s3://. Beam's
// file system of S3 panics where the settings of AWS cannot be read.
func FileSystem(ctx context.Context, path string) (system filesystem.Interface, err error) {
	defer func() {
		if why := recover(); why != nil {
			err = fmt.Errorf("%s: %v", path, why)
		}
	}()
	return filesystem.New(ctx, path)
}
