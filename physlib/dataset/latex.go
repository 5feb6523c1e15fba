package dataset

import (
	"bufio"
	"bytes"
	"io"
	"regexp"
	"strings"
)

// isLaTeX reports whether text is a LaTeX table: most of its first lines have cells separated by &,
// or end in two backslashes.
func isLaTeX(head []byte) bool {
	cells, lines := 0, 0
	for line := range bytes.Lines(head) {
		line = bytes.TrimSpace(line)
		if len(line) == 0 || line[0] == '%' || line[0] == '\\' {
			continue
		}
		if lines++; lines > 20 {
			break
		}
		if amp := bytes.IndexByte(line, '&'); amp > 0 && (rowEnd.Match(line) || bytes.Contains(line, []byte(" & "))) {
			cells++
		}
	}
	return cells > 0 && 2*cells >= lines
}

// Patterns that are removed from the cells of a LaTeX table, and the end of its rows.
var (
	rowEnd  = regexp.MustCompile(`\\\\\*?(\[[^]]*\])?\s*(\\[a-z]+(\{[^}]*\}|\([^)]*\))*\s*)*$`)
	wrapped = regexp.MustCompile(`\\(?:num|text|mathrm|textbf|textit|mathit|mathbf|emph|bf|rm|unit|si|textrm)\{([^{}]*)\}`)
	spacing = strings.NewReplacer(`\,`, " ", `\;`, " ", `\!`, "", `\ `, " ", "~", " ", `\%`, "%", `\_`, "_", `^\circ`, "°", `^{\circ}`, "°", `\degree`, "°", "&", "\t")
	inMath  = regexp.MustCompile(`\$([^$]*)\$`)
	// Lines that contain no cells of the table.
	prose = regexp.MustCompile(`^\\(?:caption|label|title|section|centering|multicolumn|begin|end)\b`)
	// Cells in braces, which siunitx uses for text.
	braced = regexp.MustCompile(`(^|\t)\s*\{([^{}\t]*)\}\s*($|\t)`)
)

// latex returns the rows of a LaTeX table with cells separated by tabs. Line numbers do not change.
func (t *reader) latex(b *bufio.Reader) (*bufio.Reader, error) {
	data, err := io.ReadAll(io.LimitReader(b, min(t.limit, 64<<20)))
	if err != nil {
		return nil, unreadable(t.file, err)
	}
	t.warn("the file is read as a table of LaTeX")
	var out strings.Builder
	for line := range strings.Lines(string(data)) {
		line = rowEnd.ReplaceAllString(strings.TrimSpace(line), "")
		if !prose.MatchString(line) && (strings.Contains(line, "&") || !strings.HasPrefix(line, `\`)) {
			for before := ""; before != line; {
				before, line = line, wrapped.ReplaceAllString(line, "$1")
			}
			line = spacing.Replace(inMath.ReplaceAllString(line, "$1"))
			for before := ""; before != line; {
				before, line = line, braced.ReplaceAllString(line, "$1$2$3")
			}
			out.WriteString(line)
		}
		out.WriteByte('\n')
	}
	t.options.Comma = '\t'
	return bufio.NewReaderSize(strings.NewReader(out.String()), blockSize), nil
}
