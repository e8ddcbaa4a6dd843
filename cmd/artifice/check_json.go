package main

import (
	"fmt"

	"artifice/check"
)

// checkedFile is what check --json prints of a file.
type checkedFile struct {
	File     string           `json:"file"`
	Valid    bool             `json:"valid"`
	Format   string           `json:"format,omitempty"`
	Events   int64            `json:"events"`
	Findings []jsonFinding    `json:"findings"`
	Counts   map[string]int64 `json:"counts"`
	Origin   jsonOrigin       `json:"origin"`
	Readers  []jsonVerdict    `json:"readers,omitempty"`
}

type jsonFinding struct {
	ID      string `json:"id"`
	Level   string `json:"level"`
	Rule    string `json:"rule"`
	Offset  *int64 `json:"offset,omitempty"` // bytes, absent where the finding has no one place
	Finding string `json:"finding"`
}

type jsonOrigin struct {
	Technique string `json:"technique"`
	Sure      string `json:"sure"`
	Evidence  string `json:"evidence"`
	PeriodNS  int64  `json:"period_ns,omitempty"`
}

type jsonVerdict struct {
	Reader  string   `json:"reader"`
	Outcome string   `json:"outcome"`
	Reasons []string `json:"reasons"`
}

func (f *checkFlags) describe(r *check.Report) checkedFile {
	file := checkedFile{
		File: r.Name, Valid: r.Errors() == 0, Format: r.Format, Events: r.Events, Counts: r.Counts,
		Findings: []jsonFinding{},
		Origin: jsonOrigin{r.Origin.Technique.String(), string(r.Origin.Sure), r.Origin.Evidence,
			int64(r.Origin.Period.Median)},
	}
	for i := range r.Findings {
		finding := &r.Findings[i]
		j := jsonFinding{ID: finding.Rule.ID, Level: finding.Rule.Level().String(), Rule: finding.Rule.Name, Finding: finding.Text}
		if finding.Offset >= 0 {
			j.Offset = &finding.Offset
		}
		file.Findings = append(file.Findings, j)
	}
	for _, tool := range f.tools {
		v := r.Verdict(tool)
		file.Readers = append(file.Readers, jsonVerdict{string(tool), v.Outcome.String(), append([]string{}, v.Reasons...)})
	}
	return file
}

func findingRows(r *check.Report) [][]string {
	var rows [][]string
	for i := range r.Findings {
		finding := &r.Findings[i]
		offset := ""
		if finding.Offset >= 0 {
			offset = fmt.Sprint(finding.Offset)
		}
		rows = append(rows, []string{r.Name, finding.Rule.ID, finding.Rule.Level().String(), finding.Rule.Name, offset, finding.Text})
	}
	return rows
}
