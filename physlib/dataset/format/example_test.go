package format_test

import (
	"archive/zip"
	"bytes"
	"fmt"
	"io"

	"github.com/physlib/lab/physlib/dataset/format"
)

// Archives, workbooks and arrays become text, which package dataset reads as a table.
func ExampleOpen() {
	var archive bytes.Buffer
	z := zip.NewWriter(&archive)
	w, err := z.Create("fall.csv")
	if err != nil {
		fmt.Println(err)
		return
	}
	io.WriteString(w, "t [s],d [m]\n1,4.9\n")
	z.Close()
	f, err := format.Open(archive.Bytes(), "", 1<<20)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer f.Text.Close()
	text, err := io.ReadAll(f.Text)
	fmt.Print(string(text), err)
	// Output:
	// t [s],d [m]
	// 1,4.9
	// <nil>
}
