package main

import (
	"path/filepath"
	"strings"
	"testing"
)

// TestWrongUsage runs commands with flags that exclude each other or have a wrong value. Each is
// wrong usage, and the first line of the message states the reason.
func TestWrongUsage(t *testing.T) {
	t.Chdir(t.TempDir())
	for name, clock := range map[string]string{"both.txt": "dual", "wall.txt": "wall", "cpu.txt": "thread-cpu"} {
		writeCall(t, name, clock)
	}
	for _, c := range []struct{ args, want string }{
		{"diff both.txt", "diff needs --to NEW... after the OLD traces"},
		{"diff both.txt --to wall.txt --sort x", `--sort "x": must be self or total`},
		{"diff both.txt --to wall.txt --until x", `--until: end "x": must be one of end, last, stop`},
		{"report both.txt --graph x.dot --clock running", "--clock running does not apply to --graph: use wall or cpu"},
		{"report both.txt --graph x.dot --by thread", "--by thread does not apply to --graph: threads do not call each other"},
		{"report wall.txt --clock cpu", "--clock cpu: the trace has only the clock wall"},
		{"report cpu.txt --clock wall", "--clock wall: the trace has only the clock thread-cpu"},
		{"report both.txt --by x", `--by: row "x": must be one of method, class, package, thread`},
		{"report both.txt --cut 101", "--cut 101: must be from 0 to 100"},
		{"report both.txt --until x", `--until: end "x": must be one of end, last, stop`},
		{"convert both.txt -o x.trace --exact --portable", "--portable completes names and --exact keeps them; use only one of them"},
		{"convert both.txt -o x.folded --exact", "--exact applies to method traces, but x.folded is written as folded"},
		{"view both.txt --ranges", "--ranges needs -o: a served page computes the intervals of every range"},
		{"view both.txt --sample 1ns -o x.html", "--sample 1ns: must be from 1us to 10000h"},
		{"view both.txt --until x -o x.html", `--until: end "x": must be one of end, last, stop`},
		{"view both.txt --until x --port 0", `--until: end "x": must be one of end, last, stop`},
		{"record both.txt -o x.trace --clock x", "--clock x: must be dual, wall or thread-cpu"},
		{"record both.txt -o x.trace --interval 1ns", "--interval 1ns: must be from 1us to 10000h"},
		{"plan both.txt wall.txt --method main", "both.txt has the clock dual, and wall.txt the clock wall: use traces that were recorded alike"},
		{"plan scroll-60hz w3-on-off --method main", "w3-on-off: plan itself runs an app several times: pass a single app, or traces"},
		{"lab", "lab needs -o: the page to write, such as -o lab.html"},
	} {
		status, stdout, stderr := artifice(strings.Fields(c.args)...)
		first, _, _ := strings.Cut(stderr, "\n")
		if status != exitUsage || stdout != "" || first != "artifice: "+c.want {
			t.Errorf("artifice %s: status %d, %q, want status %d, %q", c.args, status, first, exitUsage, c.want)
		}
	}
	if left, err := filepath.Glob("x.*"); err != nil || len(left) > 0 {
		t.Errorf("files were written: %v %v", left, err)
	}
}

// writeCall writes a trace of one call, of 7 ms from 1 ms on, with a clock.
func writeCall(t *testing.T, name, clock string) {
	t.Helper()
	times := map[string][2]string{"dual": {"1000000 1000000", "8000000 8000000"}, "wall": {"1000000 -", "8000000 -"}, "thread-cpu": {"- 1000000", "- 8000000"}}[clock]
	writeFile(t, name, "info\tclock\t"+clock+"\nthread\t1\tmain\nmethod\t0x4\tapp.Main\tmain\t()V\tMain.java\t3\n"+
		times[0]+" 1 enter app.Main.main()V\n"+times[1]+" 1 exit app.Main.main()V\n")
}
