package main

import "artifice/sampler"

// samplingCosts are the devices whose sampling can be emulated.
var samplingCosts = []struct {
	entry
	cost sampler.Cost
}{
	{entry{"ideal", "costs nothing, exact clocks"}, sampler.Ideal},
	{entry{"A", "phone with 61 threads: pauses of 1 ms"}, sampler.Phone61},
	{entry{"B", "phone with 27 threads: pauses of 0.2 ms"}, sampler.Phone27},
	{entry{"C", "ART on a PC with 14 threads: pauses of 0.03 ms"}, sampler.Host14},
}

func deviceEntries() []entry {
	var all []entry
	for _, d := range samplingCosts {
		all = append(all, d.entry)
	}
	return all
}

// samplingCost returns what sampling costs on the device of that name.
func samplingCost(name string) (sampler.Cost, error) {
	for _, d := range samplingCosts {
		if d.Name == name {
			return d.cost, nil
		}
	}
	return sampler.Cost{}, usagef("unknown device %q; artifice list names them", name)
}
