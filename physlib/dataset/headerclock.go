package dataset

import (
	"regexp"
	"strings"
)

// clockForms of headings, such as t [hh:mm], time (h:min:s), uptime h:mm and t [mm:ss].
var (
	hoursFirst   = clockPattern(`(?:h{1,2}|hrs?|hours?|std)[:.](?:m{1,2}|mins?)(?:[:.](?:s{1,2}|secs?))?`)
	minutesFirst = clockPattern(`(?:m{1,2}|mins?)[:.](?:s{1,2}|secs?)`)
	bareDigits   = clockPattern(`hh_?mm(_?ss)?`) // without colons, as 235059
)

// clockPattern matches a heading that ends in a form of times.
func clockPattern(form string) *regexp.Regexp {
	return regexp.MustCompile(`(?i)^(.*?)[ _]*(?:\[\s*` + form + `\s*\]|\(\s*` + form + `\s*\)|<` + form + `>|\{` + form + `\}|(?:^|[ _/])` + form + `)$`)
}

// clockHeading splits a heading of times into the name and the form of the times, as in t [hh:mm].
// ok reports whether column i holds times and its heading ends in such a form. form is hms if the
// first part is hours, and ms if it is minutes. digits is the number of digits of times without
// colons, 0 for others. A heading without a name is called time.
func (t *reader) clockHeading(i int, heading string) (form clockForm, digits int, name string, ok bool) {
	if i >= len(t.layout.columns) {
		return noClock, 0, "", false
	}
	c := &t.layout.columns[i]
	text := strings.TrimSpace(heading)
	var m []string
	switch {
	case c.kind == clockKind:
		if form, m = hms, hoursFirst.FindStringSubmatch(text); m == nil {
			form, m = ms, minutesFirst.FindStringSubmatch(text)
		}
	case c.kind == numberKind && c.points+c.commas+c.maybe[0]+c.maybe[1] == 0:
		if form, m = hms, bareDigits.FindStringSubmatch(text); m != nil {
			c.kind, digits = clockKind, 4
			if strings.Contains(strings.ToLower(text), "ss") {
				digits = 6
			}
		}
	}
	if m == nil {
		return noClock, 0, "", false
	}
	if name = strings.TrimRight(m[1], " ,/_"); name == "" {
		name = "time"
	}
	t.warn("column %q holds times in the form that its heading gives, and is called %s", heading, identifier(name))
	return form, digits, name, true
}
