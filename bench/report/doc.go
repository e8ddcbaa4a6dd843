// Package report draws the result of a benchmark: plots as SVG and PNG, and one
// self-contained HTML page with plots and tables.
//
// It computes nothing: package bench does, whose [bench.Result] it shows. It is
// the only package that draws, and gonum/plot, which it draws with, shows in no
// exported signature.
package report
