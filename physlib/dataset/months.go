package dataset

import (
	"strings"
	"time"
	"unicode"
)

// foreignMonths are the names of the months in German, French, Spanish, Italian, Portuguese and
// Dutch, beginning with January. Names that equal the English ones are left out.
var foreignMonths = [...]string{
	"januar jänner jän janvier janv enero ene gennaio gen janeiro januari",
	"februar février févr fév febrero febbraio fevereiro fev februari",
	"märz mär mrz mars marzo março maart mrt",
	"avril avr abril abr aprile",
	"mai mayo maggio mag maio mei",
	"juni juin junio giugno giu junho",
	"juli juillet juil julio luglio lug julho",
	"august août agosto ago augustus",
	"septembre septiembre settembre set setembro",
	"oktober okt octobre octubre ottobre ott outubro out",
	"novembre noviembre novembro",
	"dezember dez décembre déc diciembre dic dicembre dezembro",
}

// monthNames maps the names in foreignMonths to the first three letters of the English names.
var monthNames = func() map[string]string {
	names := map[string]string{}
	for m, list := range foreignMonths {
		for _, name := range strings.Fields(list) {
			names[name] = time.Month(m + 1).String()[:3]
		}
	}
	return names
}()

// englishMonths replaces the name of the month in a date by its English name. It also removes the
// "de" of 3 de mayo de 2024.
func englishMonths(text string) string {
	for _, word := range strings.FieldsFunc(text, func(r rune) bool { return !unicode.IsLetter(r) }) {
		if name := monthNames[strings.ToLower(word)]; name != "" {
			text = strings.Replace(strings.Replace(text, word+".", name, 1), word, name, 1)
			text = strings.ReplaceAll(text, " de ", " ")
		}
	}
	return text
}

// kanji are the characters between the parts of dates and times in Chinese and Japanese, as in
// 2024年12月30日.
var kanji = strings.NewReplacer("年", "-", "月", "-", "日", "", "时", ":", "時", ":", "分", ":", "秒", "")
