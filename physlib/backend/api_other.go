//go:build !cgo || noxla || !unix

package backend

// pluginAPI returns "": this build loads no plugins.
func pluginAPI(string) (version string, err error) { return "", nil }
