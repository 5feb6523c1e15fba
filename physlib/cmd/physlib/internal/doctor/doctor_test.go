package doctor

import (
	"path/filepath"
	"strings"
	"testing"
)

func TestNamesWhatIsMissing(t *testing.T) {
	t.Setenv("PHYSLIB_XLA", filepath.Join(t.TempDir(), "absent_cpu.so"))
	var out strings.Builder
	(&Cmd{}).examine(&out)
	for _, want := range []string{"physlib", "memory", "XLA cpu", "XLA cuda", "auto         go"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("lacks %q:\n%s", want, &out)
		}
	}
	if !strings.Contains(out.String(), "absent_cpu.so does not exist; get it with: pip install") && !strings.Contains(out.String(), "not built in") {
		t.Errorf("does not say how to get the plugin:\n%s", &out)
	}
}
