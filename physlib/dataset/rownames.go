package dataset

import (
	"strconv"
	"strings"
)

// NamedRows is the largest number of rows that RowNames lists one by one.
const NamedRows = 8

// RowNames returns text such as "rows 3, 9 and 12 of the file" for rows of t. The numbers are those
// of the rows in the file. If t is not from a file, rows are counted from 1.
func (t *Table) RowNames(rows []int) string {
	var numbers []string
	for _, i := range rows[:min(len(rows), NamedRows)] {
		if t.FileRows != nil {
			i = t.FileRows[i] - 1
		}
		numbers = append(numbers, strconv.Itoa(i+1))
	}
	if more := len(rows) - NamedRows; more > 0 {
		numbers = append(numbers, strconv.Itoa(more)+" more")
	}
	which, of, last := "row ", " of the numbers", len(numbers)-1
	if t.FileRows != nil {
		of = " of the file"
	}
	if last == 0 {
		return which + numbers[0] + of
	}
	return "rows " + strings.Join(numbers[:last], ", ") + " and " + numbers[last] + of
}
