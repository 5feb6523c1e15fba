package discover

import (
	"runtime"
	"runtime/debug"
	"strings"
)

// Version tells which physlib this is: module version or commit, Go version, and whether the SIMD kernels are built in.
func Version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown " + runtime.Version()
	}
	version, commit, dirty, experiment := info.Main.Version, "", "", ""
	for _, s := range info.Settings {
		switch {
		case s.Key == "vcs.revision":
			commit = s.Value[:min(7, len(s.Value))]
		case s.Key == "vcs.modified" && s.Value == "true":
			dirty = "-dirty"
		case s.Key == "GOEXPERIMENT" && strings.Contains(s.Value, "simd"):
			experiment = " simd"
		}
	}
	if version == "" || version == "(devel)" {
		version = "devel"
		if commit != "" {
			version += "-" + commit + dirty
		}
	}
	return version + " " + runtime.Version() + experiment
}
