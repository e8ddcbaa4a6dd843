package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// role is the kind of file that a command reads.
type role int

const (
	recording role = iota
	workloadFile
	deviceFile
	mappingFile // of R8
	namesFile   // of the numbers of methods
)

// command is one way to call the program on a file.
type command struct {
	name      string
	roles     []role
	line      string     // FILE and OUT are replaced
	extra     int64      // bytes allowed in addition, see docs/speed.md
	companion *companion // a valid file that it reads, too
}

// companion is a valid file that is read together with a hostile one.
type companion struct{ name, text string }

func (c *companion) write(dir string) error {
	return os.WriteFile(filepath.Join(dir, c.name), []byte(c.text), 0o666)
}

// args returns the arguments for a file.
func (c *command) args(file, out string) []string {
	list := strings.Fields(c.line)
	for i, word := range list {
		word = strings.Replace(word, "FILE", file, 1)
		list[i] = strings.Replace(word, "OUT", out, 1)
	}
	return list
}

// small is a valid trace for commands that read a hostile companion file.
var small = &companion{"small.txt", "# artifice text trace\ninfo\tclock\twall\nthread\t1\tmain\nmethod\t0x4\ta.A\tf\t()V\tA.java\t-1\n" +
	"0 - 1 enter a.A.f()V\n5000 - 1 exit a.A.f()V\n"}

// numbered is a valid trace of RheaTrace with numbers for methods.
var numbered = &companion{"rhea.txt", "1|TRACE_START|0|10|2147483647|2|x\n7.000000: B|10|B:4\n7.000003: B|10|E:4\n"}

var (
	recordings = []role{recording}
	workloads  = []role{workloadFile}
	devices    = []role{deviceFile}
	mappings   = []role{mappingFile}
)

// kept is the limit given to commands that keep every calling context, or the tree of a YAML file
// (docs/speed.md).
const kept = 256 << 20

// commands are those that read files, with flags that lead to other code.
var commands = []*command{
	{name: "info", roles: recordings, line: "info FILE --threads"},
	{name: "check", roles: recordings, line: "check FILE --for all"},
	{name: "dump", roles: recordings, line: "dump FILE"},
	{name: "convert-trace", roles: recordings, line: "convert FILE -o OUT.trace"},
	{name: "convert-pprof", roles: recordings, line: "convert FILE --memory 256MiB -o OUT.pb.gz", extra: kept},
	{name: "convert-folded", roles: recordings, line: "convert FILE --memory 256MiB -o OUT.folded", extra: kept},
	{name: "convert-text", roles: recordings, line: "convert FILE -o OUT.txt"},
	{name: "convert-chrome", roles: recordings, line: "convert FILE --format chrome -o OUT.json"},
	{name: "convert-firefox", roles: recordings, line: "convert FILE --format firefox --memory 256MiB -o OUT.json", extra: kept},
	{name: "convert-perfetto", roles: recordings, line: "convert FILE -o OUT.perfetto-trace"},
	{name: "convert-simpleperf", roles: recordings, line: "convert FILE --format simpleperf-proto -o OUT.data"},
	{name: "convert-speedscope", roles: recordings, line: "convert FILE --format speedscope -o OUT.json"},
	{name: "convert-part", roles: recordings, line: "convert FILE --from 1ms --to 2s -o OUT.trace"},
	{name: "record-sample", roles: recordings, line: "record FILE --interval 1ms -o OUT.trace"},
	{name: "record-instrument", roles: recordings, line: "record FILE --mode instrument -o OUT.trace"},
	{name: "record-dump", roles: recordings, line: "record FILE --mode dump --interval 1s --format folded -o OUT.folded"},
	{name: "record-rediff", roles: recordings, line: "record FILE --mode rediff -o OUT.trace"},
	{name: "report", roles: recordings, line: "report FILE", extra: kept},
	{name: "report-csv", roles: recordings, line: "report FILE --csv", extra: kept},
	{name: "report-tree", roles: recordings, line: "report FILE --tree", extra: kept},
	{name: "diff", roles: recordings, line: "diff FILE --to FILE", extra: kept},
	{name: "diff-page", roles: recordings, line: "diff FILE --to FILE -o OUT.html", extra: kept},
	{name: "view", roles: recordings, line: "view FILE -o OUT.html", extra: kept},
	{name: "view-diff", roles: recordings, line: "view FILE --diff FILE -o OUT.html", extra: kept},
	{name: "view-compare", roles: recordings, line: "view FILE --compare FILE -o OUT.html", extra: kept},
	{name: "view-sample", roles: recordings, line: "view FILE --sample 5ms --memory 256MiB -o OUT.html", extra: kept},
	{name: "bench", roles: recordings, line: "bench FILE --intervals 5ms --memory 256MiB", extra: kept},
	{name: "score", roles: recordings, line: "score FILE FILE --memory 256MiB", extra: kept},
	{name: "expect-truth", roles: recordings, line: "expect FILE FILE", extra: kept},
	{name: "expect-profile", roles: recordings, line: "expect in/small.txt FILE", companion: small, extra: kept},
	{name: "calibrate", roles: recordings, line: "calibrate FILE -o OUT.yaml"},
	{name: "plan", roles: recordings, line: "plan FILE --method main --intervals 1ms -o OUT.svg"},
	{name: "workload-record", roles: workloads, line: "record FILE --duration 100ms -o OUT.trace", extra: kept},
	{name: "workload-truth", roles: workloads, line: "record FILE --mode truth --duration 100ms -o OUT.trace", extra: kept},
	{name: "workload-info", roles: workloads, line: "info FILE", extra: kept},
	{name: "workload-bench", roles: workloads, line: "bench FILE --intervals 5ms --duration 100ms --memory 256MiB", extra: kept},
	{name: "mapping-report", roles: mappings, line: "report in/small.txt --mapping FILE", companion: small},
	{name: "mapping-convert", roles: mappings, line: "convert in/small.txt --mapping FILE -o OUT.trace", companion: small},
	{name: "names-info", roles: []role{namesFile}, line: "info in/rhea.txt --method-names FILE", companion: numbered},
	{name: "names-convert", roles: []role{namesFile}, line: "convert in/rhea.txt --method-names FILE -o OUT.trace", companion: numbered},
	{name: "device-record", roles: devices, line: "record cold-start --duration 100ms --device FILE -o OUT.trace"},
	{name: "device-bench", roles: devices, line: "bench w1-single-call --duration 100ms --intervals 5ms --device FILE", extra: kept},
}

// commandsFor returns the commands that read files of a role.
func commandsFor(r role) (list []*command) {
	for _, c := range commands {
		if slices.Contains(c.roles, r) {
			list = append(list, c)
		}
	}
	return list
}
