// Times in the format of the program's output.

/** @param {number} ns */
export function intervalName(ns) { return ns < 1e6 ? `${ns / 1e3} µs` : `${ns / 1e6} ms`; }
