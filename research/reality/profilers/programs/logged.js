// The logged program in JavaScript: the phases of README.md on one thread, with a log of all entries
// and exits of methods.
//
//	node logged.js SECONDS SEED 1 LOG PROFILE
//
// It starts V8's profiler after all functions have been compiled.
"use strict";
const fs = require("fs");
const { Session } = require("inspector");

const names = "root work p50 p25 p12 p6 p2 p05 deep bottom leaves leaf rest doSleep burst locked doLock";
const [ROOT, WORK, P50, P25, P12, P6, P2, P05, DEEP, BOTTOM, LEAVES, LEAF, REST, DOSLEEP, BURST] = names.split(" ").keys();
const ENTER = 0, LEAVE = 1;

const [seconds, seed, , file, profile] = [Number(process.argv[2]), Number(process.argv[3]), process.argv[4], process.argv[5], process.argv[6]];
if (!profile) {
	console.error("usage: node logged.js SECONDS SEED 1 LOG PROFILE");
	process.exit(2);
}

const log = new Float64Array(Math.ceil((seconds + 1) * 1500000));
let records = 0, start = 0, deadline = 0, random = seed * 1000 + 1 | 0;

function enter(method) { log[records++] = Math.round((performance.now() - start) * 1e6) * 256 + ENTER * 32 + method; }
function leave(method) { log[records++] = Math.round((performance.now() - start) * 1e6) * 256 + LEAVE * 32 + method; }

let sum = 0, turnsPerMicro = 1;

function turn(turns, x) {
	for (let i = turns; i > 0; i--) x = x * 0.999 + 1;
	return x;
}

// spin runs a loop for some µs, by number of iterations.
function spin(us) { sum = turn(Math.round(us * turnsPerMicro), sum); }

// calibrate measures the iterations of the loop per microsecond.
function calibrate() {
	for (let i = 0; i < 20; i++) {
		const before = performance.now();
		sum = turn(1000000, sum);
		turnsPerMicro = Math.max(i && turnsPerMicro, 1000 / (performance.now() - before));
	}
}

function below(n) { // xorshift32
	random ^= random << 13;
	random ^= random >>> 17;
	random ^= random << 5;
	return (random >>> 0) % n;
}

// around returns a random time between 0.5 and 1.5 times the mean.
function around(mean) { return mean / 2 + below(mean); }

function p50() { enter(P50); spin(around(300)); leave(P50); }
function p25() { enter(P25); spin(around(300)); leave(P25); }
function p12() { enter(P12); spin(around(300)); leave(P12); }
function p6() { enter(P6); spin(around(300)); leave(P6); }
function p2() { enter(P2); spin(around(300)); leave(P2); }
function p05() { enter(P05); spin(around(300)); leave(P05); }

function work() {
	enter(WORK);
	for (let i = 0; i < 4; i++) {
		const x = below(955);
		if (x < 500) p50();
		else if (x < 750) p25();
		else if (x < 870) p12();
		else if (x < 930) p6();
		else if (x < 950) p2();
		else p05();
	}
	leave(WORK);
}

function bottom() { enter(BOTTOM); spin(around(300)); leave(BOTTOM); }

function deep(more) {
	enter(DEEP);
	if (more > 0) deep(more - 1);
	else bottom();
	leave(DEEP);
}

function leaf() { enter(LEAF); spin(0.1); leave(LEAF); }

function leaves() {
	enter(LEAVES);
	for (let i = 0; i < 500; i++) leaf();
	leave(LEAVES);
}

const nobody = new Int32Array(new SharedArrayBuffer(4));

function doSleep() { enter(DOSLEEP); Atomics.wait(nobody, 0, 0, around(1000) / 1000); leave(DOSLEEP); }

function burst() { enter(BURST); spin(300); leave(BURST); }

function rest() {
	enter(REST);
	doSleep();
	burst();
	leave(REST);
}

function root() {
	enter(ROOT);
	while (performance.now() < deadline) {
		const x = below(100);
		if (x < 70) work();
		else if (x < 80) deep(148); // 151 frames with root and bottom
		else if (x < 90) leaves();
		else rest();
	}
	leave(ROOT);
}

function run(seconds) {
	records = 0;
	start = performance.now();
	deadline = start + seconds * 1000;
	root();
}

calibrate();
run(1); // compiles all functions
const session = new Session();
session.connect();
session.post("Profiler.enable");
session.post("Profiler.setSamplingInterval", { interval: 1000 });
session.post("Profiler.start");
const unix = BigInt(Date.now()) * 1000000n, monotonic = process.hrtime.bigint(), before = performance.now();
run(seconds);
session.post("Profiler.stop", (err, result) => {
	if (err) throw err;
	fs.writeFileSync(profile, JSON.stringify(result.profile));
});
const since = BigInt(Math.round((start - before) * 1e6));
const head = `logged 1\npid ${process.pid}\nmonotonic ${monotonic + since}\nunix ${unix + since}\nmethods ${names}\nthread ${process.pid} main ${records}\n\n`;
const words = new BigUint64Array(records);
for (let i = 0; i < records; i++) words[i] = BigInt(log[i]);
fs.writeFileSync(file, Buffer.concat([Buffer.from(head), Buffer.from(words.buffer)]));
