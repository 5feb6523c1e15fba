package safetensors

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"maps"
	"strings"

	"github.com/gomlx/gomlx/ml/model"
)

// sumKey is the metadata key of a sealed file's checksum. It is the SHA-256 of all bytes, with
// zeros in place of the checksum's digits.
const sumKey = "sha256"

var noSum = strings.Repeat("0", 2*sha256.Size)

// Errors of [ParseSealed].
var (
	ErrNoSum    = errors.New("its checksum is missing")
	ErrWrongSum = errors.New("its checksum is wrong, so some of its bytes changed")
)

// WriteSealed writes f to w with a checksum of the whole file in its metadata.
func WriteSealed(w io.Writer, f File) error {
	f.Metadata = maps.Clone(f.Metadata)
	if f.Metadata == nil {
		f.Metadata = map[string]string{}
	}
	f.Metadata[sumKey] = noSum
	hash := sha256.New()
	if err := Write(hash, f); err != nil {
		return err
	}
	f.Metadata[sumKey] = hex.EncodeToString(hash.Sum(nil))
	return Write(w, f)
}

// ParseSealed parses a file written by [WriteSealed], as [Parse] does. It returns an error if a
// byte is missing or changed, or if there is no checksum.
func ParseSealed(data []byte) (File, error) {
	f, err := Parse(data)
	if err != nil {
		return File{}, err
	}
	sum := []byte(f.Metadata[sumKey])
	at := bytes.Index(data, sum)
	if len(sum) != len(noSum) || at < 0 {
		return File{}, ErrNoSum
	}
	hash := sha256.New()
	hash.Write(data[:at])
	io.WriteString(hash, noSum)
	hash.Write(data[at+len(sum):])
	if hex.EncodeToString(hash.Sum(nil)) != string(sum) {
		return File{}, ErrWrongSum
	}
	delete(f.Metadata, sumKey)
	return f, nil
}

// ParseFormat parses a sealed file whose metadata must name the given format. If the metadata name
// no format, the file is of another kind. ParseFormat then returns the error other, which helps
// more than an error about a missing checksum.
func ParseFormat(data []byte, format string, other error) (File, error) {
	file, sealed := ParseSealed(data)
	if errors.Is(sealed, ErrNoSum) {
		file, _ = Parse(data)
	} else if sealed != nil {
		return File{}, sealed
	}
	switch have := file.Metadata["format"]; {
	case have == "":
		return File{}, other
	case have != format:
		return File{}, fmt.Errorf("its format is %q, this program reads %q", have, format)
	}
	return file, sealed
}

// ImportSealed is [Import] for a file written by [WriteSealed].
func ImportSealed(r io.Reader, store *model.Store) (File, error) {
	data, err := io.ReadAll(r)
	if err != nil {
		return File{}, err
	}
	f, err := ParseSealed(data)
	if err != nil {
		return File{}, err
	}
	return f, f.fill(store)
}
