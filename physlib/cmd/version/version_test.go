package version

import (
	"runtime"
	"runtime/debug"
	"testing"
)

// A program built from a clone names its commit, and whether files were changed since. An installed
// program names its release.
func TestFormat(t *testing.T) {
	stamped := func(version string, settings ...debug.BuildSetting) *debug.BuildInfo {
		return &debug.BuildInfo{Main: debug.Module{Version: version}, Settings: settings}
	}
	commit := debug.BuildSetting{Key: "vcs.revision", Value: "0b7a491e5c3f"}
	for want, info := range map[string]*debug.BuildInfo{
		"v1.2.3":              stamped("v1.2.3"),
		"devel":               stamped("(devel)"),
		"devel-0b7a491":       stamped("", commit, debug.BuildSetting{Key: "vcs.modified", Value: "false"}),
		"devel-0b7a491-dirty": stamped("(devel)", commit, debug.BuildSetting{Key: "vcs.modified", Value: "true"}),
	} {
		if got := format(info); got != want+" "+runtime.Version() {
			t.Errorf("version %q, want %q", got, want)
		}
	}
}
