//go:build !linux

package doctor

import "runtime"

func processor() string                   { return runtime.GOOS + "/" + runtime.GOARCH }
func features() string                    { return "unknown on " + runtime.GOOS }
func memory() string                      { return "unknown on " + runtime.GOOS }
func freeSpace(dir string) (uint64, bool) { return 0, false }
func nvidia() (driver, gpus string)       { return "none looked for", "none looked for" }
