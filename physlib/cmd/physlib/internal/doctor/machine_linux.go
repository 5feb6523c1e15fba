package doctor

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/physlib/lab/physlib/backend"
)

// field returns the value of the first line "name : value" or "name: value" of a file under /proc.
func field(file, name string) string {
	text, _ := os.ReadFile(file)
	for line := range strings.Lines(string(text)) {
		key, value, ok := strings.Cut(line, ":")
		if ok && strings.TrimSpace(key) == name {
			return strings.TrimSpace(value)
		}
	}
	return ""
}

// processor returns the model name of the processor.
func processor() string {
	if name := field("/proc/cpuinfo", "model name"); name != "" {
		return name
	}
	return "unknown processor"
}

// features returns those instruction sets of the processor that affect the kernels of physlib and
// XLA.
func features() string {
	has := strings.Fields(field("/proc/cpuinfo", "flags") + " " + field("/proc/cpuinfo", "Features"))
	var found []string
	for _, f := range []string{"avx", "avx2", "fma", "f16c", "avx512f", "avx512dq", "avx512vl", "avx512_bf16", "avx512_vnni", "amx_bf16", "asimd", "sve"} {
		if slices.Contains(has, f) {
			found = append(found, f)
		}
	}
	if len(found) == 0 {
		return "none known"
	}
	return strings.Join(found, " ")
}

// memory returns the total and the available memory as text.
func memory() string {
	kib := func(name string) uint64 {
		n, _ := strconv.ParseUint(strings.TrimSuffix(field("/proc/meminfo", name), " kB"), 10, 64)
		return n << 10
	}
	return fmt.Sprintf("%s, %s available", bytes(kib("MemTotal")), bytes(kib("MemAvailable")))
}

// freeSpace returns the bytes that are free on the disk of dir.
func freeSpace(dir string) (uint64, bool) {
	var s syscall.Statfs_t
	if syscall.Statfs(dir, &s) != nil {
		return 0, false
	}
	return s.Bavail * uint64(s.Bsize), true
}

// nvidia returns the version of the driver and the GPUs, or what is missing.
func nvidia() (driver, gpus string) {
	driver = field("/proc/driver/nvidia/version", "NVRM version")
	if driver == "" {
		driver = "no NVIDIA driver is loaded"
	}
	if backend.GPUs() == 0 {
		return driver, "no NVIDIA GPU (no /dev/nvidia0)"
	}
	gpus = fmt.Sprintf("%d NVIDIA", backend.GPUs())
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	out, err := exec.CommandContext(ctx, "nvidia-smi", "--query-gpu=name,memory.total,driver_version", "--format=csv,noheader").Output()
	if err == nil {
		gpus += ": " + strings.Join(strings.Split(strings.TrimSpace(string(out)), "\n"), "; ")
	}
	return driver, gpus
}
