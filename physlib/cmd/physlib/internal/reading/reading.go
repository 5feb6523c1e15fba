// Package reading holds the flags that override the guesses of the table reader, for all
// subcommands that read a table.
package reading

import (
	"errors"
	"fmt"
	"strings"

	"github.com/physlib/lab/physlib/dataset"
)

// TableFlags holds flags that override the reader's guesses about the form of a table. The zero
// value leaves them all to the reader.
type TableFlags struct {
	Columns   []string `placeholder:"LIST" help:"Read these columns alone, as 'l,T', and the target where there is one."`
	Ignore    []string `placeholder:"LIST" help:"Leave these columns out, as 'note,id'. Columns of text are left out anyway."`
	Drop      bool     `help:"Leave out rows with missing, NaN or infinite cells, or with a standard error of 0 (default: rows with missing cells are left out with a warning, others are errors)."`
	Table     int      `placeholder:"N" help:"Which of several tables in one file to read, from 1."`
	Sheet     string   `placeholder:"NAME" help:"Which sheet of a workbook, array of an .npz file or file of a zip archive to read, by name or number."`
	Separator string   `placeholder:"NAME" help:"Separator of cells: comma, semicolon, tab, bar or space (default: detected)."`
	Decimal   string   `placeholder:"point|comma" help:"The decimal sign (default: detected for each column)."`
	Encoding  string   `placeholder:"NAME" help:"The encoding of the text, as shift_jis, gb18030, windows-1251 or macintosh (default: UTF-8, else detected)."`
}

// separatorNames maps the values of --separator to characters.
var separatorNames = map[string]rune{
	"comma": ',', ",": ',', "semicolon": ';', ";": ';', "tab": '\t', "\t": '\t', `\t`: '\t', "bar": '|', "|": '|', "space": ' ', "spaces": ' ', " ": ' ',
}

// decimalNames maps the values of --decimal to characters.
var decimalNames = map[string]rune{"point": '.', ".": '.', "dot": '.', "comma": ',', ",": ','}

// CheckReading returns an error for a flag that is wrong for every table.
func (f TableFlags) CheckReading() error {
	if _, ok := separatorNames[f.Separator]; f.Separator != "" && !ok {
		return fmt.Errorf("--separator %q is not a known separator; try comma, semicolon, tab, bar or space", f.Separator)
	}
	if _, ok := decimalNames[f.Decimal]; f.Decimal != "" && !ok {
		return fmt.Errorf("--decimal %q is not a decimal sign; try point or comma", f.Decimal)
	}
	if f.Decimal != "" && separatorNames[f.Separator] == decimalNames[f.Decimal] {
		return fmt.Errorf("--separator and --decimal: commas cannot be both; choose another separator")
	}
	if f.Table < 0 {
		return fmt.Errorf("--table %d: tables are counted from 1", f.Table)
	}
	return nil
}

// CheckSource returns an error unless exactly one of a file and an embedded example is given. For
// an example, no flag of f may be set.
func (f TableFlags) CheckSource(file, example string) error {
	switch flag := f.GivenReading(); {
	case file == "" && example == "":
		return errors.New("no table is given; name a file, - for standard input, or --example kepler")
	case file != "" && example != "":
		return fmt.Errorf("both %s and --example %s are given; leave one out", file, example)
	case example != "" && flag != "":
		return fmt.Errorf("%s has no use with --example, whose columns are known; leave it out", flag)
	}
	return nil
}

// GivenReading returns the name of the first flag of f that is set, or "" if none is set.
func (f TableFlags) GivenReading() string {
	switch {
	case len(f.Columns) > 0:
		return "--columns"
	case len(f.Ignore) > 0:
		return "--ignore"
	case f.Drop:
		return "--drop"
	case f.Table != 0:
		return "--table"
	case f.Sheet != "":
		return "--sheet"
	case f.Separator != "":
		return "--separator"
	case f.Decimal != "":
		return "--decimal"
	case f.Encoding != "":
		return "--encoding"
	}
	return ""
}

// SetReading sets the flags in the reader's options.
func (f TableFlags) SetReading(o *dataset.Options) {
	o.Drop, o.Table, o.Sheet = f.Drop, f.Table, f.Sheet
	o.Columns, o.Ignore = names(f.Columns), names(f.Ignore)
	o.Encoding = f.Encoding
	o.Comma, o.Decimal = separatorNames[f.Separator], decimalNames[f.Decimal]
}

// names returns the nonempty names of a list.
func names(list []string) (out []string) {
	for _, name := range list {
		if name = strings.TrimSpace(name); name != "" {
			out = append(out, name)
		}
	}
	return out
}
