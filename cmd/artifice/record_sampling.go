package main

import (
	"github.com/spf13/cobra"

	"artifice/diffstack"
	"artifice/sampler"
)

// samplingFlags are the ways in which a sampler can differ from ART's; without
// them it does what ART's does.
type samplingFlags struct {
	schedule, safepointBias, sliceEnd, identity string
}

func (f *samplingFlags) add(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&f.safepointBias, "safepoint-bias", "none", "sample: leaf hides compiled loop-free leaves, which have no suspend check")
	flags.StringVar(&f.sliceEnd, "slice-end", "next", "sample: when frames that are gone have ended: next (ART), last, capped or mid")
	flags.StringVar(&f.identity, "identity", "method", "sample: when frames are the same: method (ART), method+line of the caller, in a workload, or call, as only the truth can tell")
	flags.StringVar(&f.schedule, "schedule", "sleep", "sample: sleep between samples (ART), or poisson, samples independent of the app")
}

// apply sets what the flags say.
func (f *samplingFlags) apply(cfg *sampler.Config) (err error) {
	if cfg.SliceEnd, err = diffstack.ParseSliceEnd(f.sliceEnd); err != nil {
		return usagef("--slice-end: %v", err)
	}
	if cfg.Identity, err = diffstack.ParseIdentity(f.identity, diffstack.ByCall); err != nil {
		return usagef("--identity: %v", err)
	}
	for _, flag := range []struct {
		name, value, usual, other string
		set                       func()
	}{
		{"safepoint-bias", f.safepointBias, "none", "leaf", func() { cfg.Leaves = sampler.LeavesHidden }},
		{"schedule", f.schedule, "sleep", "poisson", func() { cfg.Schedule = sampler.Poisson }},
	} {
		switch flag.value {
		case flag.usual:
		case flag.other:
			flag.set()
		default:
			return usagef("--%s %s: it is %s or %s", flag.name, flag.value, flag.usual, flag.other)
		}
	}
	return nil
}
