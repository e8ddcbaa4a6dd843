package main

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/binary"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"artifice/internal/testdata"
	"artifice/internal/words"
	"artifice/workload"
)

// trial runs commands on a trace, and caches their output.
type trial struct {
	t       *testing.T
	file    string
	dir     string
	printed map[string]string
	page    *pageData
}

// output returns the standard output of a command; "" if it refuses the trace.
func (a *trial) output(args ...string) string {
	key := strings.Join(args, " ")
	if text, known := a.printed[key]; known {
		return text
	}
	status, stdout, _ := artifice(append(args, "-q")...)
	if status != exitOK {
		stdout = ""
	}
	a.printed[key] = stdout
	return stdout
}

// rows returns the rows of a command's JSON output.
func (a *trial) rows(args ...string) (rows []map[string]any) {
	if text := a.output(append(args, "--json")...); text != "" {
		decoder := json.NewDecoder(strings.NewReader(text))
		decoder.UseNumber()
		if err := decoder.Decode(&rows); err != nil {
			a.t.Errorf("%q: %v", args, err)
		}
	}
	return rows
}

// object returns the object of a command's JSON output.
func (a *trial) object(args ...string) (object map[string]any) {
	if text := a.output(append(args, "--json")...); text != "" {
		decoder := json.NewDecoder(strings.NewReader(text))
		decoder.UseNumber()
		if err := decoder.Decode(&object); err != nil {
			a.t.Errorf("%q: %v", args, err)
		}
	}
	return object
}

func (a *trial) report() []map[string]any  { return a.rows("report", a.file) }
func (a *trial) threads() []map[string]any { return a.rows("report", a.file, "--by", "thread") }
func (a *trial) diff(clock string) []map[string]any {
	return a.rows("diff", a.file, "--to", a.file, "--thread", "all", "--clock", clock)
}

// converted returns the file to which the trace is converted in another format; "" if that fails.
func (a *trial) converted(format string) string {
	out := filepath.Join(a.dir, "converted."+format)
	if a.output("convert", a.file, "--format", format, "-o", out) == "" {
		if _, err := os.Stat(out); err != nil {
			return ""
		}
	}
	return out
}

// active returns the number of threads with events, and the number of their names.
func (a *trial) active() (threads, names string) {
	n, seen := 0, map[any]bool{}
	for _, r := range a.rows("info", a.file, "--threads") {
		if field(r, "events") != "0" {
			n++
			seen[r["name"]] = true
		}
	}
	return fmt.Sprint(n), fmt.Sprint(len(seen))
}

// sum returns the sum of a key over rows; "" if no row has a number.
func sum(rows []map[string]any, key string) string {
	total, found := 0.0, false
	for _, r := range rows {
		if n, ok := r[key].(json.Number); ok {
			v, _ := n.Float64()
			total, found = total+v, true
		}
	}
	if !found {
		return ""
	}
	return strconv.FormatFloat(total, 'f', -1, 64)
}

// of returns the value of a key in the row of a method, for which commands have different
// signatures; "" if there is none.
func of(rows []map[string]any, method, key string) string {
	for _, r := range rows {
		if name, _ := r["method"].(string); withoutSignature(name) == method {
			if n, ok := r[key].(json.Number); ok {
				return n.String()
			}
			return ""
		}
	}
	return ""
}

func withoutSignature(name string) string {
	name, _, _ = strings.Cut(name, "(")
	return name
}

// hottest returns the method with the longest self time among methods without overloads; "" if
// there is none.
func (a *trial) hottest() string {
	seen := map[string]int{}
	for _, r := range a.report() {
		seen[withoutSignature(fmt.Sprint(r["method"]))]++
	}
	for _, r := range a.report() {
		if name := withoutSignature(fmt.Sprint(r["method"])); seen[name] == 1 {
			return name
		}
	}
	return ""
}

func field(object map[string]any, key string) string {
	if n, ok := object[key].(json.Number); ok {
		return n.String()
	}
	return ""
}

// figureOf returns the value of a figure that calibrate prints; "" if it is unknown.
func (a *trial) figureOf(name string) string {
	all, _ := a.object("calibrate", a.file)["figures"].([]any)
	for _, f := range all {
		if f := f.(map[string]any); f["figure"] == name && field(f, "observations") != "0" {
			return field(f, "value")
		}
	}
	return ""
}

// eventCost returns the event cost that calibrate prints, or its bounds; "" if there is none.
func (a *trial) eventCost() string {
	all, _ := a.object("calibrate", a.file)["figures"].([]any)
	for _, f := range all {
		f := f.(map[string]any)
		if f["figure"] != "event_cost" {
			continue
		}
		duration := func(key string) string {
			ns, err := strconv.ParseInt(field(f, key), 10, 64)
			if err != nil {
				a.t.Fatal(err)
			}
			return words.Duration(time.Duration(ns))
		}
		if f["value"] == nil {
			return duration("low") + " to " + duration("high")
		}
		return duration("value")
	}
	return ""
}

// eventCost and eventCostBounds match the event cost in the note of report.
var (
	eventCost       = regexp.MustCompile(`(?m)^Subtracted tracing overhead: [^;]*; ([0-9.]+ [nµm]s) per event`)
	eventCostBounds = regexp.MustCompile(`(?m)^Subtracted tracing overhead: [^;]*; ([0-9.]+ [nµm]s) per event \(clock cost; the event cost is between it and ([0-9.]+ [nµm]s)\)`)
)

// pageData is the data of a page that view writes.
type pageData struct {
	Recordings []struct {
		Interval  int64 `json:"interval_ns"`
		Events    int64
		Estimates *struct {
			Method               pageColumn
			Exclusive, Inclusive struct {
				Wall, CPU, Running *struct{ Value pageColumn }
				Samples            pageColumn
			}
			Calls pageColumn
		}
		Threads struct{ At, Bytes int64 }
	}
	Span    int64
	Unit    int64 `json:"unit_ns"`
	Methods struct {
		Lengths   pageColumn
		At, Bytes int64
	}
	Difference *struct {
		Headline string
		Rows     json.RawMessage
	}
	body []byte
}

type pageColumn struct{ At, Bytes, Count int64 }

// readPage reads the data of a page.
func readPage(t *testing.T, page string) *pageData {
	t.Helper()
	m := regexp.MustCompile(`<script id="data" type="application/octet-stream">([A-Za-z0-9+/=]*)</script>`).FindStringSubmatch(page)
	if m == nil {
		return nil
	}
	packed, err := base64.StdEncoding.DecodeString(m[1])
	if err != nil {
		t.Fatal(err)
	}
	gz, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		t.Fatal(err)
	}
	var data bytes.Buffer
	if _, err := data.ReadFrom(gz); err != nil {
		t.Fatal(err)
	}
	all, p := data.Bytes(), &pageData{}
	end := 12 + binary.LittleEndian.Uint32(all[8:])
	if err := json.Unmarshal(all[12:end], p); err != nil {
		t.Fatal(err)
	}
	p.body = all[end:]
	return p
}

// numbers returns the numbers of a column.
func (p *pageData) numbers(c pageColumn) (list []int64) {
	for b := p.body[c.At : c.At+c.Bytes]; len(b) > 0; {
		v, n := binary.Uvarint(b)
		list, b = append(list, int64(v)), b[n:]
	}
	return list
}

// view returns the page of the trace; nil if it has no estimates.
func (a *trial) view() *pageData {
	if a.page == nil {
		if a.page = readPage(a.t, a.output("view", a.file, "-o", "-", "--ranges=false", "--thread", "all")); a.page == nil {
			a.page = &pageData{}
		}
	}
	if len(a.page.Recordings) == 0 || a.page.Recordings[0].Estimates == nil {
		return nil
	}
	return a.page
}

// viewed returns the sum of a column of the page's estimates; "" if there is none.
func (a *trial) viewed(clock string) string {
	p := a.view()
	if p == nil {
		return ""
	}
	e := &p.Recordings[0].Estimates.Exclusive
	times := map[string]*struct{ Value pageColumn }{"wall": e.Wall, "cpu": e.CPU, "running": e.Running}[clock]
	if times == nil {
		return ""
	}
	total := int64(0)
	for _, v := range p.numbers(times.Value) {
		total += v
	}
	return fmt.Sprint(total)
}

// viewedOf returns the value of a method in a column of the page's estimates; "" if there is none.
func (a *trial) viewedOf(method string, column func(p *pageData) *pageColumn) string {
	p := a.view()
	if p == nil || column(p) == nil {
		return ""
	}
	at, names := p.Methods.At, []string(nil)
	for _, n := range p.numbers(p.Methods.Lengths) {
		names = append(names, string(p.body[at:at+n]))
		at += n
	}
	list := p.numbers(*column(p))
	for i, m := range p.numbers(p.Recordings[0].Estimates.Method) {
		if withoutSignature(names[m]) == method {
			return fmt.Sprint(list[i])
		}
	}
	return ""
}

// question is a question that several commands answer.
type question struct {
	name string
	ask  map[string]func(a *trial) string // by command; an answer "" means not applicable
}

// wallTimeOfHottest is the question of the self or total wall time of the hottest method, which is
// in a column of the page.
func wallTimeOfHottest(kind string, column func(p *pageData) *pageColumn) question {
	return question{kind + " wall time of the hottest method", map[string]func(a *trial) string{
		"report":  func(a *trial) string { return of(a.report(), a.hottest(), kind+"_wall_ns") },
		"diff":    func(a *trial) string { return of(a.diff("wall"), a.hottest(), kind+"_old_ns") },
		"view":    func(a *trial) string { return a.viewedOf(a.hottest(), column) },
		"convert": func(a *trial) string { return of(a.rows("report", a.converted("text")), a.hottest(), kind+"_wall_ns") },
	}}
}

// questions are questions to which the answers of all commands are identical, to the last digit.
var questions = []question{
	{"wall time of all threads", map[string]func(a *trial) string{
		"report":             func(a *trial) string { return sum(a.report(), "self_wall_ns") },
		"report --by thread": func(a *trial) string { return sum(a.threads(), "self_wall_ns") },
		"diff":               func(a *trial) string { return sum(a.diff("wall"), "self_old_ns") },
		"view":               func(a *trial) string { return a.viewed("wall") },
	}},
	{"CPU time of all threads", map[string]func(a *trial) string{
		"report":             func(a *trial) string { return sum(a.report(), "self_cpu_ns") },
		"report --by thread": func(a *trial) string { return sum(a.threads(), "self_cpu_ns") },
		"diff":               func(a *trial) string { return sum(a.diff("cpu"), "self_old_ns") },
		"view":               func(a *trial) string { return a.viewed("cpu") },
	}},
	{"running time of all threads", map[string]func(a *trial) string{
		"report": func(a *trial) string { return sum(a.report(), "self_running_ns") },
		"view":   func(a *trial) string { return a.viewed("running") },
	}},
	{"threads with events", map[string]func(a *trial) string{
		"info":           func(a *trial) string { return field(a.object("info", a.file), "threads_with_events") },
		"info --threads": func(a *trial) string { n, _ := a.active(); return n },
	}},
	{"names of threads with events", map[string]func(a *trial) string{ // report has one row for all threads with the same name
		"report --by thread": func(a *trial) string { return count(a.threads()) },
		"info --threads":     func(a *trial) string { _, names := a.active(); return names },
	}},
	{"methods with calls", map[string]func(a *trial) string{
		"info":   func(a *trial) string { return field(a.object("info", a.file), "methods_used") },
		"report": func(a *trial) string { return count(a.report()) },
		"view": func(a *trial) string {
			if p := a.view(); p != nil {
				return fmt.Sprint(p.Recordings[0].Estimates.Method.Count)
			}
			return ""
		},
	}},
	{"events", map[string]func(a *trial) string{
		"info": func(a *trial) string { return field(a.object("info", a.file), "events") },
		"view": func(a *trial) string {
			if a.view() == nil {
				return ""
			}
			return fmt.Sprint(a.page.Recordings[0].Events)
		},
		"convert":        func(a *trial) string { return field(a.object("info", a.converted("text")), "events") },
		"info --threads": func(a *trial) string { return sum(a.rows("info", a.file, "--threads"), "events") },
	}},
	{"period", map[string]func(a *trial) string{
		"info":      func(a *trial) string { return field(a.object("info", a.file), "period_ns") },
		"calibrate": func(a *trial) string { return a.figureOf("period") },
		"view": func(a *trial) string {
			if a.view() == nil || a.page.Recordings[0].Interval == 0 {
				return ""
			}
			return fmt.Sprint(a.page.Recordings[0].Interval)
		},
		"convert": func(a *trial) string { return field(a.object("info", a.converted("text")), "period_ns") },
	}},
	{"event cost or its bounds in µs", map[string]func(a *trial) string{
		"calibrate": func(a *trial) string { return a.eventCost() },
		"report": func(a *trial) string {
			text := a.output("report", a.file, "--subtract-overhead", "own")
			if m := eventCostBounds.FindStringSubmatch(text); m != nil {
				return m[1] + " to " + m[2]
			}
			if m := eventCost.FindStringSubmatch(text); m != nil {
				return m[1]
			}
			return ""
		},
	}},
	{"length", map[string]func(a *trial) string{
		"info": func(a *trial) string {
			ns, err := strconv.ParseInt(field(a.object("info", a.file), "span_ns"), 10, 64)
			if err != nil || ns == 0 { // dumps and sums have no times
				return ""
			}
			return words.Duration(time.Duration(ns))
		},
		"report": func(a *trial) string {
			_, head, _ := strings.Cut(a.output("report", a.file), ": ")
			length, _, timed := strings.Cut(head, ",")
			if first := strings.Fields(length); !timed || len(first) != 2 {
				return "" // the line begins with the content of the profile
			}
			return length
		},
		"view": func(a *trial) string {
			if a.view() == nil || a.page.Span == 0 {
				return "" // a profile has no times
			}
			return words.Duration(time.Duration(a.page.Span * a.page.Unit))
		},
	}},
	{"time of the stop", map[string]func(a *trial) string{
		"info":    func(a *trial) string { return field(a.object("info", a.file), "elapsed_ns") },
		"convert": func(a *trial) string { return field(a.object("info", a.converted("text")), "elapsed_ns") },
	}},
	wallTimeOfHottest("self", func(p *pageData) *pageColumn {
		if w := p.Recordings[0].Estimates.Exclusive.Wall; w != nil {
			return &w.Value
		}
		return nil
	}),
	wallTimeOfHottest("total", func(p *pageData) *pageColumn {
		if w := p.Recordings[0].Estimates.Inclusive.Wall; w != nil {
			return &w.Value
		}
		return nil
	}),
	{"calls of the hottest method", map[string]func(a *trial) string{
		"report": func(a *trial) string { return of(a.report(), a.hottest(), "calls") },
		"diff":   func(a *trial) string { return of(a.diff("wall"), a.hottest(), "old_calls") },
		"view": func(a *trial) string {
			return a.viewedOf(a.hottest(), func(p *pageData) *pageColumn { return &p.Recordings[0].Estimates.Calls })
		},
		"convert": func(a *trial) string {
			if !strings.HasSuffix(a.file, ".trace") {
				return "" // the text form has no samples
			}
			return of(a.rows("report", a.converted("text")), a.hottest(), "calls")
		},
	}},
	{"samples of the hottest method", map[string]func(a *trial) string{
		"report": func(a *trial) string { return of(a.report(), a.hottest(), "self_samples") },
		"view": func(a *trial) string {
			if p := a.view(); p == nil || p.Recordings[0].Interval == 0 {
				return ""
			}
			return a.viewedOf(a.hottest(), func(p *pageData) *pageColumn { return &p.Recordings[0].Estimates.Exclusive.Samples })
		},
	}},
}

// count returns the number of rows; "" if there are none.
func count(rows []map[string]any) string {
	if len(rows) == 0 {
		return ""
	}
	return fmt.Sprint(len(rows))
}

// benchNames are the measures that are both columns of bench and scores of score. Their values are
// equal because both commands count samples by one rule, except if the file lacks the end of a
// thread.
var benchNames = []string{"wall_correct", "methods_seen", "reported_calls_per_true"}

// TestBenchAgreesWithScore checks that bench, and score of a recording with the same samples,
// attribute time to the same methods. An ideal sampler with an interval of 5 ms has a gap of 5 ms,
// so the only phase of bench is 2.5 ms. Threads of cold-start, tid-reuse and network-client exit at
// times that a sampled file does not contain; the deviations are .0011, .0026 and .0001. Files have
// microseconds, truths nanoseconds. The stop of a file waits for the sampler's last sleep, which
// score cannot distinguish from a delay, so its slowdown is higher by up to 5 ms of the run.
func TestBenchAgreesWithScore(t *testing.T) {
	testdata.Seldom(t, 4)
	unknownEnds := map[string]float64{"cold-start": .002, "tid-reuse": .003, "network-client": .0002}
	apps := []string{"w1-single-call", "w2-periodic", "w5-zipf-50", "w7-deep-shallow", "w8-threads-4", "w11-messages", "cold-start", "scroll-60hz", "network-client", "game-loop", "gc-storm", "mid-program", "tid-reuse", "pipeline"}
	for _, app := range testdata.Some(t, apps, 2) {
		_, stdout, stderr := artifice("bench", app, "--device", "ideal", "--modes", "sample", "--intervals", "5ms", "--seeds", "1", "--csv", "-q")
		table, err := csv.NewReader(strings.NewReader(stdout)).ReadAll()
		if err != nil || len(table) != 2 {
			t.Fatalf("%s: %v: %s", app, err, stderr)
		}
		file := filepath.Join(t.TempDir(), "sampled.trace")
		if status, _, stderr := artifice("record", app, "--device", "ideal", "--interval", "5ms", "--phase", "2500us", "-o", file, "-q"); status != exitOK {
			t.Fatal(stderr)
		}
		_, stdout, stderr = artifice("score", app, file, "--json", "-q")
		var scores []struct{ Scores map[string]float64 }
		if err := json.Unmarshal([]byte(stdout), &scores); err != nil || len(scores) != 1 {
			t.Fatalf("%s: %v: %s", app, err, stderr)
		}
		stop, err := strconv.ParseFloat(field((&trial{t: t, printed: map[string]string{}}).object("info", file), "elapsed_ns"), 64)
		if err != nil {
			t.Fatal(err)
		}
		lastSleep := 5e6 / (stop - 5e6)
		for _, name := range append(benchNames, "slowdown") {
			want, err := strconv.ParseFloat(table[1][slices.Index(table[0], name)], 64)
			if err != nil {
				t.Fatalf("%s, %s: %v", app, name, err)
			}
			got, ok := scores[0].Scores[name]
			if name == "slowdown" && got > want {
				got = max(want, got-lastSleep)
			}
			if !ok || math.Abs(got-want) > 1e-5+unknownEnds[app] {
				t.Errorf("%s, %s: bench %v, score %v", app, name, want, got)
			}
		}
	}
}

// TestUncertainEnds checks the time from the last events of threads to the stop, which --until stop
// counts in addition, and which report states. Every thread of game-loop lives until the stop, but
// a file of Android 14 states this for main only.
func TestUncertainEnds(t *testing.T) {
	file := filepath.Join(t.TempDir(), "game.trace")
	if status, _, stderr := artifice("record", "game-loop", "--device", "A", "--interval", "10ms", "--runtime", "art14", "-o", file, "-q"); status != exitOK {
		t.Fatal(stderr)
	}
	a := &trial{t: t, file: file, printed: map[string]string{}}
	wall := func(args ...string) int64 {
		n, err := strconv.ParseInt(sum(a.rows(append([]string{"report", file, "--thread", "all", "--waiting"}, args...)...), "self_wall_ns"), 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	left := words.Duration(time.Duration(wall("--until", "stop") - wall()))
	for args, want := range map[string]string{"end": "Not counted: up to " + left + " between the last events", "stop": "Times include " + left + " after the last events"} {
		if got := a.output("report", file, "--thread", "all", "--waiting", "--until", args); !strings.Contains(got, want) {
			t.Errorf("--until %s: want %q in\n%s", args, want, got)
		}
	}
	if got := a.output("report", file, "--waiting", "--thread", "main"); got == "" || strings.Contains(got, "the last events of threads") {
		t.Errorf("main ends at the stop, but report prints:\n%s", got)
	}
}

// TestCommandsAgree compares the answers of all commands about recordings of built-in apps, sampled
// and of every call, and about public and small files.
func TestCommandsAgree(t *testing.T) {
	testdata.Seldom(t, 4)
	var sources []string
	for _, app := range workload.Builtin() {
		sources = append(sources, app.Name)
	}
	files, err := filepath.Glob(testdata.Path(t, "field") + "/*")
	if err != nil {
		t.Fatal(err)
	}
	files = slices.DeleteFunc(files, func(name string) bool { return strings.HasSuffix(name, "README.md") })
	for _, name := range []string{"instrumented-art-file.trace", "sampled-art-file.trace", "sampled-host-file.trace"} {
		files = append(files, testdata.Path(t, "traces", name))
	}
	answered := map[string]int{}
	for _, source := range testdata.Some(t, append(sources, files...), 3) {
		if filepath.IsAbs(source) {
			askAll(t, source, answered)
			continue
		}
		for mode, args := range map[string][]string{"sampled": {"--interval", "5ms"}, "calls": {"--mode", "instrument"}} {
			if mode == "calls" && source == "w4-function-bias" {
				continue // it has two million events
			}
			file := filepath.Join(t.TempDir(), source+"-"+mode+".trace")
			args = append(args, "record", source, "--device", "A", "-o", file, "-q")
			if status, _, stderr := artifice(args...); status != exitOK {
				t.Error(stderr)
				continue
			}
			askAll(t, file, answered)
		}
	}
	for _, q := range slices.Sorted(maps.Keys(answered)) {
		t.Logf("%s: %d answers", q, answered[q])
	}
	if len(answered) < len(questions)/2 {
		t.Errorf("only %d questions have answers of two commands", len(answered))
	}
}

// askAll compares the answers of all commands about one trace.
func askAll(t *testing.T, file string, answered map[string]int) {
	a := &trial{t: t, file: file, dir: t.TempDir(), printed: map[string]string{}}
	for _, q := range questions {
		answers := map[string]string{}
		for command, ask := range q.ask {
			if answer := ask(a); answer != "" {
				answers[command] = answer
			}
		}
		if len(answers) < 2 {
			continue
		}
		answered[q.name] += len(answers)
		if first := slices.Sorted(maps.Keys(answers))[0]; len(slices.Compact(slices.Sorted(maps.Values(answers)))) > 1 {
			t.Errorf("%s, %s: %v (first %s)", filepath.Base(file), q.name, answers, answers[first])
		}
	}
}
