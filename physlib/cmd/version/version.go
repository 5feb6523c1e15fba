// Package version reports which physlib this program is.
package version

import (
	"runtime"
	"runtime/debug"
)

// String reports which physlib this is: module version or commit, and the Go version, which
// ends in -X:simd where the SIMD kernels are built in.
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
