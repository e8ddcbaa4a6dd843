package main

import (
	"io"
	"os"
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
	out     string
	by      []string
	threads string
}

func newProfile(std *stdio) *cobra.Command {
	var f profileFlags
	cmd := &cobra.Command{
		Use:   "profile LIST... -o OUT",
		Short: "Add the profiles of all traces up",
		Long: `Make one pprof profile of all traces of LIST: the sum of what 'artifice convert'
makes of each. With --by, its samples carry the values of these labels, which
'go tool pprof' can filter (-tagfocus) and group (-tagroot) by. If OUT is a folder
(it ends in /), each group has a profile of its own.

Where some traces lack a number that others have, CPU time for example, it is the sum
of these others, and a warning and a comment of the profile say how many have none.
The same traces give the same file, byte for byte.`,
		Example: `  artifice-fleet profile traces/ -o all.pb.gz
  artifice-fleet profile traces.csv --by app,version -o all.pb.gz
                                    then: go tool pprof -tagroot=app,version -http : all.pb.gz
  artifice-fleet profile traces.csv --by version -o profiles/
  artifice-fleet profile 'gs://bucket/traces/*.trace' -o all.pb.gz`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error { return f.work(cmd, std, args) },
	}
	flags := cmd.Flags()
	flags.StringVarP(&f.out, "output", "o", "", "write the profile to `OUT` (.pb.gz or .pb), or a profile for each group into this folder (profiles/)")
	cmd.MarkFlagRequired("output")
	flags.StringSliceVar(&f.by, "by", nil, "group by these `LABELS` of the manifest")
	flags.StringVar(&f.threads, "threads", "name", "tell threads apart by `WHAT`: name, tid (name and id, as a single trace's profile does), or none")
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
	f.labels = f.by
	return f.run(cmd.Context(), std, args, func(w job.Worker) job.Work { return job.Profile(w, f.by, threads) }, func(folder string, _ *job.Outcome) error {
		groups, err := job.ProfileResults(cmd.Context(), folder)
		if err != nil {
			return err
		}
		if isFolder {
			return f.writeGroups(std, groups)
		}
		all := &profile.Tree{}
		for _, g := range groups {
			all.Take(g.Tree)
		}
		if err := writeFile(f.out, std, func(w io.Writer) error { return f.write(w, std, f.out, all) }); err != nil {
			return err
		}
		std.remark("wrote %s, the sum of %s\n", f.out, words.Count(int(all.Traces), "trace"))
		return nil
	})
}

// write writes a profile, and says which of its numbers are not of all traces.
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

// fileName is a name for the file of a group: app=mail,version=1.2.
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
