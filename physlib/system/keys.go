package system

import (
	"reflect"
	"strings"
)

// keys returns the names of all keys that a preset may have, at any depth.
func keys() []string { return keysOf(reflect.TypeFor[Config]()) }

func keysOf(t reflect.Type) (names []string) {
	for t.Kind() == reflect.Slice {
		t = t.Elem()
	}
	if t.Kind() != reflect.Struct { // a map may have any keys
		return nil
	}
	for i := range t.NumField() {
		f := t.Field(i)
		name, _, _ := strings.Cut(f.Tag.Get("yaml"), ",")
		names = append(append(names, name), keysOf(f.Type)...)
	}
	return names
}
