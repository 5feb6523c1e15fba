package train

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
)

// full reports whether err means that a device is out of memory, by PJRT's code or the words of
// XLA's allocators.
func full(err error) bool {
	text := err.Error()
	var known fullError
	return errors.As(err, &known) || strings.Contains(text, "RESOURCE_EXHAUSTED") || strings.Contains(strings.ToLower(text), "out of memory")
}

// failedSize matches the size of a failed allocation.
var failedSize = regexp.MustCompile(`(?i)allocat\w* (?:of )?([\d.]+ ?(?:bytes|[KMGT]i?B))`)

// advised returns an out-of-memory error as one line with advice, and any other error unchanged.
func advised(err error) error {
	if err == nil || !full(err) {
		return err
	}
	much := ""
	if found := failedSize.FindStringSubmatch(err.Error()); found != nil {
		much = ", " + found[1] + " were requested"
	}
	return fullError{fmt.Sprintf("the memory of the device is full%s; halve --batch and double --accumulate, which gives the same training, or add --recompute (less memory for more time) or --bf16", much), err}
}

// fullError replaces the long text of a device's allocator by advice, and wraps the original error.
type fullError struct {
	text string
	err  error
}

// Error returns the advice.
func (e fullError) Error() string { return e.text }

// Unwrap returns the error of the allocator.
func (e fullError) Unwrap() error { return e.err }
