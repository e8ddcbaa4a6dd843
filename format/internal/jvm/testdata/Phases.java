import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CountDownLatch;

/**
 * A program with known phases that dumps its own stacks every 10 ms as JSON
 * lines: one line per thread, with one time for all threads of a dump.
 *
 * <pre>
 * main:    parse() 400 ms, computing; pause() 300 ms, asleep; walk() 300 ms,
 *          computing at the bottom of 20 calls of descend(); then it joins worker
 *          and sleeps 30 ms
 * worker:  starts with pause(); squeeze() 600 ms, computing
 * </pre>
 *
 * Usage: java Phases.java OUT
 */
public final class Phases {
    private static final long MS = 1_000_000;
    private static volatile long sink;

    public static void main(String[] args) throws Exception {
        Recorder recorder = new Recorder(Path.of(args[0]));
        recorder.start();
        recorder.begun.await(); // its first dump is written
        parse();
        Thread worker = new Thread(Phases::squeeze, "worker");
        worker.start();
        pause();
        walk();
        worker.join();
        Thread.sleep(30); // so that the last dumps show what has ended
        recorder.done = true;
        recorder.join();
    }

    private static void parse() { spin(400); }

    private static void pause() throws InterruptedException { Thread.sleep(300); }

    private static void walk() { descend(20); }

    private static void descend(int depth) {
        if (depth > 1) {
            descend(depth - 1);
            sink++;
        } else {
            spin(300);
        }
    }

    private static void squeeze() { spin(600); }

    /** Computes for some milliseconds. */
    private static void spin(long ms) {
        long x = 88172645463325252L;
        for (long end = System.nanoTime() + ms * MS; System.nanoTime() < end; ) {
            for (int i = 0; i < 1000; i++) {
                x ^= x << 13;
                x ^= x >>> 7;
                x ^= x << 17;
            }
            sink = x;
        }
    }

    /** Writes the stacks of all other threads every 10 ms. */
    private static final class Recorder extends Thread {
        private static final long PERIOD_NS = 10 * MS;
        private final Path out;
        final CountDownLatch begun = new CountDownLatch(1);
        volatile boolean done;

        Recorder(Path out) {
            super("recorder");
            this.out = out;
        }

        @Override
        public void run() {
            try (PrintStream lines = new PrintStream(Files.newOutputStream(out), false, "UTF-8")) {
                long start = System.nanoTime();
                for (long tick = start; !done; tick += PERIOD_NS) {
                    while (System.nanoTime() < tick) {
                        Thread.sleep(0, 100_000);
                    }
                    dump(lines, (System.nanoTime() - start) / 1000);
                    begun.countDown();
                }
            } catch (IOException | InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }

        private void dump(PrintStream lines, long timeUs) {
            for (Map.Entry<Thread, StackTraceElement[]> e : Thread.getAllStackTraces().entrySet()) {
                if (e.getKey() == this) {
                    continue;
                }
                StringBuilder line = new StringBuilder();
                line.append("{\"time_us\":").append(timeUs);
                line.append(",\"thread\":\"").append(e.getKey().getName());
                line.append("\",\"tid\":").append(e.getKey().getId()).append(",\"frames\":[");
                String comma = "";
                for (StackTraceElement frame : e.getValue()) {
                    line.append(comma).append('"').append(frame).append('"');
                    comma = ",";
                }
                lines.println(line.append("]}"));
            }
        }
    }
}
