package main

import (
	"context"
	"flag"
	"fmt"
	"net"
	"os"
	"runtime"
	"time"

	"github.com/apache/beam/sdks/v2/go/pkg/beam/options/gcpopts"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/options/jobopts"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/runners"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/runners/universal/extworker"

	"artifice/fleet/local"
)

// chooseRunner returns the runner of Beam's flags, selects the kind of workers unless a flag does,
// and rejects jobs that cannot work. temp is the folder that all workers reach.
func chooseRunner(temp string) (string, error) {
	name, server := *runners.Runner, *jobopts.Endpoint
	switch name {
	case "", local.Name:
		if name == "" && server != "" {
			name = "universal"
			break
		}
		if server != "" || *jobopts.EnvironmentType != "" {
			return "", usagef("the files are read in this process: --endpoint and --environment_type are for other runners, see --runner")
		}
		return local.Name, nil
	case "flink", "spark", "universal":
		if server == "" {
			return "", usagef("--runner %s needs --endpoint HOST:PORT, where its job server is", name)
		}
	case "dataflow":
		return name, checkDataflow(temp)
	default:
		return "", usagef("--runner %s: want local, flink, spark, dataflow, or universal for another job server, such as Prism's", name)
	}
	near := isHere(server)
	if !near && temp == "" {
		return "", usagef("workers on other machines need --temp FOLDER that they and this machine reach, such as gs://bucket/temp")
	}
	if near && *jobopts.EnvironmentType == "" {
		*jobopts.EnvironmentType = "loopback"
	}
	chooseBinary()
	return name, nil
}

// checkDataflow rejects a job for Dataflow without the settings that Beam, or its workers alone,
// would miss later.
func checkDataflow(temp string) error {
	given := func(name string) bool { return flag.Lookup(name).Value.String() != "" }
	switch ctx := context.Background(); {
	case temp == "":
		return usagef("--runner dataflow needs --temp FOLDER that its workers and this machine reach, such as gs://bucket/temp")
	case gcpopts.GetProjectFromFlagOrEnvironment(ctx) == "":
		return usagef("--runner dataflow needs --project NAME of Google Cloud")
	case gcpopts.GetRegion(ctx) == "":
		return usagef("--runner dataflow needs --region NAME, such as europe-west1")
	case !given("staging_location"):
		return usagef("--runner dataflow needs --staging_location FOLDER for the program, such as gs://bucket/staging")
	}
	chooseBinary()
	return nil
}

// chooseBinary selects the program that is sent to workers.
func chooseBinary() {
	if *jobopts.WorkerBinary == "" && *jobopts.EnvironmentType == "external" {
		*jobopts.WorkerBinary = os.DevNull // these workers have the program
	} else if self, err := os.Executable(); *jobopts.WorkerBinary == "" && err == nil && runtime.GOOS == "linux" {
		*jobopts.WorkerBinary = self
	}
}

// startLoopback listens on the loopback interface for a job server that requests workers in this
// process, if the flags state this. Beam's own implementation leaves a temporary file.
func startLoopback(ctx context.Context) (stop func(), err error) {
	if !jobopts.IsLoopback() {
		return func() {}, nil
	}
	workers, err := extworker.StartLoopback(ctx, 0)
	if err != nil {
		return nil, err
	}
	*jobopts.EnvironmentType, *jobopts.EnvironmentConfig, *jobopts.WorkerBinary = "external", workers.EnvironmentConfig(ctx), os.DevNull
	return func() { workers.Stop(ctx) }, nil
}

// othersAnswer returns an error if the job server does not answer, because Beam would wait forever,
// and if external workers on this machine do not listen, because Prism's job server would exit.
func othersAnswer() error {
	if server := *jobopts.Endpoint; server != "" {
		if err := answers(server); err != nil {
			return fmt.Errorf("no job server answers: %w; start it again, or leave --endpoint out", err)
		}
	}
	if pool := *jobopts.EnvironmentConfig; *jobopts.EnvironmentType == "external" && isHere(pool) {
		if err := answers(pool); err != nil {
			return fmt.Errorf("there are no workers: %w; start artifice-fleet worker", err)
		}
	}
	return nil
}

// answers reports whether a server listens at a HOST:PORT.
func answers(address string) error {
	c, err := net.DialTimeout("tcp", address, 30*time.Second)
	if err != nil {
		return err
	}
	return c.Close()
}

// isHere reports whether a HOST:PORT is on this machine.
func isHere(address string) bool {
	host, _, err := net.SplitHostPort(address)
	return err == nil && (host == "localhost" || net.ParseIP(host).IsLoopback())
}
