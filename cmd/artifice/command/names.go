package command

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
)

// DidYouMean returns " (did you mean …?)" with the known word that is nearest to
// an unknown one, or nothing when none is near. Cobra suggests subcommands only,
// so the known words are made subcommands of a command that is never run.
func DidYouMean(word string, known []string) string {
	var words cobra.Command
	for _, k := range known {
		words.AddCommand(&cobra.Command{Use: k, Run: func(*cobra.Command, []string) {}})
	}
	for distance := 1; len(word) > 0 && distance <= max(1, (len(word)+1)/3); distance++ {
		words.SuggestionsMinimumDistance = distance
		if near := words.SuggestionsFor(word); len(near) > 0 {
			return fmt.Sprintf(" (did you mean %q?)", near[0])
		}
	}
	return ""
}

// LastWords returns the last n words of a name with dots.
func LastWords(name string, n int) string {
	words := strings.Split(name, ".")
	return strings.Join(words[max(0, len(words)-n):], ".")
}

// LikeNames are names with as many words as one has that was typed.
func LikeNames(typed string, known []string) []string {
	short := make([]string, len(known))
	for i, full := range known {
		before, _, _ := strings.Cut(full, "(")
		short[i] = LastWords(before, strings.Count(typed, ".")+1)
	}
	return short
}
