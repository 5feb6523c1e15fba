package search

import "fmt"

func init() { dbg = func(a ...any) { fmt.Println(a...) } }
