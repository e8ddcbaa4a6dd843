package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// didYouMean returns " (did you mean …?)" with the known word that is nearest to
// an unknown one, or nothing when none is near.
func didYouMean(word string, known []string) string {
	best, least := "", max(1, len(word)/3)+1
	for _, k := range known {
		d := editDistance(strings.ToLower(word), strings.ToLower(k))
		if len(word) >= 3 && strings.HasPrefix(k, word) {
			d = min(d, 1)
		}
		if d < least {
			best, least = k, d
		}
	}
	if best == "" {
		return ""
	}
	return fmt.Sprintf(" (did you mean %q?)", best)
}

// editDistance is how many letters have to be put in, left out, replaced or
// swapped with their neighbour to make b of a: the restricted
// Damerau-Levenshtein distance, in bytes.
func editDistance(a, b string) int {
	var last, row []int // of the two letters of a before
	next := make([]int, len(b)+1)
	for j := range next {
		next[j] = j
	}
	for i := 1; i <= len(a); i++ {
		last, row, next = row, next, make([]int, len(b)+1)
		next[0] = i
		for j := 1; j <= len(b); j++ {
			replaced := row[j-1]
			if a[i-1] != b[j-1] {
				replaced++
			}
			next[j] = min(replaced, row[j]+1, next[j-1]+1)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				next[j] = min(next[j], last[j-2]+1)
			}
		}
	}
	return next[len(b)]
}

// names returns the names of entries of artifice list.
func names(list []entry) []string {
	all := make([]string, len(list))
	for i, e := range list {
		all[i] = e.Name
	}
	return all
}

// commandNames returns the names of cmd's subcommands.
func commandNames(cmd *cobra.Command) []string {
	var all []string
	for _, c := range cmd.Commands() {
		all = append(all, c.Name())
	}
	return all
}

// likeFlag returns the flag of cmd that is meant by one that err does not know.
func likeFlag(cmd *cobra.Command, err error) string {
	var unknown *pflag.NotExistError
	if !errors.As(err, &unknown) || len(unknown.GetSpecifiedName()) < 2 {
		return ""
	}
	var all []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) { all = append(all, "--"+f.Name) })
	return didYouMean("--"+unknown.GetSpecifiedName(), all)
}
