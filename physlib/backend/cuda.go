package backend

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// API is the version of the PJRT interface of go-xla v0.4.11, which this program uses. Plugins with
// another minor version mostly work. Plugins with another major version do not.
const API = "0.104"

var driverVersion = regexp.MustCompile(`Module.*?\s(\d+\.\d+(?:\.\d+)?)\s`)

// Driver returns the version of the NVIDIA driver, such as 580.159.04, or "" if there is none.
func Driver() string {
	text, err := os.ReadFile("/proc/driver/nvidia/version")
	if found := driverVersion.FindSubmatch(text); err == nil && found != nil {
		return string(found[1])
	}
	// On some virtual machines only nvidia-smi finds the driver.
	ctx, stop := context.WithTimeout(context.Background(), 10*time.Second)
	defer stop()
	out, err := exec.CommandContext(ctx, "nvidia-smi", "--query-gpu=driver_version", "--format=csv,noheader").Output()
	if err != nil {
		return ""
	}
	first, _, _ := strings.Cut(string(out), "\n")
	return strings.TrimSpace(first)
}

// Package returns the Python package of a plugin with its version, such as jax-cuda13-pjrt 0.11.2,
// or "" if the plugin belongs to none.
func Package(plugin string) string {
	dir := filepath.Dir(plugin)
	for range 3 {
		infos, _ := filepath.Glob(filepath.Join(dir, "*.dist-info"))
		for _, info := range infos {
			name, version, ok := strings.Cut(strings.TrimSuffix(filepath.Base(info), ".dist-info"), "-")
			if ok && (strings.HasSuffix(name, "_pjrt") && strings.Contains(plugin, strings.TrimSuffix(strings.TrimPrefix(name, "jax_"), "_pjrt")) || name == "fastatomstruct_xla_cpu" && KindOf(plugin) == CPU) {
				return strings.ReplaceAll(name, "_", "-") + " " + version
			}
		}
		dir = filepath.Dir(dir)
	}
	return ""
}

var cudaMajor = regexp.MustCompile(`cuda[-_]?v?(\d+)`)

// minDriver returns the major version of CUDA of a plugin, and the oldest major version of the
// driver that supports it, from CUDA's release notes. 0 means unknown.
func minDriver(plugin string) (cuda, driver int) {
	for _, text := range []string{Package(plugin), plugin} {
		if found := cudaMajor.FindStringSubmatch(text); found != nil && cuda == 0 {
			cuda, _ = strconv.Atoi(found[1])
		}
	}
	// GoMLX's own plugin has no version in its name. Instead one of these folders is next to it.
	for name, major := range map[string]int{"cu13": 13, "cuda_nvcc": 12} {
		if _, err := os.Stat(filepath.Join(filepath.Dir(plugin), name)); err == nil && cuda == 0 {
			cuda = major
		}
	}
	return cuda, map[int]int{11: 450, 12: 525, 13: 580}[cuda]
}

// versions returns a clause for the error of a plugin that did not start. It states the versions of
// this program, the plugin and the driver, and whether the driver is missing or too old.
func versions(plugin, speaks string) string {
	words := []string{"this program speaks PJRT " + API}
	if speaks != "" {
		words = append(words, "the plugin PJRT "+speaks)
	}
	if p := Package(plugin); p != "" {
		words = append(words, "the plugin is "+p)
	}
	if KindOf(plugin) != CUDA {
		return strings.Join(words, ", ")
	}
	driver := Driver()
	cuda, least := minDriver(plugin)
	switch major, _ := strconv.Atoi(strings.Split(driver, ".")[0]); {
	case driver == "":
		words = append(words, "there is no NVIDIA driver")
	case least > major:
		words = append(words, fmt.Sprintf("the NVIDIA driver is %s, too old for CUDA %d, which needs %d: take a newer driver, or pip install \"jax[cuda%d]\"", driver, cuda, least, cuda-1))
	default:
		words = append(words, "the NVIDIA driver is "+driver)
	}
	return strings.Join(words, ", ")
}

// prepare sets XLA's path to the CUDA compiler that came with a plugin. go-xla itself searches only
// the packages of older versions of JAX, and warns if there are none. prepare disables this
// warning.
func prepare(plugin string) {
	if os.Getenv("GOPJRT_CUDA_CHECKS") == "" {
		os.Setenv("GOPJRT_CUDA_CHECKS", "0")
	}
	flags := os.Getenv("XLA_FLAGS")
	if strings.Contains(flags, "xla_gpu_cuda_data_dir") {
		return
	}
	// layout of GoMLX's own download: …/go-xla/nvidia/pjrt_c_api_cuda_plugin.so
	library := filepath.Dir(plugin)
	// layout of pip: …/site-packages/jax_plugins/xla_cuda13/xla_cuda_plugin.so
	packages := filepath.Dir(filepath.Dir(library))
	for _, dir := range []string{filepath.Join(packages, "nvidia/cu13"), filepath.Join(packages, "nvidia/cuda_nvcc"), filepath.Join(library, "cu13"), filepath.Join(library, "cuda_nvcc")} {
		for _, proof := range []string{"nvvm/libdevice/libdevice.10.bc", "bin/ptxas"} {
			if _, err := os.Stat(filepath.Join(dir, proof)); err == nil {
				os.Setenv("XLA_FLAGS", strings.TrimSpace(flags+" --xla_gpu_cuda_data_dir="+dir))
				return
			}
		}
	}
}
