// Times as the program writes them.

/** @param {number} ns */
export function intervalName(ns) { return ns < 1e6 ? `${ns / 1e3} µs` : `${ns / 1e6} ms`; }

/** Returns a time in ms. @param {number} ns */
export function milliseconds(ns) { return `${(ns / 1e6).toPrecision(3).replace(/^(\d+)\.0+$/, "$1").replace(/e\+\d+$/, "")} ms`; }
