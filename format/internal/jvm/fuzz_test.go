package jvm_test

import (
	"testing"

	"artifice/format/internal/formattest"
	"artifice/format/internal/jvm"
)

// seeds are small files of the format.
var seeds = []string{
	formattest.JVM("2025-12-22 16:10:17", `"main" #1 [42] prio=5 os_prio=31 cpu=12.90ms elapsed=5.65s tid=0x1 nid=42 runnable  [0x0]`, "\tat a.B$$Lambda/0x1.f(java.base@25/B.java:1)\n\t- locked <0x1> (a X)\n   Mounted virtual thread #7\n\tat b\n"),
	"Full thread dump x\n_java_thread_list=0x1, elements={\n}\nos_prio=1 tid=0x1 nid=1\n\nFound one Java-level deadlock:\n",
}

func FuzzJVM(f *testing.F) { formattest.FuzzDumps(f, jvm.Format, seeds...) }

func TestCutJVM(t *testing.T) { formattest.CutDumps(t, jvm.Format, seeds...) }

// textSeeds are small files of the format.
var textSeeds = []string{
	"7\n2025-06-10T00:49:22.146091Z\n21\n\n#1 \"main\"\n      a.B.f(B.java:1)\n      - locked <x>\n\n#22 \"\" virtual\n\n8\n2025-06-10T00:49:23Z\n21\n\n#1 \"m\" RUNNABLE 2025\n      f\n",
}

func FuzzText(f *testing.F) { formattest.FuzzDumps(f, jvm.Text, textSeeds...) }

func TestCutText(t *testing.T) { formattest.CutDumps(t, jvm.Text, textSeeds...) }

// jsonSeeds are small files of the format.
var jsonSeeds = []string{
	`{"threadDump":{"processId":"1","time":"2025-06-10T00:49:22.146091Z","threadContainers":[{"threads":[{"tid":"1","name":"m","virtual":true,"stack":["a.B.f(B.java:1)"]}]},null]}}{"threadDump":null}`,
}

func FuzzJSON(f *testing.F) { formattest.FuzzDumps(f, jvm.JSON, jsonSeeds...) }

func TestCutJSON(t *testing.T) { formattest.CutDumps(t, jvm.JSON, jsonSeeds...) }
