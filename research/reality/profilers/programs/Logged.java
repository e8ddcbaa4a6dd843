import java.io.*;
import java.nio.*;
import java.nio.file.*;
import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;
import jdk.jfr.Recording;

/**
 * The logged program in Java: threads that do the phases of README.md and write down when they
 * enter and leave each method.
 *
 *	java Logged SECONDS SEED THREADS LOG RECORDING
 *
 * It starts the Flight Recorder itself, once everything is compiled.
 */
public final class Logged extends Thread {
	static final int ROOT = 0, WORK = 1, P50 = 2, P25 = 3, P12 = 4, P6 = 5, P2 = 6, P05 = 7, DEEP = 8, BOTTOM = 9,
		LEAVES = 10, LEAF = 11, REST = 12, DOSLEEP = 13, BURST = 14, LOCKED = 15, DOLOCK = 16;
	static final String NAMES = "root work p50 p25 p12 p6 p2 p05 deep bottom leaves leaf rest doSleep burst locked doLock";

	static long start, deadline;
	static final ReentrantLock lock = new ReentrantLock();

	final long[] log;
	int records;
	long random;

	Logged(String name, int room, long random) {
		super(name);
		log = new long[room];
		this.random = random;
	}

	void enter(int method) {
		log[records++] = System.nanoTime() - start << 8 | method;
	}

	void leave(int method) {
		log[records++] = System.nanoTime() - start << 8 | 1 << 5 | method;
	}

	static double turnsPerNano = 1;
	double sum;

	/** Works for some ns, by turns of a loop: while a thread looks at the clock JFR finds no stack. */
	void spin(long ns) {
		sum = turn((long) (ns * turnsPerNano), sum);
	}

	static double turn(long turns, double x) {
		for (long i = turns; i > 0; i--) x = x * 0.999 + 1;
		return x;
	}

	/** Measures how many turns a nanosecond has. */
	void calibrate() {
		double most = 0;
		for (int i = 0; i < 20; i++) {
			long before = System.nanoTime();
			sum = turn(1_000_000, sum);
			most = Math.max(most, 1e6 / (System.nanoTime() - before));
		}
		turnsPerNano = most;
	}

	long draw() { // xorshift64
		random ^= random << 13;
		random ^= random >>> 7;
		return random ^= random << 17;
	}

	int below(int n) {
		return (int) Long.remainderUnsigned(draw(), n);
	}

	/** A time of that mean, from half of it to one and a half. */
	long around(int mean) {
		return mean / 2 + below(mean);
	}

	void p50() { enter(P50); spin(around(300_000)); leave(P50); }
	void p25() { enter(P25); spin(around(300_000)); leave(P25); }
	void p12() { enter(P12); spin(around(300_000)); leave(P12); }
	void p6() { enter(P6); spin(around(300_000)); leave(P6); }
	void p2() { enter(P2); spin(around(300_000)); leave(P2); }
	void p05() { enter(P05); spin(around(300_000)); leave(P05); }

	void work() {
		enter(WORK);
		for (int i = 0; i < 4; i++) {
			int x = below(955);
			if (x < 500) p50();
			else if (x < 750) p25();
			else if (x < 870) p12();
			else if (x < 930) p6();
			else if (x < 950) p2();
			else p05();
		}
		leave(WORK);
	}

	void bottom() { enter(BOTTOM); spin(around(300_000)); leave(BOTTOM); }

	void deep(int more) {
		enter(DEEP);
		if (more > 0) deep(more - 1);
		else bottom();
		leave(DEEP);
	}

	void leaf() { enter(LEAF); spin(100); leave(LEAF); }

	void leaves() {
		enter(LEAVES);
		for (int i = 0; i < 1000; i++) leaf();
		leave(LEAVES);
	}

	void doSleep() {
		enter(DOSLEEP);
		java.util.concurrent.locks.LockSupport.parkNanos(around(1_000_000));
		leave(DOSLEEP);
	}

	void burst() { enter(BURST); spin(300_000); leave(BURST); }

	void rest() {
		enter(REST);
		doSleep();
		burst();
		leave(REST);
	}

	void doLock() { enter(DOLOCK); lock.lock(); leave(DOLOCK); }

	void locked() {
		enter(LOCKED);
		doLock();
		spin(around(200_000));
		lock.unlock();
		leave(LOCKED);
	}

	void root() {
		enter(ROOT);
		while (System.nanoTime() < deadline && records < log.length - 5_000) {
			int x = below(100);
			if (x < 60) work();
			else if (x < 70) deep(148); // 151 frames with root and bottom
			else if (x < 80) leaves();
			else if (x < 90) rest();
			else locked();
		}
		leave(ROOT);
	}

	@Override public void run() { root(); }

	/** Runs the threads until a time from now, and returns them. */
	static Logged[] go(String name, double seconds, long seed, int threads) throws Exception {
		Logged[] all = new Logged[threads];
		for (int i = 0; i < threads; i++)
			all[i] = new Logged(name + i, (int) (seconds * 1_500_000) + 10_000, (seed * 1000 + i + 1) * 0x9e3779b97f4a7c15L);
		start = System.nanoTime();
		deadline = start + (long) (seconds * 1e9);
		for (Logged t : all) t.start();
		for (Logged t : all) t.join();
		return all;
	}

	public static void main(String[] args) throws Exception {
		boolean cpu = args.length == 6 && args[5].equals("jdk.CPUTimeSample");
		if (args.length != 5 && !cpu) {
			System.err.println("usage: java Logged SECONDS SEED THREADS LOG RECORDING [jdk.CPUTimeSample]");
			System.exit(2);
		}
		int threads = Integer.parseInt(args[2]);
		new Logged("", 0, 1).calibrate();
		go("warm", 1, 77, threads); // all is compiled then
		long unix = System.currentTimeMillis() * 1_000_000;
		long before = System.nanoTime();
		Recording recording = new Recording();
		if (cpu) recording.enable("jdk.CPUTimeSample").with("throttle", "10ms");
		else {
			recording.enable("jdk.ExecutionSample").withPeriod(Duration.ofMillis(10));
			recording.enable("jdk.NativeMethodSample").withPeriod(Duration.ofMillis(10));
		}
		recording.start();
		Logged[] all = go("worker", Double.parseDouble(args[0]), Long.parseLong(args[1]), threads);
		recording.stop();
		recording.dump(Path.of(args[4]));
		unix += start - before;
		try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(Path.of(args[3])))) {
			StringBuilder head = new StringBuilder("logged 1\npid " + ProcessHandle.current().pid() + "\nmonotonic " + start + "\nunix " + unix + "\nmethods " + NAMES + "\n");
			for (Logged t : all) head.append("thread " + t.getId() + " " + t.getName() + " " + t.records + "\n");
			out.write(head.append('\n').toString().getBytes());
			for (Logged t : all) {
				ByteBuffer b = ByteBuffer.allocate(8 * t.records).order(ByteOrder.LITTLE_ENDIAN);
				b.asLongBuffer().put(t.log, 0, t.records);
				out.write(b.array());
			}
		}
	}
}
