package check

import (
	"slices"
	"strings"
)

// packages counts methods by the first part of their package. The Firefox Profiler's importer names
// a category by the most frequent one (getSpecialCategoryInfo of art-trace.ts). The zero value has
// no methods.
type packages struct {
	counts map[string]int
	order  []string // packages in the order of their first methods
}

// platformPackages are the packages that the importer does not count.
var platformPackages = []string{"android", "java", "sun", "kotlin", "androidx", "kotlinx"}

// add counts a method of the given class.
func (p *packages) add(class string) {
	if rest, ok := strings.CutPrefix(class, "org."); ok {
		class = rest
	} else {
		class = strings.TrimPrefix(class, "com.")
	}
	first, _, _ := strings.Cut(class, ".")
	if slices.Contains(platformPackages, first) {
		return
	}
	if p.counts == nil {
		p.counts = make(map[string]int)
	}
	if p.counts[first] == 0 {
		p.order = append(p.order, strings.Clone(first))
	}
	p.counts[first]++
}

// common returns the most frequent package; of equally frequent ones it returns the first. It
// returns "none" if there is no package.
func (p *packages) common() string {
	best, most := "none", 0
	for _, name := range p.order {
		if n := p.counts[name]; n > most {
			best, most = name, n
		}
	}
	return best
}
