package main

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"artifice/bench/expect"
	"artifice/cmd/internal/command"
	"artifice/format"
	"artifice/internal/cli"
	"artifice/trace"
)

// expectCommand is artifice expect.
var expectCommand = command.Command{Name: "expect", Add: newExpect, Groups: []command.FlagGroup{
	{Title: "Flags", Flags: []string{"rules", "false-alarms", "sampler", "run-length", "value", "json", "junit"}},
	{Title: "Advanced", Flags: []string{"limit"}},
}}

// expectFlags are the flags of expect.
type expectFlags struct {
	rules, sampler, runLength, junit string
	rate                             falseAlarms
	json                             bool
	value                            command.ValueFlag // of the profile
}

// errTooFew ends a command with the exit status of a verdict of too few samples.
var errTooFew = errors.New("too few samples")

// notTested is an error that prevented a verdict.
type notTested struct{ error }

func (e notTested) Unwrap() error { return e.error }

func newExpect(std command.Stdio) *cobra.Command {
	f := expectFlags{rate: expect.DefaultRate}
	cmd := &cobra.Command{
		Use:   "expect TRUTH PROFILE",
		Short: "Test a profile against its ground truth, with a stated rate of false alarms",
		Long: `Test whether a sampled profile agrees with its ground truth. expect accepts differences by chance:
the probability that a profile of an unbiased sampler fails is at most --false-alarms.

  $ artifice expect truth.trace app.trace | head -1
  app.trace: pass. 3,775 samples of wall time at 299 instants agree with truth.trace.

TRUTH is a log of every call (text or any trace format), a workload, a call tree, folded stacks or
a YAML file of shares. In a file with shares: {main.work: 30 %}, 30 % means 29.5 to 30.5 %.

expect tests the self and total time of all methods. A profile fails if a stack contains a call
that TRUTH never makes. If PROFILE states its interval and TRUTH has a CPU clock, expect also
tests the number of samples. --rules adds assertions from a YAML file, or from the file
expected_profile.json of prof-correctness. The assertions share half of the false-alarm rate.

If TRUTH has a timeline, expect also reports methods that are aliased with the sampling interval,
and the sampler faults that best explain a failure. If TRUTH has no timeline, state with
--run-length how long methods run without interruption.

The exit status is 0 (pass), 1 (fail), 2 (error) or 3 (too few samples to detect the bias that a
rule states). docs/expect.md explains rules and tests in CI.`,
		Example: `  artifice expect truth.txt cpu.pb.gz
  artifice expect truth.txt cpu.pb.gz --rules rules.yaml --junit report.xml
  artifice expect shares.yaml cpu.folded --run-length random --false-alarms 1e-3`,
		Args: command.Needs(2, 2, "TRUTH and PROFILE", ""),
		RunE: func(cmd *cobra.Command, args []string) error {
			o, err := f.options(cmd)
			if err != nil {
				return err
			}
			return f.run(cmd, std, args[0], args[1], o)
		},
	}
	flags := cmd.Flags()
	f.value.Add(cmd)
	flags.StringVar(&f.rules, "rules", "", "also test the assertions in this `FILE`: YAML, or JSON of prof-correctness")
	flags.Var(&f.rate, "false-alarms", "maximum `RATE` at which profiles of an unbiased sampler fail")
	flags.StringVar(&f.sampler, "sampler", "", "`KINDS` of samplers to accept: cpu-timer (a timer per thread), wall-tick (all threads at one instant), poisson (random times). cpu-timer alone requires one sample per interval of CPU time, within one per thread. Default: poisson, and cpu-timer for CPU time or wall-tick for wall time")
	flags.StringVar(&f.runLength, "run-length", "", "how long methods run without interruption, for a TRUTH without a timeline: random (irregular, less than the sampling interval), random:`TIME` (irregular, TIME on average) or even:TIME (always TIME)")
	flags.BoolVar(&f.json, "json", false, "print JSON")
	flags.StringVar(&f.junit, "junit", "", "write the results as JUnit XML to `FILE`")
	return cmd
}

// falseAlarms is a flag with a probability.
type falseAlarms float64

// String implements pflag.Value.
func (r *falseAlarms) String() string { return strconv.FormatFloat(float64(*r), 'g', -1, 64) }

// Set implements pflag.Value.
func (r *falseAlarms) Set(text string) error {
	v, err := strconv.ParseFloat(text, 64)
	if err != nil || !(v >= 1e-12 && v <= 0.5) {
		return fmt.Errorf("must be from 1e-12 to 0.5")
	}
	*r = falseAlarms(v)
	return nil
}

// Type implements pflag.Value.
func (r *falseAlarms) Type() string { return "rate" }

// samplerKinds are the values of --sampler.
var samplerKinds = map[string]expect.Schedules{"cpu-timer": expect.CPUTimer, "wall-tick": expect.WallTick, "poisson": expect.Poisson}

// options returns the options of a check, without rules.
func (f *expectFlags) options(cmd *cobra.Command) (o expect.Options, err error) {
	o.Rate = float64(f.rate)
	for _, name := range []string{"rules", "sampler", "run-length", "junit"} {
		if flag := cmd.Flags().Lookup(name); flag.Changed && flag.Value.String() == "" {
			return o, command.Usagef("--%s has no value", name)
		}
	}
	if f.sampler != "" {
		for _, word := range strings.Split(f.sampler, ",") {
			kind, ok := samplerKinds[strings.TrimSpace(word)]
			if !ok {
				return o, command.Usagef("--sampler %q: must be cpu-timer, wall-tick or poisson, or several separated by commas", word)
			}
			o.Schedules |= kind
		}
	}
	if f.runLength != "" {
		if o.RunLength, err = expect.ParseRunLength(f.runLength); err != nil {
			return o, command.Usagef("--run-length: %v", err)
		}
	}
	if f.junit != "" {
		return o, command.CheckWritable(f.junit, false)
	}
	return o, nil
}

// run tests a profile and prints the verdict.
func (f *expectFlags) run(cmd *cobra.Command, std command.Stdio, truthName, profileName string, o expect.Options) error {
	v, err := f.check(cmd, std, truthName, profileName, o)
	if err != nil {
		if errors.As(err, new(command.UsageError)) || cmd.Context().Err() != nil {
			return err
		}
		return notTested{err}
	}
	if f.junit != "" {
		if err := writeJUnit(std, f.junit, profileName, &v); err != nil {
			return notTested{err}
		}
	}
	if f.json {
		err = (&cli.Table{JSON: v}).WriteJSON(std.Out)
	} else {
		err = writeVerdict(std.Out, truthName, profileName, &v)
	}
	switch {
	case err != nil:
		return err
	case v.Outcome == expect.Fail:
		return command.ErrFound
	case v.Outcome == expect.TooFew:
		return errTooFew
	}
	return nil
}

// check reads the files and tests the profile.
func (f *expectFlags) check(cmd *cobra.Command, std command.Stdio, truthName, profileName string, o expect.Options) (v expect.Verdict, err error) {
	ctx := cmd.Context()
	truth, err := expect.OpenTruth(truthName, format.Config{Limits: command.LimitsOf(ctx), Stop: ctx.Err, Workload: command.TruthFlags{}.Config()})
	if err != nil {
		return v, err
	}
	var snapshots *expect.Snapshots
	src, err := command.Open(ctx, std, profileName, command.SourceFlags{Order: format.ByTime, Value: f.value, Snapshots: func(rec *trace.Recording) trace.SnapshotWriter {
		snapshots = expect.NewSnapshots(rec)
		return snapshots
	}})
	if err != nil {
		return v, err
	}
	defer src.Close()
	defer src.Blame(&err)
	profile, err := expect.ReadProfile(src.Recording, profileName, snapshots)
	if err != nil {
		return v, err
	}
	if profile, err = profile.On(truth, o.Schedules); err != nil {
		return v, err
	}
	if f.rules != "" {
		if o.Rules, err = expect.OpenRules(f.rules, profile.Clock); err != nil {
			return v, err
		}
	}
	return expect.Check(truth, profile, o)
}
