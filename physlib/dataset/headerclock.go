package dataset

import (
	"regexp"
	"strings"
)

// clockForms of headings, such as t [hh:mm], time (h:min:s), uptime h:mm and t [mm:ss].
var (
	hoursFirst   = clockPattern(`(?:h{1,2}|hrs?|hours?|std)[:.](?:m{1,2}|mins?)(?:[:.](?:s{1,2}|secs?))?`)
	minutesFirst = clockPattern(`(?:m{1,2}|mins?)[:.](?:s{1,2}|secs?)`)
)

// clockPattern matches a heading that ends in a form of times.
func clockPattern(form string) *regexp.Regexp {
	return regexp.MustCompile(`(?i)^(.*?)[ _]*(?:\[\s*` + form + `\s*\]|\(\s*` + form + `\s*\)|<` + form + `>|\{` + form + `\}|(?:^|[ _/])` + form + `)$`)
}

// clockHeading splits a heading of times into the name and the form of the times, as in t [hh:mm].
// ok reports whether column i holds times and its heading ends in such a form. form is hms if the
// first part is hours, and ms if it is minutes. A heading without a name is called time.
func (t *reader) clockHeading(i int, heading string) (form clockForm, name string, ok bool) {
	if i >= len(t.layout.columns) || t.layout.columns[i].kind != clockKind {
		return noClock, "", false
	}
	m := hoursFirst.FindStringSubmatch(strings.TrimSpace(heading))
	form = hms
	if m == nil {
		m, form = minutesFirst.FindStringSubmatch(strings.TrimSpace(heading)), ms
	}
	if m == nil {
		return noClock, "", false
	}
	if name = strings.TrimRight(m[1], " ,/_"); name == "" {
		name = "time"
	}
	t.warn("column %q holds times in the form that its heading gives, and is called %s", heading, identifier(name))
	return form, name, true
}
