package main

import (
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"artifice/fleet/job"
	"artifice/fleet/profile"
	"artifice/internal/cli"
	"artifice/internal/words"
)

// profileFlags are the flags of profile.
type profileFlags struct {
	fleetFlags
	by      []string
	threads string
	merge   string
}

func newProfile(std *stdio) *cobra.Command {
	var f profileFlags
	cmd := &cobra.Command{
		Use:   "profile LIST... -o OUT",
		Short: "Merge the profiles of all traces",
		Long: `Write one pprof profile of all traces of LIST: the sum of the profiles that 'artifice
convert' writes. With --by, samples carry the values of these labels, which 'go tool
pprof' filters (-tagfocus) and groups (-tagroot) by. If OUT is a folder (with a slash at
the end), each group has its own profile.

If some traces lack a value that others have, such as CPU time, the sum covers the
others; a warning and a comment in the profile state how many lack it. The same traces
give the same file, byte for byte.

--merge adds the traces to a profile of an earlier run with the same --by and --threads,
as if all had been merged at once. A profile does not list its traces: a trace that is
in both counts twice.`,
		Example: `  artifice-fleet profile traces/ -o all.pb.gz
  artifice-fleet profile traces.csv --by app,version -o all.pb.gz
                                    then: go tool pprof -tagroot=app,version -http : all.pb.gz
  artifice-fleet profile traces.csv --by version -o profiles/
  artifice-fleet profile today/ --merge month.pb.gz -o month.pb.gz
  artifice-fleet profile 'gs://bucket/traces/*.trace' -o all.pb.gz`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error { return f.work(cmd, std, args) },
	}
	flags := cmd.Flags()
	flags.StringVarP(&f.out, "output", "o", "", "write the profile to `OUT` (.pb.gz or .pb), or a profile for each group into this folder (profiles/)")
	cmd.MarkFlagRequired("output")
	flags.StringSliceVar(&f.by, "by", nil, "group by these `LABELS` of the manifest")
	flags.StringVar(&f.threads, "threads", "name", "identify threads by `WHAT`: name, tid (name and ID, as the profile of a single trace does), or none")
	flags.StringVar(&f.merge, "merge", "", "add the traces to this profile `FILE` of an earlier run")
	f.add(cmd)
	return cmd
}

func (f *profileFlags) work(cmd *cobra.Command, std *stdio, args []string) error {
	threads, err := words.Parse[profile.Threads]("way to tell threads apart", []string{"name", "tid", "none"}, f.threads)
	if err != nil {
		return usagef("--threads: %v", err)
	}
	isFolder := strings.HasSuffix(f.out, "/")
	if info, err := os.Stat(f.out); err == nil && info.IsDir() {
		isFolder = true
	}
	switch {
	case isFolder && f.merge != "":
		return usagef("--merge %s: a folder has a profile for each group; name one file with -o", f.merge)
	case isFolder && len(f.by) == 0:
		return usagef("-o %s: a folder has a profile for each group, and needs --by LABELS", f.out)
	case isFolder:
		err = cli.CheckFolder(f.out)
	default:
		err = cli.CheckOutput(f.out)
	}
	if err != nil {
		return err
	}
	old, err := f.earlier()
	if err != nil {
		return err
	}
	f.labels = f.by
	return f.run(cmd.Context(), std, args, func(w job.Worker) job.Work { return job.Profile(w, f.by, threads) }, func(folder string, _ *job.Outcome) error {
		groups, err := job.ProfileResults(cmd.Context(), folder)
		if err != nil {
			return err
		}
		if isFolder {
			return f.writeGroups(std, groups)
		}
		all := old
		for _, g := range groups {
			all.Take(g.Tree)
		}
		all.Labels = f.labelled()
		if err := writeFile(f.out, std, func(w io.Writer) error { return f.write(w, std, f.out, all) }); err != nil {
			return err
		}
		std.remark("wrote %s, the sum of %s\n", f.out, words.Count(int(all.Traces), "trace"))
		return nil
	})
}

// labelled describes the labels of samples.
func (f *profileFlags) labelled() string {
	text := map[string]string{"name": "thread", "tid": "thread and tid", "none": "no thread"}[f.threads]
	if len(f.by) > 0 {
		by := slices.Sorted(slices.Values(f.by))
		text += "; by " + strings.Join(by, ", ")
	}
	return text
}

// earlier returns the profile that the traces are added to: an empty one without --merge.
func (f *profileFlags) earlier() (*profile.Tree, error) {
	if f.merge == "" {
		return &profile.Tree{}, nil
	}
	file, err := os.Open(f.merge) // not an input: the output can replace it
	if err != nil {
		return nil, err
	}
	defer file.Close()
	old, err := profile.Read(file)
	if err != nil {
		return nil, fmt.Errorf("%s: no profile that traces can be added to: %w", f.merge, err)
	}
	if want := f.labelled(); old.Labels != want {
		return nil, usagef("--merge %s: its labels are %q, with these --by and --threads they are %q; give those of the earlier run", f.merge, old.Labels, want)
	}
	return old, nil
}

// write writes a profile, and warns of values that some traces lack.
func (f *profileFlags) write(w io.Writer, std *stdio, name string, t *profile.Tree) error {
	for _, remark := range t.Lacking() {
		std.remark("artifice-fleet: warning: %s: %s\n", name, remark)
	}
	return t.Write(w)
}

// writeGroups writes a profile for each group.
func (f *profileFlags) writeGroups(std *stdio, groups []job.Grouped) error {
	folder, err := cli.CreateFolder(f.out)
	if err != nil {
		return err
	}
	defer folder.Abort()
	for _, g := range groups {
		g.Tree.Labels = f.labelled()
		name := fileName(f.by, g.Group) + ".pb.gz"
		if err := folder.WriteFile(name, func(w io.Writer) error { return f.write(w, std, name, g.Tree) }); err != nil {
			return err
		}
	}
	if err := folder.Commit(); err != nil {
		return err
	}
	std.remark("wrote %s to %s\n", words.Count(len(groups), "profile"), f.out)
	return nil
}

// fileName returns the file name of a group: app=mail,version=1.2.
func fileName(by, group []string) string {
	var parts []string
	for i, name := range by {
		parts = append(parts, name+"="+group[i])
	}
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune("/\\:*?\"<>|\x00", r) {
			return '_'
		}
		return r
	}, strings.Join(parts, ","))
}
