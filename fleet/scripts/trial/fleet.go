package main

import (
	"bufio"
	"encoding/csv"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"
)

// fleet adds up the traces on Prism while a worker is killed, writes the sum to out, and returns
// the skipped files.
func (c config) fleet(p programs, dir, out string) (left []string, err error) {
	server, err := start("--job_port", exec.Command(p.prism, "--serve_http=false", "--log_level=error"), nil)
	if err != nil {
		return nil, err
	}
	defer server.end("Prism")
	killed := make(chan int, 1)
	var first sync.Once
	pool, err := start("--port", exec.Command(p.fleet, "worker"), func(line string) {
		if m := isProcess().FindStringSubmatch(line); m != nil {
			first.Do(func() { go c.killLater(m[1], killed) })
		}
	})
	if err != nil {
		return nil, err
	}
	defer pool.end("workers' pool, with the workers that it waited for")
	list := filepath.Join(dir, "left.csv")
	cmd := exec.Command(p.fleet, "profile", filepath.Join(dir, "traces"), "-o", out, "--keep-going", "--errors", list,
		"--runner", "universal", "--endpoint", "localhost:"+server.port, "--environment_type", "external", "--environment_config", "localhost:"+pool.port)
	begun := time.Now()
	text, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	if err != nil && !(errors.As(err, &exit) && exit.ExitCode() == 1 && c.broken > 0) {
		return nil, fmt.Errorf("%s: %w: %s", cmd, err, text)
	}
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	fmt.Println(lines[len(lines)-1])
	report("submitting command", begun, cmd)
	select {
	case pid := <-killed:
		fmt.Printf("worker %d was killed, and the job submitted again %d times\n", pid, strings.Count(string(text), "is submitted again"))
	default:
		return nil, errors.New("no worker was killed: all was done before; see --kill")
	}
	if !strings.Contains(string(text), "is submitted again") {
		return nil, errors.New("the worker was killed when its work was done; see --kill")
	}
	return listedIn(list)
}

// listedIn returns the paths in a list written by --errors.
func listedIn(name string) (paths []string, err error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		return nil, err
	}
	for _, row := range rows[1:] { // after the header
		paths = append(paths, row[0])
	}
	return paths, nil
}

var isProcess = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`is process (\d+)`) })

// killLater kills a worker in the middle of its work.
func (c config) killLater(text string, killed chan<- int) {
	pid, _ := strconv.Atoi(text)
	worker, err := os.FindProcess(pid)
	if err != nil {
		return
	}
	time.Sleep(c.kill)
	if worker.Kill() == nil {
		killed <- pid
	}
}

// server is a process that listens on a port.
type server struct {
	cmd   *exec.Cmd
	port  string
	begun time.Time
}

// start starts a program with a free port in a flag, and waits until it answers. It passes the
// program's output lines to said.
func start(flag string, cmd *exec.Cmd, said func(line string)) (*server, error) {
	l, err := net.Listen("tcp", "localhost:0")
	if err != nil {
		return nil, err
	}
	_, port, _ := net.SplitHostPort(l.Addr().String())
	l.Close()
	s := &server{cmd, port, time.Now()}
	cmd.Args = append(cmd.Args, flag+"="+port)
	pipe, err := cmd.StderrPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	go func() {
		for in := bufio.NewScanner(pipe); in.Scan(); {
			if said != nil {
				said(in.Text())
			}
		}
	}()
	for range 600 {
		if c, err := net.Dial("tcp", "localhost:"+port); err == nil {
			c.Close()
			return s, nil
		}
		time.Sleep(100 * time.Millisecond)
	}
	cmd.Process.Kill()
	cmd.Wait()
	return nil, fmt.Errorf("%s does not answer", cmd)
}

// end ends the program, and prints its time and memory.
func (s *server) end(what string) {
	s.cmd.Process.Signal(os.Interrupt)
	late := time.AfterFunc(10*time.Second, func() { s.cmd.Process.Kill() })
	defer late.Stop()
	s.cmd.Wait()
	report(what, s.begun, s.cmd)
}
