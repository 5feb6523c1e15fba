//go:build cgo && !noxla && unix

package backend

/*
#cgo linux LDFLAGS: -ldl
#include <dlfcn.h>
#include <stddef.h>
#include <stdlib.h>

// The first fields of every PJRT_Api (xla/pjrt/c/pjrt_c_api.h). They have never changed.
typedef struct {
	size_t size;
	void *extensions;
	struct { size_t size; void *extensions; int major, minor; } version;
} api_head;

// pjrt_version sets the version of a plugin's interface and returns 0. It returns 1 if the file
// cannot be loaded, and 2 if it has no such interface.
static int pjrt_version(const char *path, int *major, int *minor) {
	// The library is not closed, so that go-xla gets the same one.
	void *library = dlopen(path, RTLD_LAZY | RTLD_LOCAL);
	if (!library) return 1;
	const api_head *(*get)(void) = dlsym(library, "GetPjrtApi");
	const api_head *api = get ? get() : NULL;
	if (!api || api->size < sizeof(api_head)) return 2;
	*major = api->version.major;
	*minor = api->version.minor;
	return 0;
}
*/
import "C"

import (
	"errors"
	"fmt"
	"strings"
	"unsafe"
)

// pluginAPI returns the PJRT version of a plugin. It returns "" if the plugin cannot be loaded,
// which go-xla will report. A plugin of another major version has other functions at the same
// offsets. go-xla v0.4.11 calls them without a check, which crashes the process.
func pluginAPI(path string) (version string, err error) {
	name := C.CString(path)
	defer C.free(unsafe.Pointer(name))
	var major, minor C.int
	switch C.pjrt_version(name, &major, &minor) {
	case 1:
		return "", nil
	case 2:
		return "", errors.New("its function GetPjrtApi returns nothing")
	}
	version = fmt.Sprintf("%d.%d", major, minor)
	if ours, _, _ := strings.Cut(API, "."); fmt.Sprint(major) != ours {
		return version, fmt.Errorf("it speaks PJRT %s, this program %s", version, API)
	}
	return version, nil
}
