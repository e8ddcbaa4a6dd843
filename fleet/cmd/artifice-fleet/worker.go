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
		Long: `Wait on a port of this machine until a runner on it wants workers, and start a process
for each. Beside every task manager of a Flink cluster, one such pool makes Docker
needless. The submitting command is given --environment_type external
--environment_config localhost:PORT and, where the machines are several, --temp FOLDER
that all reach. A worker that ends, for want of memory for example, takes no other
with it, and the runner or the submitting command has its work done again. The pool
ends with an interrupt.`,
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
	cmd.Flags().IntVar(&port, "port", 50000, "port of this machine to wait on; 0: any that is free")
	cmd.Flags().StringVar(&address, "address", "127.0.0.1", "wait on this `ADDRESS`; whoever reaches it can have workers started and give them work, without a password")
	return cmd
}

// pool starts workers, each in a process of its own, and ends them. It implements
// Beam's ExternalWorkerPool.
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

// workerTemp is the variable that names a worker's folder for temporary files, and says
// that its standard input ends with the pool.
const workerTemp = "ARTIFICE_FLEET_WORKER_TEMP"

// tie makes a worker end with this process, however that ends, and leave nothing behind:
// it gets a pipe that nobody writes to, and a folder for temporary files, which remove
// removes.
func tie(worker *exec.Cmd) (remove func(), err error) {
	temp, remove, err := cli.TempFolder("artifice-fleet-worker")
	if err != nil {
		return func() {}, err
	}
	worker.Env = append(worker.Env, workerTemp+"="+temp, "TMPDIR="+temp, "TMP="+temp)
	_, err = worker.StdinPipe() // closed by Wait, or by the end of this process
	return remove, err
}

// endWithPool ends a worker when the pool that started it is gone.
func endWithPool() {
	temp := os.Getenv(workerTemp)
	if temp == "" {
		return // started by others, as in a container
	}
	go func() {
		io.Copy(io.Discard, os.Stdin)
		os.RemoveAll(temp)
		os.Exit(exitFailed)
	}()
}

// capabilities returns what the runner says that it can do.
func capabilities(ctx context.Context, r *fnpb.StartWorkerRequest) string {
	endpoint := r.GetProvisionEndpoint().GetUrl()
	if endpoint == "" {
		return ""
	}
	info, err := tools.ProvisionInfo(grpcx.WriteWorkerID(ctx, r.GetWorkerId()), endpoint)
	if err != nil {
		return "" // a worker does without
	}
	return strings.Join(info.GetRunnerCapabilities(), " ")
}

// StopWorker ends a worker that a runner needs no more.
func (p *pool) StopWorker(_ context.Context, r *fnpb.StopWorkerRequest) (*fnpb.StopWorkerResponse, error) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	if cancel, ok := p.workers[r.GetWorkerId()]; ok {
		cancel()
		delete(p.workers, r.GetWorkerId())
	}
	return &fnpb.StopWorkerResponse{}, nil
}
