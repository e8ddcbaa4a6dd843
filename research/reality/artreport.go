package main

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"artifice/format"
	"artifice/internal/cli"
	"artifice/research/internal/art11"
	"artifice/trace"
)

// reportART prints the predictions for runs on ART and which measured values are inside.
func (a artifice) reportART(out io.Writer, dir string, all []measuredRun, seeds int) error {
	where := func(m measuredRun) files { return m.artFiles(dir) }
	cut := slices.IndexFunc(all, func(m measuredRun) bool { return m.Busy })
	if cut < 0 {
		cut = len(all)
	}
	for i, runs := range [][]measuredRun{all[:cut], all[cut:]} {
		if len(runs) == 0 {
			continue
		}
		fmt.Fprintln(out, []string{"ART 11, interpreted; a core for the sampling thread", "\nART 11, interpreted; both cores busy"}[i])
		if i == 0 {
			if err := a.printPredicted(out, runs, where, seeds); err != nil {
				return err
			}
		}
		if err := a.printIntervals(out, runs, where); err != nil {
			return err
		}
		if i == 1 {
			if err := a.printCores(out, dir, runs, seeds); err != nil {
				return err
			}
		}
	}
	if err := a.printInstrumented(out, dir); err != nil {
		return err
	}
	return printCode(out, dir, all[:cut])
}

// printPredicted prints the predictions for runs with a core for the sampling thread.
func (a artifice) printPredicted(out io.Writer, runs []measuredRun, where func(measuredRun) files, seeds int) error {
	var lost bytes.Buffer
	runs, err := withResume(&lost, runs, where)
	if err != nil {
		return err
	}
	rows, err := a.compareAll(runs, where, artMeasures, seeds)
	if err != nil {
		return err
	}
	if err := print(out, rows); err != nil {
		return err
	}
	printByMeasure(out, rows)
	_, err = fmt.Fprintf(out, "%s\n", lost.Bytes())
	return err
}

// printByMeasure prints how many predictions of each measure are inside.
func printByMeasure(out io.Writer, rows []row) {
	inside := make([]int, len(artMeasures))
	for _, r := range rows {
		i := slices.IndexFunc(artMeasures, func(m measure) bool { return m.key == r.measure.key })
		verdict(r.own.has(r.measured), &inside[i])
	}
	fmt.Fprintln(out, byMeasure(artMeasures, inside, len(rows)/len(artMeasures)))
}

// byMeasure returns the number of runs inside: "period 11 of 12; methods seen 12 of 12".
func byMeasure(measures []measure, inside []int, runs int) string {
	var text []string
	for i, m := range measures {
		name, _, _ := strings.Cut(m.name, ",")
		text = append(text, fmt.Sprintf("%s %d of %d", name, inside[i], runs))
	}
	return strings.Join(text, "; ")
}

// printIntervals prints how many intervals of "artifice report" contain the self time in the log,
// and the delay of the sampling thread.
func (a artifice) printIntervals(out io.Writer, runs []measuredRun, where func(measuredRun) files) error {
	table := cli.Table{Columns: []string{"interval", "period", "methods", "hold", "do not: true, and reported (ms)"}, Right: []bool{true, true, true, true}}
	allOf, allHold := 0, 0
	for len(runs) > 0 {
		n := sameKind(runs)
		of, hold, fails := 0, 0, ""
		period := time.Duration(0)
		for _, run := range runs[:n] {
			period += run.Period / time.Duration(n)
			intervals, err := a.intervals(where(run))
			if err != nil {
				return err
			}
			for _, i := range intervals {
				of++
				if i.low <= i.truth && i.truth <= i.high {
					hold++
				} else {
					fails += fmt.Sprintf("%s %s, %s to %s; ", strings.TrimPrefix(i.method, art11.ProgramClass+"."), milliseconds(i.truth), milliseconds(i.low), milliseconds(i.high))
				}
			}
		}
		table.Add(runs[0].Interval.String(), milliseconds(period)+"ms", strconv.Itoa(of), strconv.Itoa(hold), strings.TrimSuffix(fails, "; "))
		allOf, allHold, runs = allOf+of, allHold+hold, runs[n:]
	}
	if err := table.WriteText(out); err != nil {
		return err
	}
	_, err := fmt.Fprintf(out, "\n%d of %d intervals contain the true self time (%.0f %%)\n", allHold, allOf, percent(allHold, allOf))
	return err
}

func milliseconds(d time.Duration) string { return fmt.Sprintf("%.2f", d.Seconds()*1000) }

// interval is the confidence interval of "artifice report" for a method's self time, with the true
// value.
type interval struct {
	method           string
	low, truth, high time.Duration
}

// intervals returns the intervals that report prints for the samples of a run.
func (a artifice) intervals(f files) ([]interval, error) {
	out, err := a.run("report", f.samples, "--csv", "--top", "0")
	if err != nil {
		return nil, err
	}
	lines, err := csv.NewReader(bytes.NewReader(out)).ReadAll()
	if err != nil || len(lines) == 0 {
		return nil, fmt.Errorf("artifice report printed no table: %v", err)
	}
	column := func(line []string, name string) string { return line[slices.Index(lines[0], name)] }
	truth, err := selfTimes(f.real)
	if err != nil {
		return nil, err
	}
	var all []interval
	for _, line := range lines[1:] {
		low, high := column(line, "self_wall_low_ns"), column(line, "self_wall_high_ns")
		if low == "" {
			continue // too few samples
		}
		from, err := strconv.ParseInt(low, 10, 64)
		if err != nil {
			return nil, err
		}
		to, err := strconv.ParseInt(high, 10, 64)
		if err != nil {
			return nil, err
		}
		method := column(line, "method")
		all = append(all, interval{method, time.Duration(from), truth[method], time.Duration(to)})
	}
	return all, nil
}

// selfTimes returns the self time of each method of a text trace, to the trace's end.
func selfTimes(name string) (map[string]time.Duration, error) {
	threads, rec, err := byThread(name)
	if err != nil {
		return nil, err
	}
	times := map[string]time.Duration{}
	for _, events := range threads {
		var stack []string
		last := time.Duration(0)
		for _, e := range events {
			if len(stack) > 0 {
				times[stack[len(stack)-1]] += e.Wall - last
			}
			last = e.Wall
			if m := rec.Symbols.Method(e.Method); e.Action == trace.Enter {
				stack = append(stack, m.Class+"."+m.Name)
			} else {
				stack = stack[:len(stack)-1]
			}
		}
		if len(stack) > 0 {
			times[stack[len(stack)-1]] += rec.Info.Elapsed - last
		}
	}
	return times, nil
}

// byThread reads a whole trace and returns the events of each thread by its name.
func byThread(name string) (map[string][]trace.Event, *trace.Recording, error) {
	f, err := format.Open(name, format.Config{})
	if err != nil {
		return nil, nil, err
	}
	defer f.Close()
	rec := f.Recording
	var all trace.Buffer
	if _, err := trace.Copy(&all, rec.Events); err != nil {
		return nil, nil, err
	}
	threads := map[string][]trace.Event{}
	for _, e := range all.Events {
		thread := rec.Symbols.Thread(e.Thread).Name
		threads[thread] = append(threads[thread], e)
	}
	return threads, rec, nil
}

// printInstrumented compares ART's instrumented events with the log and with artifice's prediction
// from the log.
func (a artifice) printInstrumented(out io.Writer, dir string) error {
	_, logged, real := instrumentedFiles(dir)
	emulated := filepath.Join(dir, "art-instrumented.emulated.trace")
	if _, err := a.run("record", "-q", real, "--mode", "instrument", "--runtime", "art11", "--device", "ideal", "--clock", "wall", "--buffer", "256MiB", "-o", emulated); err != nil {
		return err
	}
	want, err := calls(logged)
	if err != nil {
		return err
	}
	total := 0
	for _, c := range want {
		total += len(c)
	}
	fmt.Fprintf(out, "\nART 11, interpreted; instrumented: %d events of the program's methods\n", total)
	for _, other := range []struct{ name, file string }{{"the log", real}, {"artifice's emulation of the log", emulated}} {
		have, err := calls(other.file)
		if err != nil {
			return err
		}
		n, same := 0, 0
		for thread := range have {
			n += len(have[thread])
			for i := range min(len(have[thread]), len(want[thread])) {
				if have[thread][i] != want[thread][i] {
					break
				}
				same++
			}
		}
		fmt.Fprintf(out, "%s: %d events, of which %d are ART's in the same order in their thread\n", other.name, n, same)
	}
	return a.printShares(out, logged, real)
}

// calls returns the events of each thread as words.
func calls(name string) (map[string][]string, error) {
	threads, rec, err := byThread(name)
	if err != nil {
		return nil, err
	}
	all := map[string][]string{}
	for thread, events := range threads {
		for _, e := range events {
			word := rec.Symbols.Method(e.Method).Name
			if e.Action == trace.Enter {
				word = "+" + word
			}
			all[thread] = append(all[thread], word)
		}
	}
	return all, nil
}

// printShares prints the difference between a method's share of self time in ART's instrumented
// file and in the log.
func (a artifice) printShares(out io.Writer, logged, real string) error {
	traced, err := selfTimes(logged)
	if err != nil {
		return err
	}
	truth, err := selfTimes(real)
	if err != nil {
		return err
	}
	sum := func(times map[string]time.Duration) (all float64) {
		for _, t := range times {
			all += float64(t)
		}
		return all
	}
	most, of := 0.0, ""
	for method := range truth {
		d := 100 * (float64(traced[method])/sum(traced) - float64(truth[method])/sum(truth))
		if max(d, -d) > max(most, -most) {
			most, of = d, method
		}
	}
	_, err = fmt.Fprintf(out, "self times: the share of %s is %+.2f points off the log's, the others less\n", of, most)
	return err
}

// printCode prints the duration of the program's two long loops, which call nothing, in the sampled
// runs and in the instrumented one: their ratio is the key "code" of a device.
func printCode(out io.Writer, dir string, runs []measuredRun) error {
	var names []string
	for _, run := range runs {
		names = append(names, run.artFiles(dir).real)
	}
	_, _, instrumented := instrumentedFiles(dir)
	for _, leaf := range []string{"leafA", "leafB"} {
		sampled, err := medianOf(leaf, names...)
		if err != nil {
			return err
		}
		traced, err := medianOf(leaf, instrumented)
		if err != nil {
			return err
		}
		if _, err := fmt.Fprintf(out, "%s, a loop without calls: %.1f us sampled, %.1f us instrumented: a microsecond takes %.2f us longer\n",
			leaf, sampled/1e3, traced/1e3, traced/sampled-1); err != nil {
			return err
		}
	}
	return nil
}

// medianOf returns the median duration of a leaf method called by work, in ns: all these calls have
// the same number of iterations.
func medianOf(leaf string, names ...string) (float64, error) {
	var times []float64
	for _, name := range names {
		threads, rec, err := byThread(name)
		if err != nil {
			return 0, err
		}
		for _, events := range threads {
			for i, e := range events[:max(0, len(events)-1)] {
				caller := i > 0 && rec.Symbols.Method(events[i-1].Method).Name == "work" && events[i-1].Action == trace.Enter
				if next := events[i+1]; caller && rec.Symbols.Method(e.Method).Name == leaf && e.Action == trace.Enter && next.Method == e.Method {
					times = append(times, float64(next.Wall-e.Wall))
				}
			}
		}
	}
	if len(times) == 0 {
		return 0, fmt.Errorf("no call of %s by work in %s", leaf, strings.Join(names, ", "))
	}
	slices.Sort(times)
	return times[len(times)/2], nil
}
