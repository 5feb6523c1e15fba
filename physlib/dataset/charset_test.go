package dataset

import (
	"strings"
	"testing"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/korean"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/unicode/utf32"
)

// The encoding of text that is not UTF-8 is detected if there is little doubt. Otherwise the user
// gives it.
func TestCharsets(t *testing.T) {
	const rows = "0.1,0.63\n0.2,0.9\n0.3,1.1\n"
	for _, c := range []struct {
		name, header string
		in           encoding.Encoding
		given        string
		want, say    string // names of the columns, and a part of the warnings
	}{
		{"Shift JIS", "長さ [m],周期 [s]", japanese.ShiftJIS, "", "長さ [m]|周期 [s]", "is read as Shift JIS, which is a guess; if it is wrong, give --encoding"},
		{"Shift JIS with signs", "長さ（左） [m],温度 [°C]", japanese.ShiftJIS, "", "長さ_左 [m]|温度 [°C]", "Shift JIS"},
		{"EUC-JP", "長さ [m],周期 [s]", japanese.EUCJP, "", "長さ [m]|周期 [s]", "EUC-JP"},
		{"GB 18030", "长度 [m],周期 [s]", simplifiedchinese.GB18030, "", "长度 [m]|周期 [s]", "GB 18030"},
		{"GB 18030, with pairs of UTF-8", "时间 [s],电压 [V]", simplifiedchinese.GB18030, "", "时间 [s]|电压 [V]", "GB 18030"},
		{"EUC-KR", "진자의길이 [m],진자의주기 [s]", korean.EUCKR, "", "진자의길이 [m]|진자의주기 [s]", "EUC-KR"},
		{"EUC-KR, too short to tell", "길이 [m],주기 [s]", korean.EUCKR, "euc-kr", "길이 [m]|주기 [s]", ""},
		{"Windows-1251", "Длина [m],Температура [°C]", charmap.Windows1251, "", "Длина [m]|Температура [°C]", "Windows-1251"},
		{"KOI8-R", "Длина [m],Период [s]", charmap.KOI8R, "", "Длина [m]|Период [s]", "KOI8-R"},
		{"Latin-1", "Länge [µm],Größe [°C]", charmap.ISO8859_1, "", "Länge [µm]|Größe [°C]", "read as Latin-1; give --encoding"},
		{"Windows-1252", "Müller’s „Länge“,Größe [°C]", charmap.Windows1252, "", "Müller_s_Länge|Größe [°C]", "read as Latin-1"},
		{"French", "Énergie [J],été à Orléans [°C]", charmap.Windows1252, "", "Énergie [J]|été_à_Orléans [°C]", "read as Latin-1"},
		{"Macintosh", "Länge [m],Größe [s]", charmap.Macintosh, "macintosh", "Länge [m]|Größe [s]", ""},
		{"MS-DOS", "Länge [m],Größe [s]", charmap.CodePage437, "cp437", "Länge [m]|Größe [s]", ""},
		{"Latin-2", "Délka [m],Čas [s]", charmap.ISO8859_2, "latin2", "Délka [m]|Čas [s]", ""},
		{"UTF-32", "λ [m],y", utf32.UTF32(utf32.LittleEndian, utf32.UseBOM), "", "λ [m]|y", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			in, err := c.in.NewEncoder().String(c.header + "\n" + rows)
			if err != nil && c.name != "Shift JIS with signs" {
				t.Fatal(err)
			}
			if err != nil { // Shift JIS has no °, but ℃
				in, _ = c.in.NewEncoder().String(strings.ReplaceAll(c.header, "[°C]", "[℃]") + "\n" + rows)
			}
			table, warnings, err := Read(strings.NewReader(in), "t.csv", Options{Encoding: c.given})
			if err != nil {
				t.Fatal(err)
			}
			said := strings.Join(warnings, "\n")
			if got := table.Vars[0].Label() + "|" + table.Target.Label(); got != c.want || table.Target.Values[2] != 1.1 {
				t.Errorf("got %s, want %s", got, c.want)
			}
			if !strings.Contains(said, c.say) || c.say == "" && said != "" {
				t.Errorf("said %q, want %q", said, c.say)
			}
		})
	}
	if _, _, err := Read(strings.NewReader("x,y\n"+rows), "t.csv", Options{Encoding: "klingon"}); err == nil || !strings.Contains(err.Error(), `encoding: "klingon" is not a known encoding; use a name such as`) {
		t.Error(err)
	}
}
