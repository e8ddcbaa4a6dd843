// Formatting and parsing of times. The page measures time in units that the header defines.

/** @type {[string, number][]} units and their lengths in the smallest unit */
export let scales = [["s", 1e9], ["ms", 1e6], ["µs", 1e3], ["ns", 1]];

export let unitNS = 1; // nanoseconds per unit

/** @param {number} ns @param {string} [amounts] unit of values that are not times */
export function countIn(ns, amounts) {
	unitNS = ns;
	if (amounts) scales = amounts === "bytes" ? [["GB", 1e9], ["MB", 1e6], ["kB", 1e3], ["B", 1]] : [[amounts === "count" ? "" : amounts, 1]];
}

/** Formats a duration with four digits. @param {number} units */
export function formatTime(units) {
	const ns = units * unitNS, size = Math.abs(ns);
	if (size === 0) return `0 ${scales[0][0] === "s" ? "s" : scales[scales.length - 1][0]}`.trim();
	for (const [name, scale] of scales) {
		if (size >= scale || scale === 1) {
			const value = ns / scale, digits = Math.max(0, 3 - Math.floor(Math.log10(Math.max(1, Math.abs(value)))));
			return `${+value.toFixed(scale === 1 ? 0 : digits)} ${name}`.trim();
		}
	}
	return "";
}

/** Formats an interval with three digits, such as 45.7–240 ms. @param {number} low @param {number} high units */
export function formatInterval(low, high) {
	const three = (/** @type {number} */ units) => formatTime(Number(units.toPrecision(3))), [from, to] = [three(low), three(high)];
	return low === 0 || from.split(" ")[1] === to.split(" ")[1] ? `${from.split(" ")[0]}–${to}` : `${from}–${to}`;
}

/** Parses a time such as 1.5 ms, 1,5 ms or 0:01.5 (minutes and seconds, optionally hours); returns units, null if text is not a time. @param {string} text @param {string} [bare] unit of a number without unit */
export function parseTime(text, bare = "ms") {
	const clock = /^\s*(?:(\d+):)?(\d+):([0-5]?\d(?:[.,]\d*)?)\s*$/.exec(text);
	if (clock) return (Number(clock[1] ?? 0) * 3600 + Number(clock[2]) * 60 + Number(clock[3].replace(",", "."))) * 1e9 / unitNS;
	const m = /^\s*(\d*[.,]?\d+(?:e-?\d+)?)\s*(\p{L}+)?\s*$/iu.exec(text);
	if (!m) return null;
	const name = (m[2] ?? bare).toLowerCase().replace(/^[uμ]s$/, "µs");
	const scale = scales.find(([n]) => n.toLowerCase() === name)?.[1] ?? (m[2] ? null : scales.length > 3 && scales[0][0] === "s" ? 1e6 : 1);
	if (scale === null) return null;
	return Number(m[1].replace(",", ".")) * scale / unitNS;
}

/** Returns the step of a ruler: 1, 2 or 5 times a power of ten, at least the given one. @param {number} least units */
export function tickStep(least) {
	const power = 10 ** Math.floor(Math.log10(least * unitNS));
	const step = [1, 2, 5, 10].find((k) => k * power >= least * unitNS * (1 - 1e-9)) ?? 10;
	return Math.max(1, step * power) / unitNS;
}

/** @param {number} n */
export function formatCount(n) { return n.toLocaleString("en"); }

/** @param {number} n @param {string} one @param {string} [many] */
export function counted(n, one, many) { return `${formatCount(n)} ${n === 1 ? one : many ?? one + "s"}`; }

/** @param {number} part @param {number} whole */
export function percent(part, whole) {
	if (!whole) return "";
	const p = 100 * part / whole;
	return `${p.toFixed(p >= 99.95 ? 0 : 1)} %`;
}
