package train

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
)

// full reports whether err says that a device has no memory left: PJRT's code for it, or the words
// of XLA's allocators.
func full(err error) bool {
	text := err.Error()
	var known fullError
	return errors.As(err, &known) || strings.Contains(text, "RESOURCE_EXHAUSTED") || strings.Contains(strings.ToLower(text), "out of memory")
}

var asked = regexp.MustCompile(`(?i)allocat\w* (?:of )?([\d.]+ ?(?:bytes|[KMGT]i?B))`)

// advised returns an error of memory in one line, with what to lower; any other error unchanged.
func advised(err error) error {
	if err == nil || !full(err) {
		return err
	}
	much := ""
	if found := asked.FindStringSubmatch(err.Error()); found != nil {
		much = ", " + found[1] + " were asked for"
	}
	return fullError{fmt.Sprintf("the memory of the device is full%s; halve --batch and double --accumulate, which trains alike, or add --recompute (less memory for more time) or --bf16", much), err}
}

// fullError says what to lower in place of a long text of the device's allocator, which it keeps.
type fullError struct {
	text string
	err  error
}

func (e fullError) Error() string { return e.text }
func (e fullError) Unwrap() error { return e.err }
