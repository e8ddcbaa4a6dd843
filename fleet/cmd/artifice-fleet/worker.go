package main

import (
	"context"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"

	"github.com/apache/beam/sdks/v2/go/container/tools"
	fnpb "github.com/apache/beam/sdks/v2/go/pkg/beam/model/fnexecution_v1"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/util/grpcx"
	"github.com/spf13/cobra"
	"google.golang.org/grpc"

	"artifice/internal/cli"
)

func newWorker(std *stdio) *cobra.Command {
	var port int
	var address string
	cmd := &cobra.Command{
		Use:   "worker",
		Short: "Start workers for a runner on this machine",
		Long: `Listen on a port of this machine for a runner, and start a process for each worker that
it requests. With one such pool next to every task manager of a Flink cluster, Docker is
not needed. Pass --environment_type external --environment_config localhost:PORT to the
submitting command and, for several machines, --temp FOLDER that all reach. If a worker
ends, for example because memory is short, the other workers continue, and the runner or
the submitting command repeats its work. The pool ends on an interrupt.`,
		Example: `  artifice-fleet worker --port 50000
  artifice-fleet profile /shared/traces -o all.pb.gz --runner flink --endpoint flink:8099 \
      --environment_type external --environment_config localhost:50000 --temp /shared/temp`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			listener, err := net.Listen("tcp", net.JoinHostPort(address, strconv.Itoa(port)))
			if err != nil {
				return err
			}
			p := &pool{std: std, ctx: cmd.Context(), workers: map[string]context.CancelFunc{}}
			server := grpc.NewServer()
			fnpb.RegisterBeamFnExternalWorkerPoolServer(server, p)
			fmt.Fprintf(std.err, "artifice-fleet: waits for runners on %s\n", listener.Addr())
			go func() {
				<-cmd.Context().Done()
				server.Stop()
			}()
			err = server.Serve(listener)
			p.running.Wait()
			return err
		},
	}
	cmd.Flags().IntVar(&port, "port", 50000, "port to listen on; 0: any free port")
	cmd.Flags().StringVar(&address, "address", "127.0.0.1", "`ADDRESS` to listen on; there is no password: everyone who reaches it can start workers and give them work")
	return cmd
}

// pool starts workers, each in its own process, and ends them. It implements Beam's
// ExternalWorkerPool.
type pool struct {
	fnpb.UnimplementedBeamFnExternalWorkerPoolServer
	std     *stdio
	ctx     context.Context
	running sync.WaitGroup

	mutex   sync.Mutex
	workers map[string]context.CancelFunc
}

// StartWorker starts a worker for a runner.
func (p *pool) StartWorker(_ context.Context, r *fnpb.StartWorkerRequest) (*fnpb.StartWorkerResponse, error) {
	self, err := os.Executable()
	if err != nil {
		return &fnpb.StartWorkerResponse{Error: err.Error()}, nil
	}
	ctx, cancel := context.WithCancel(p.ctx)
	worker := exec.CommandContext(ctx, self, "--worker=true", "--id="+r.GetWorkerId(),
		"--logging_endpoint="+r.GetLoggingEndpoint().GetUrl(), "--control_endpoint="+r.GetControlEndpoint().GetUrl())
	worker.Stderr = p.std.err
	worker.Env = append(os.Environ(), "RUNNER_CAPABILITIES="+capabilities(ctx, r))
	remove, err := tie(worker)
	if err == nil {
		err = worker.Start()
	}
	if err != nil {
		cancel()
		remove()
		return &fnpb.StartWorkerResponse{Error: err.Error()}, nil
	}
	p.mutex.Lock()
	p.workers[r.GetWorkerId()] = cancel
	p.mutex.Unlock()
	p.std.remark("artifice-fleet: worker %s is process %d\n", r.GetWorkerId(), worker.Process.Pid)
	p.running.Go(func() {
		if err := worker.Wait(); err != nil && ctx.Err() == nil {
			fmt.Fprintf(p.std.err, "artifice-fleet: worker %s: %v\n", r.GetWorkerId(), err)
		}
		cancel()
		remove()
	})
	return &fnpb.StartWorkerResponse{}, nil
}

// workerTemp is the environment variable with the folder for a worker's temporary files. It also
// indicates that the worker's standard input ends with the pool.
const workerTemp = "ARTIFICE_FLEET_WORKER_TEMP"

// tie makes a worker end with this process, however that ends, without leaving files: the worker
// gets a pipe without writer, and a folder for temporary files, which remove deletes.
func tie(worker *exec.Cmd) (remove func(), err error) {
	temp, remove, err := cli.TempFolder("artifice-fleet-worker")
	if err != nil {
		return func() {}, err
	}
	worker.Env = append(worker.Env, workerTemp+"="+temp, "TMPDIR="+temp, "TMP="+temp)
	_, err = worker.StdinPipe() // closed by Wait, or by the end of this process
	return remove, err
}

// endWithPool ends a worker when the pool that started it has ended.
func endWithPool() {
	temp := os.Getenv(workerTemp)
	if temp == "" {
		return // not started by a pool, as in a container
	}
	go func() {
		io.Copy(io.Discard, os.Stdin)
		os.RemoveAll(temp)
		os.Exit(exitFailed)
	}()
}

// capabilities returns the capabilities of the runner.
func capabilities(ctx context.Context, r *fnpb.StartWorkerRequest) string {
	endpoint := r.GetProvisionEndpoint().GetUrl()
	if endpoint == "" {
		return ""
	}
	info, err := tools.ProvisionInfo(grpcx.WriteWorkerID(ctx, r.GetWorkerId()), endpoint)
	if err != nil {
		return "" // optional for a worker
	}
	return strings.Join(info.GetRunnerCapabilities(), " ")
}

// StopWorker ends a worker that the runner no longer needs.
func (p *pool) StopWorker(_ context.Context, r *fnpb.StopWorkerRequest) (*fnpb.StopWorkerResponse, error) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	if cancel, ok := p.workers[r.GetWorkerId()]; ok {
		cancel()
		delete(p.workers, r.GetWorkerId())
	}
	return &fnpb.StopWorkerResponse{}, nil
}
