package discover

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/physlib/lab/physlib/cmd/outfile"
	"github.com/physlib/lab/physlib/cmd/screen"
	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/discover"
	"github.com/physlib/lab/physlib/law"
	"github.com/physlib/lab/physlib/lawfile"
)

// many reports whether several tables are searched separately.
func (c *Cmd) many() bool { return !c.groups() && (len(c.More) > 0 || isFolder(c.File)) }

func isFolder(path string) bool {
	info, err := os.Stat(path)
	return path != "" && err == nil && info.IsDir()
}

// checkMany returns an error if a flag cannot be used with several tables.
func (c *Cmd) checkMany() error {
	if !c.many() {
		return nil
	}
	for flag, given := range map[string]bool{"--ode": c.ODE, "--resume": c.Resume != "", "--report": c.Report != "", "--given": c.Given != ""} {
		if given {
			return badFlag("%s is for one table at a time; leave it out, or name one table", flag)
		}
	}
	if info, err := os.Stat(c.Save); c.Save != "" && err == nil && !info.IsDir() {
		return badFlag("--save %s: several tables are saved in a folder, a law file each, and this is a file; name a folder", c.Save)
	}
	if slices.Contains(append([]string{c.File}, c.More...), "-") {
		return badFlag("standard input is one table; name files for several")
	}
	return nil
}

// tables returns the files to search: the named files and the tables in named folders.
func (c *Cmd) tables() (paths []string, err error) {
	for _, path := range append([]string{c.File}, c.More...) {
		if !isFolder(path) {
			paths = append(paths, path)
			continue
		}
		found, err := tablesIn(path)
		if err != nil {
			return nil, err
		}
		paths = append(paths, found...)
	}
	return paths, nil
}

// tablesIn returns the paths of the tables in a folder: the files with an ending of tables, except
// for law files.
func tablesIn(folder string) (paths []string, err error) {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return nil, badInput("%s: %w", folder, outfile.Cause(err))
	}
	for _, e := range entries {
		ending := strings.ToLower(filepath.Ext(e.Name()))
		if e.IsDir() || !slices.Contains(dataset.Endings, ending) {
			continue
		}
		path := filepath.Join(folder, e.Name())
		if ending == ".json" {
			if _, err := lawfile.Read(path); err == nil {
				continue
			}
		}
		paths = append(paths, path)
	}
	if len(paths) == 0 {
		return nil, badInput("%s: no table is in this folder; name its files, or give them one of the endings %s", folder, strings.Join(dataset.Endings, ", "))
	}
	return paths, nil
}

// runMany searches several tables, one after the other, and prints one line for each. If the law
// file of a table is already in the folder of --save, the table is not searched again.
func (c *Cmd) runMany(ctx context.Context, s streams, settings discover.Settings) error {
	paths, err := c.tables()
	if err != nil {
		return err
	}
	if c.Save != "" {
		if err := os.MkdirAll(c.Save, 0o777); err != nil {
			return badInput("--save %s: %w", c.Save, outfile.Cause(err))
		}
	}
	out := screen.Writer(s.out)
	failed, found := 0, 0
	for _, path := range paths {
		if ctx.Err() != nil {
			return exit{130, "interrupted before " + path + "; the same command continues from there if --save names a folder"}
		}
		f, err := c.searchOne(ctx, s, path, c.lawPath(path, paths), settings)
		line := ""
		switch {
		case err != nil:
			failed++
			fmt.Fprintln(s.errors(), "physlib: "+oneLine(err.Error()))
			if !c.JSON {
				continue
			}
			text, _ := json.Marshal(map[string]string{"file": path, "error": oneLine(err.Error())})
			line = string(text) + "\n"
		case c.JSON:
			text, err := f.Encode(false)
			if err != nil {
				return badInput("%s: %w", path, err)
			}
			line = string(text)
		default:
			line = summary(path, f) + "\n"
		}
		if f != nil && f.Best != nil {
			found++
		}
		if _, err := out.Write([]byte(line)); err != nil {
			return badInput("standard output: %w", outfile.Cause(err))
		}
	}
	switch {
	case failed > 0:
		return badInput("%d of %d tables could not be searched; the lines above say why", failed, len(paths))
	case found == 0:
		return exit{3, fmt.Sprintf("nothing better than a constant in any of %d tables; try more --time", len(paths))}
	}
	return nil
}

// lawPath returns the path of the law file of a table, or "" if --save is not set.
func (c *Cmd) lawPath(path string, all []string) string {
	if c.Save == "" {
		return ""
	}
	name := filepath.Base(path)
	if slices.ContainsFunc(all, func(o string) bool { return o != path && filepath.Base(o) == name }) {
		name = strings.Trim(strings.NewReplacer("/", "_", `\`, "_", "..", "_", ":", "_").Replace(filepath.Clean(path)), "_")
	}
	return filepath.Join(c.Save, name+".json")
}

// searchOne searches one of several tables, or reads its law file if there is one.
func (c *Cmd) searchOne(ctx context.Context, s streams, path, lawPath string, settings discover.Settings) (*lawfile.File, error) {
	part := *c
	part.File, part.More, part.Save = path, nil, lawPath
	table, warnings, err := part.load(ctx, s.in)
	if err != nil {
		return nil, err
	}
	if table, err = part.sigmas(table, &settings); err != nil {
		return nil, err
	}
	if lawPath != "" {
		switch f, err := lawfile.Read(lawPath); {
		case err == nil && f.Table.Difference(table) == "":
			return f, nil
		case err == nil:
			return nil, badInput("%s holds the law of another version of %s: %s; remove it, or choose another folder for --save", lawPath, path, f.Table.Difference(table))
		case !errors.Is(err, os.ErrNotExist) && exists(lawPath):
			return nil, badInput("%w", err)
		}
	}
	if _, err := part.apply(table, &settings); err != nil {
		return nil, err
	}
	began := time.Now()
	result, err := c.search(ctx, s, table, settings)
	if err != nil {
		return nil, badInput("%s: %w", path, err)
	}
	if c.Verbose {
		warn(s.errors(), append(warnings, result.Warnings...))
	}
	f := finding{table: table, result: result, settings: settings, began: began, options: &part}
	if lawPath != "" && ctx.Err() == nil {
		if err := f.save(lawPath); err != nil {
			return nil, badInput("--save: %w", err)
		}
	}
	return f.file(), nil
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// summary returns the output line for a table: its law, how well it fits, and how certain it is.
func summary(path string, f *lawfile.File) string {
	if f.Best == nil {
		return path + ": no law"
	}
	l := law.Law(*f.Best)
	sure, _, _ := strings.Cut(f.Verdict, ":")
	return fmt.Sprintf("%s: %s  (R² %s, %s)", path, plain(l, 6), law.FormatR2(l.R2), sure)
}
