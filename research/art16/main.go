// Command art16 runs the runtime of Android 16 for this machine, with the launcher of
// research/internal/art11, and compares the emulation with it.
//
//	go run ./art16 -o FOLDER -matrix .           # trace the truths of research/art with ART and artifice
//	go run ./art16 -o FOLDER -random 1000        # random truths: those of research/art, all kinds
//	go run ./art16 -o FOLDER -run SCRIPT [-v2] [-nterp]
//
// This project contains no part of ART, no program with a part of it and no means to build one.
// FOLDER contains launcher (one program that contains ART except its compiler and its reader of zip
// files), core.dex (the core library) and app.dex (the methods of a truth: those of
// research/internal/art11).
//
// SCRIPT is the script that research/internal/art11 writes for a truth and tracing options: see its
// launcher's script.c. Its first line names ART's output file. Methods run in ART's plain
// interpreter, or with -nterp in nterp, as in a release build of an app. The command prints the
// addresses of the methods, by number.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"

	"artifice/research/internal/art11"
)

func main() {
	out := flag.String("o", "", "`folder` of the runtime")
	script := flag.String("run", "", "`script` to run")
	match := flag.String("matrix", "", "compare the emulation with it, on truths with a name that matches this `regexp`")
	random := flag.Int("random", 0, "compare the emulation with it on this `number` of random truths")
	v2 := flag.Bool("v2", false, "write format V2")
	nterp := flag.Bool("nterp", false, "run methods in nterp")
	flag.Parse()
	err := errors.New("-o FOLDER and one of -matrix, -random and -run are required")
	switch {
	case *out == "":
	case *match != "":
		err = compare(*out, *match)
	case *random > 0:
		err = compareRandom(*out, *random)
	case *script != "":
		err = launch(*out, *script, *v2, *nterp)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "art16:", err)
		os.Exit(1)
	}
}

// launch runs a script; the launcher's output is the command's.
func launch(home, script string, v2, nterp bool) error {
	data, err := os.MkdirTemp("", "art16")
	if err != nil {
		return err
	}
	defer os.RemoveAll(data)
	cmd := launcher(context.Background(), home, script, data, nterp, v2)
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	return cmd.Run()
}

// launcher returns the process that runs a script on the runtime in the folder home.
func launcher(ctx context.Context, home, script, data string, nterp, v2 bool) *exec.Cmd {
	if full, err := filepath.Abs(home); err == nil { // otherwise there is no working directory
		home = full
	}
	classes := filepath.Join(home, "core.dex") + ":" + filepath.Join(home, "app.dex")
	args := []string{script, "-Xbootclasspath:" + classes, "-Xbootclasspath-locations:" + classes,
		"-Ximage:/nonexistent/boot.art", "-XjdwpProvider:none", "-Xusejit:false", art11.NoSpinning}
	if nterp {
		args = append(args, "-Xverify:all") // nterp does not run unverified methods
	} else {
		args = append(args, "-Xverify:none", "-Xint")
	}
	cmd := exec.CommandContext(ctx, filepath.Join(home, "launcher"), args...)
	cmd.Env = append(os.Environ(), "ANDROID_DATA="+data)
	for _, name := range []string{"ROOT", "ART_ROOT", "I18N_ROOT", "TZDATA_ROOT"} {
		cmd.Env = append(cmd.Env, "ANDROID_"+name+"="+home)
	}
	if v2 {
		cmd.Env = append(cmd.Env, "ART16_V2=1")
	}
	return cmd
}
