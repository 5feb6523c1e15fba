// Package version reports which physlib this program is.
package version

import (
	"runtime"
	"runtime/debug"
)

// String returns the version of physlib, which is a module version or a commit, and the Go version.
// The Go version ends in -X:simd if the SIMD kernels are built in.
func String() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown " + runtime.Version()
	}
	return format(info)
}

// format returns String for a program with the given build information.
func format(info *debug.BuildInfo) string {
	version, commit, dirty := info.Main.Version, "", ""
	for _, s := range info.Settings {
		switch {
		case s.Key == "vcs.revision":
			commit = s.Value[:min(7, len(s.Value))]
		case s.Key == "vcs.modified" && s.Value == "true":
			dirty = "-dirty"
		}
	}
	if version == "" || version == "(devel)" {
		version = "devel"
		if commit != "" {
			version += "-" + commit + dirty
		}
	}
	return version + " " + runtime.Version()
}
