// A plot of curves. Its points can be selected with the mouse or the keyboard.

/** @typedef {{x: number, y: number, name: string, low?: number, high?: number, choose?: () => void}} Point */
/** @typedef {{name: string, points: Point[], alone?: boolean}} Series alone: the points are not connected */
/** @typedef {{label: string, ticks: number[], format: (v: number) => string, log?: boolean}} Axis from the first to the last tick */

const space = { left: 48, right: 12, top: 26, bottom: 40 };

/** @param {string} kind @param {Record<string, string | number>} [attributes] @param {string} [text] */
function svg(kind, attributes = {}, text = "") {
	const e = document.createElementNS("http://www.w3.org/2000/svg", kind);
	for (const [name, value] of Object.entries(attributes)) e.setAttribute(name, String(value));
	if (text) e.textContent = text;
	return e;
}

/** Returns the position of a value on an axis, from 0 to 1. @param {Axis} a @param {number} v */
function place(a, v) {
	const first = a.ticks[0], last = a.ticks[a.ticks.length - 1];
	const share = a.log ? Math.log(v / first) / Math.log(last / first) : (v - first) / (last - first);
	return Math.max(0, Math.min(1, share));
}

/** Draws a plot with the width of its host. @param {HTMLElement} host @param {string} title @param {Axis} xAxis @param {Axis} yAxis @param {Series[]} series @param {number} [marked] x of a vertical line */
export function plot(host, title, xAxis, yAxis, series, marked) {
	const width = Math.max(300, host.clientWidth), height = Math.max(230, Math.min(320, Math.round(width * .6)));
	const root = svg("svg", { viewBox: `0 0 ${width} ${height}`, width, height, role: "group", "aria-label": title });
	const x = (/** @type {number} */ v) => space.left + place(xAxis, v) * (width - space.left - space.right);
	const y = (/** @type {number} */ v) => height - space.bottom - place(yAxis, v) * (height - space.top - space.bottom);
	for (const v of yAxis.ticks) {
		root.append(svg("line", { x1: space.left, x2: width - space.right, y1: y(v), y2: y(v), class: "grid" }));
		root.append(svg("text", { x: space.left - 6, y: y(v) + 4, "text-anchor": "end" }, yAxis.format(v)));
	}
	let free = -Infinity;
	for (const v of xAxis.ticks) {
		root.append(svg("line", { x1: x(v), x2: x(v), y1: space.top, y2: height - space.bottom, class: "grid" }));
		const text = xAxis.format(v), half = 3.6 * text.length;
		if (x(v) - half < free) continue;
		free = x(v) + half + 4;
		root.append(svg("text", { x: Math.min(x(v), width - half), y: height - space.bottom + 16, "text-anchor": "middle" }, text));
	}
	root.append(svg("text", { x: (space.left + width - space.right) / 2, y: height - 6, "text-anchor": "middle", class: "label" }, xAxis.label));
	root.append(svg("text", { x: 0, y: 12, class: "label" }, yAxis.label));
	if (marked !== undefined) root.append(svg("line", { x1: x(marked), x2: x(marked), y1: space.top, y2: height - space.bottom, class: "marked" }));
	series.forEach((s, i) => {
		const kind = `series series${i % 5}`;
		if (!s.alone) root.append(svg("polyline", { points: s.points.map((p) => `${x(p.x)},${y(p.y)}`).join(" "), class: kind }));
		for (const p of s.points) if (p.choose || s.alone) root.append(pointOf(p, x(p.x), y, kind));
	});
	host.replaceChildren(root, legend(series));
}

/** @param {Point} p @param {number} x @param {(v: number) => number} y @param {string} kind */
function pointOf(p, x, y, kind) {
	const g = svg("g", { class: kind });
	if (p.low !== undefined && p.high !== undefined) g.append(svg("line", { x1: x, x2: x, y1: y(p.low), y2: y(p.high) }));
	const dot = svg("circle", { cx: x, cy: y(p.y), r: 6 });
	dot.append(svg("title", {}, p.name));
	g.append(dot);
	const { choose } = p;
	if (!choose) return g;
	dot.setAttribute("tabindex", "0");
	dot.setAttribute("role", "button");
	dot.setAttribute("aria-label", p.name);
	dot.addEventListener("click", choose);
	dot.addEventListener("keydown", (e) => {
		const { key } = /** @type {KeyboardEvent} */ (e);
		if (key !== "Enter" && key !== " ") return;
		choose();
		e.preventDefault();
	});
	return g;
}

/** @param {Series[]} series */
function legend(series) {
	const list = document.createElement("ul");
	list.className = "legend";
	series.forEach((s, i) => {
		const item = document.createElement("li"), mark = document.createElement("span");
		mark.className = `key key${i % 5}`;
		item.append(mark, s.name);
		list.append(item);
	});
	return list;
}
