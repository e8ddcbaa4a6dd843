package manifest

import (
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem"
)

// TestFileSystems: exactly the schemes named in README.md have a file system. Unreadable settings
// of AWS are an error with the path, not a panic.
func TestFileSystems(t *testing.T) {
	filesystem.ValidateScheme("gs://bucket/a.trace") // panics for a scheme without a file system
	filesystem.ValidateScheme("s3://bucket/a.trace")
	filesystem.ValidateScheme("/a.trace")
	if _, err := FileSystem(t.Context(), "ftp://host/a.trace"); err == nil || !strings.Contains(err.Error(), "ftp") {
		t.Errorf("ftp: %v", err)
	}
	settings := filepath.Join(t.TempDir(), "config")
	if err := os.WriteFile(settings, []byte("[profile other]\nregion = x\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	t.Setenv("AWS_CONFIG_FILE", settings)
	t.Setenv("AWS_SHARED_CREDENTIALS_FILE", settings)
	t.Setenv("AWS_PROFILE", "absent")
	const want = "AWS_PROFILE names a profile that does not exist: set it to a profile in ~/.aws/config"
	if _, err := FileSystem(t.Context(), "s3://bucket/a.trace"); err == nil || err.Error() != want {
		t.Errorf("settings of another profile: %v", err)
	}
}

// TestMissingSettings: if a cloud's region or credentials are missing, one sentence names the
// setting, for files, globs, manifests, and output files.
func TestMissingSettings(t *testing.T) {
	anonymous := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		// The response of Google's server for a bucket that is not public.
		w.WriteHeader(http.StatusUnauthorized)
		io.WriteString(w, `{"error":{"code":401,"message":"Anonymous caller does not have storage.objects.get access to the Google Cloud Storage object. Permission 'storage.objects.get' denied on resource (or it may not exist)."}}`)
	}))
	defer anonymous.Close()
	empty := filepath.Join(t.TempDir(), "config")
	if err := os.WriteFile(empty, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"AWS_PROFILE", "AWS_REGION", "AWS_DEFAULT_REGION", "AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_CONTAINER_CREDENTIALS_FULL_URI", "AWS_CONTAINER_CREDENTIALS_RELATIVE_URI"} {
		t.Setenv(name, "")
	}
	t.Setenv("AWS_CONFIG_FILE", empty)
	t.Setenv("AWS_SHARED_CREDENTIALS_FILE", empty)
	t.Setenv("AWS_EC2_METADATA_DISABLED", "true")
	t.Setenv("STORAGE_EMULATOR_HOST", anonymous.URL)
	for _, test := range []struct{ bucket, region, want string }{
		{"s3://bucket", "", "the AWS region is missing or invalid: set AWS_REGION, or region in ~/.aws/config"},
		{"s3://bucket", "eu-west-1", "no AWS credentials were found: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_PROFILE to a profile in ~/.aws/credentials"},
		{"gs://bucket", "", "no Google Cloud credentials were found, and the bucket is not public: set GOOGLE_APPLICATION_CREDENTIALS to a key file, or run gcloud auth application-default login"},
	} {
		t.Setenv("AWS_REGION", test.region)
		for _, source := range []string{test.bucket + "/*.trace", test.bucket + "/traces.csv"} {
			if _, err := expand(t.Context(), source); err == nil || err.Error() != source+": "+test.want {
				t.Errorf("%s: error %v, want %s", source, err, test.want)
			}
		}
		system, err := FileSystem(t.Context(), test.bucket)
		if err != nil {
			t.Fatal(err)
		}
		defer system.Close()
		if _, err := system.OpenRead(t.Context(), test.bucket+"/a.trace"); err == nil || err.Error() != test.want {
			t.Errorf("%s: read: error %v, want %s", test.bucket, err, test.want)
		}
		w, err := system.OpenWrite(t.Context(), test.bucket+"/list")
		if err == nil {
			io.WriteString(w, "text")
			err = w.Close()
		}
		if err == nil || err.Error() != test.want {
			t.Errorf("%s: write: error %v, want %s", test.bucket, err, test.want)
		}
	}
}
