package cli

import "runtime/debug"

// release is the version of the source; the commit is added by the build.
const release = "0.2.0"

// Version returns the release, and the commit where the build recorded one.
func Version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return release
	}
	settings := map[string]string{}
	for _, s := range info.Settings {
		settings[s.Key] = s.Value
	}
	commit := settings["vcs.revision"]
	if commit == "" {
		return release
	}
	if settings["vcs.modified"] == "true" {
		commit += ", modified"
	}
	return release + " (" + commit + ")"
}
