//go:build !cgo || noxla || !unix

package backend

// pluginAPI is not known: this program loads no plugins here.
func pluginAPI(string) (version string, err error) { return "", nil }
