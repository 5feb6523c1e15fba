package dataset

import (
	"math"
	"regexp"
	"strconv"
	"strings"
)

// Angles in degrees, minutes and seconds, and durations of two units or more.
var (
	angle    = regexp.MustCompile(`^([-+]?)(\d+) ?° ?(\d+(?:[.,]\d+)?) ?['′’](?: ?(\d+(?:[.,]\d+)?) ?(?:["″”]|''|′′|’’))? ?([NSEW]?)$`)
	duration = regexp.MustCompile(`^(?:(\d+) ?(?:h|hr|hrs|hours?|Std\.?) ?)?(?:(\d+) ?(?:m|min|mins|minutes?|Min)\.? ?)?(?:(\d+(?:[.,]\d+)?) ?(?:s|sec|secs|seconds?|Sek)\.?)?$`)
)

// isoDuration matches a duration in the form of ISO 8601, such as PT1H2M3.5S.
var isoDuration = regexp.MustCompile(`^(-?)P(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:[.,]\d+)?)S)?)?$`)

// parseISODuration reads a duration in the form of ISO 8601, in seconds. Years and months have no
// fixed length and are not read.
func parseISODuration(text string) (value, bool) {
	m := isoDuration.FindStringSubmatch(text)
	if m == nil || !strings.ContainsAny(text, "0123456789") || strings.HasSuffix(text, "T") {
		return value{}, false
	}
	sum := 0.0
	for i, seconds := range []float64{86400, 3600, 60, 1} {
		if p := m[i+2]; p != "" {
			v, err := strconv.ParseFloat(strings.Replace(p, ",", ".", 1), 64)
			if err != nil {
				return value{}, false
			}
			sum += seconds * v
		}
	}
	if m[1] == "-" {
		sum = -sum
	}
	return value{v: sum, sigma: math.NaN(), suffix: "s", parts: true}, true
}

// parseCompound reads 12°34'56" in degrees, negative to the south and west, and 1 min 20 s, 1h20m,
// 2 h 5 min 3.5 s or PT1M20S in seconds.
func parseCompound(text string) (value, bool) {
	if len(text) > 40 || text == "" {
		return value{}, false
	}
	if text[0] == 'P' || strings.HasPrefix(text, "-P") {
		return parseISODuration(text)
	}
	if strings.Contains(text, "°") {
		m := angle.FindStringSubmatch(text)
		if m == nil {
			return value{}, false
		}
		v, ok := inSixtieths(m[2:5])
		if south := m[5] == "S" || m[5] == "W"; south || m[1] == "-" {
			v = -v
		}
		if m[1] != "" && m[5] != "" { // -12°30'S has two signs
			return value{}, false
		}
		return value{v: v / 3600, sigma: math.NaN(), suffix: "°", parts: true}, ok
	}
	if c := text[len(text)-1]; c >= '0' && c <= '9' || text[0] < '0' || text[0] > '9' {
		return value{}, false
	}
	m := duration.FindStringSubmatch(text)
	if m == nil {
		return value{}, false
	}
	parts := 0
	for _, p := range m[1:] {
		parts += min(len(p), 1)
	}
	if parts < 2 {
		return value{}, false
	}
	v, ok := inSixtieths(m[1:])
	return value{v: v, sigma: math.NaN(), suffix: "s", parts: true}, ok
}

// inSixtieths returns the sum of three parts, such as hours, minutes and seconds, in units of the
// last part. Each unit is a sixtieth of the previous one. Empty parts count as 0. All parts after
// the first one that is not empty must be below 60.
func inSixtieths(parts []string) (sum float64, ok bool) {
	first := true
	for _, p := range parts {
		sum *= 60
		if p == "" {
			continue
		}
		v, err := strconv.ParseFloat(strings.Replace(p, ",", ".", 1), 64)
		if err != nil || !first && v >= 60 {
			return 0, false
		}
		sum += v
		first = false
	}
	return sum, true
}
