// Tables that can be sorted by any column, with optional child rows, keyboard navigation, and copying
// as text.

import { cut } from "./elements.js";
import { book, pickMethod, shown, tell } from "./state.js";
import { formatCount } from "./units.js";

/**
 * @template R
 * @typedef {object} TableColumn
 * @property {string} name
 * @property {string} [about]
 * @property {boolean} [text] left-aligned; the first click sorts in ascending order
 * @property {"medium" | "wide"} [room] the minimum screen width for the column; absent: also on phones
 * @property {boolean} [tree] has the indentation and the fold buttons
 * @property {(row: R) => string} show
 * @property {(row: R) => number | string} sort
 * @property {(row: R, cell: HTMLTableCellElement) => void} [draw] draws the cell instead of the text
 */
/**
 * @template R
 * @typedef {object} TableParts
 * @property {string} label
 * @property {TableColumn<R>[]} columns
 * @property {number} sorted index of the initial sort column
 * @property {(row: R) => R[]} [below]
 * @property {(row: R) => number} [method] method of a row; -1: none
 * @property {(row: R) => void} [pick] called instead of selecting the method
 * @property {string} [empty] text of a table without rows
 * @property {boolean} [keep] also shows rows that do not match the search
 */

const pageRows = 200; // rows that are shown at once

/** A phone's screen, on which methods are shown without their package. */
const narrow = matchMedia("(max-width: 40rem)");

/** A screen too small for notes that repeat what the columns show. */
export const small = matchMedia("(max-width: 40rem), (max-height: 32rem)");

/** Draws a name. If it does not fit, its beginning is cut off. @param {HTMLTableCellElement} cell @param {string} text @param {number} method of the row; -1: none */
function drawName(cell, text, method) {
	const room = document.createElement("span"), name = document.createElement("bdi");
	const short = narrow.matches && text === book.methods[method] ? book.short[method] : "", overload = short && text.endsWith(")") && !short.endsWith(")");
	name.textContent = cut(short || text);
	room.className = "end";
	room.append(name);
	if (overload) { // if there is no room, the parameters are cut off first
		const both = document.createElement("span"), parameters = document.createElement("span");
		both.className = "overload";
		parameters.className = "parameters";
		parameters.textContent = cut(text.slice(text.lastIndexOf("(")));
		both.append(room, parameters);
		cell.append(both);
	} else cell.append(room);
	cell.className = "text";
	cell.title = text.slice(0, 1000);
}

/** @template R */
export class Table {
	/** @param {TableParts<R>} parts */
	constructor(parts) {
		this.parts = parts;
		this.sorted = parts.sorted;
		this.up = Boolean(parts.columns[parts.sorted].text);
		/** @type {R[]} */
		this.rows = [];
		/** @type {Set<R>} */
		this.open = new Set();
		this.most = pageRows;
		this.table = document.createElement("table");
		this.table.setAttribute("role", parts.below ? "treegrid" : "grid");
		this.table.setAttribute("aria-label", parts.label);
		this.head = this.table.createTHead().insertRow();
		this.body = this.table.createTBody();
		this.more = document.createElement("button");
		this.more.type = "button";
		this.more.className = "more";
		this.more.addEventListener("click", () => {
			this.most += 5 * pageRows;
			this.draw();
		});
		/** @type {{row: R, level: number}[]} */
		this.visible = [];
		this.makeHead();
		this.table.addEventListener("keydown", (e) => this.key(e));
		this.table.addEventListener("click", (e) => this.click(e));
	}

	/** @param {HTMLElement} host */
	mount(host) {
		const scroll = document.createElement("div");
		scroll.className = "scroll";
		scroll.tabIndex = -1; // Firefox makes scrollable elements tab stops; the rows are one
		scroll.append(this.table, this.more);
		host.append(scroll);
		return this;
	}

	makeHead() {
		this.parts.columns.forEach((column, i) => {
			const th = document.createElement("th"), button = document.createElement("button");
			th.scope = "col";
			th.className = column.text ? "text" : "";
			if (column.room) th.classList.add(column.room);
			button.type = "button";
			button.textContent = column.name;
			if (column.about) button.title = column.about;
			button.addEventListener("click", () => {
				const up = this.sorted === i ? !this.up : Boolean(column.text);
				shown.sorts[this.parts.label] = (up ? "" : "-") + column.name;
				tell("sort");
				this.draw();
			});
			th.append(button);
			this.head.append(th);
		});
	}

	/** Applies the sort order in the page's state, or else the initial one. */
	takeOrder() {
		const { columns, label, sorted } = this.parts, order = shown.sorts[label] ?? "", name = order.replace(/^-/, "");
		const i = columns.findIndex((c) => c.name === name);
		this.sorted = i < 0 ? sorted : i;
		this.up = i < 0 ? Boolean(columns[sorted].text) : !order.startsWith("-");
	}

	/** @param {R[]} rows */
	show(rows) {
		this.rows = rows;
		this.draw();
	}

	/** @param {R[]} rows */
	inOrder(rows) {
		const { sort } = this.parts.columns[this.sorted], sign = this.up ? 1 : -1;
		return rows.map((row, i) => ({ row, i, key: sort(row) })).sort((a, b) => {
			const d = typeof a.key === "string" ? a.key.localeCompare(String(b.key)) : a.key - Number(b.key);
			return sign * d || a.i - b.i;
		}).map((x) => x.row);
	}

	/** Returns all unfolded rows in order. */
	flat() {
		/** @type {{row: R, level: number}[]} */
		const all = [], due = this.inOrder(this.listed()).map((row) => ({ row, level: 0 })).reverse();
		for (let at = due.pop(); at; at = due.pop()) {
			all.push(at);
			if (!this.parts.below || !this.open.has(at.row)) continue;
			const below = this.inOrder(this.parts.below(at.row));
			for (let i = below.length - 1; i >= 0; i--) due.push({ row: below[i], level: at.level + 1 });
		}
		return all;
	}

	/** Returns the outermost rows; during a search, only matches. */
	listed() {
		const { below, keep, method } = this.parts;
		return shown.found && !below && !keep && method ? this.rows.filter((r) => this.isFound(r)) : this.rows;
	}

	/** @param {R} row */
	isFound(row) {
		const m = this.parts.method?.(row) ?? -1;
		return !shown.found || m >= 0 && shown.found[m] === 1;
	}

	draw() {
		const { columns } = this.parts, focus = this.focused();
		this.takeOrder();
		[...this.head.cells].forEach((th, i) => {
			if (i === this.sorted) th.setAttribute("aria-sort", this.up ? "ascending" : "descending");
			else th.removeAttribute("aria-sort");
		});
		this.visible = this.flat();
		this.body.replaceChildren(...this.visible.slice(0, this.most).map((v, i) => this.rowOf(v.row, v.level, i)));
		if (!this.visible.length) {
			const cell = this.body.insertRow().insertCell();
			cell.colSpan = columns.length;
			cell.className = "empty";
			cell.textContent = shown.found && this.rows.length ? "No match in this list." : this.parts.empty ?? "No calls here.";
		}
		this.more.hidden = this.visible.length <= this.most;
		this.more.textContent = `${formatCount(this.visible.length - this.most)} more`;
		this.focusRow(focus, false);
	}

	/** @param {R} row @param {number} level @param {number} index */
	rowOf(row, level, index) {
		const tr = document.createElement("tr"), { columns, below, method } = this.parts;
		tr.tabIndex = index === 0 ? 0 : -1;
		tr.dataset.index = String(index);
		const m = method?.(row) ?? -1;
		if (m >= 0 && m === shown.method) tr.setAttribute("aria-selected", "true");
		if (shown.found && (below || this.parts.keep)) tr.className = this.isFound(row) ? "found" : "lost";
		const children = below?.(row).length ?? 0;
		if (below) tr.setAttribute("aria-level", String(level + 1));
		if (children) tr.setAttribute("aria-expanded", String(this.open.has(row)));
		for (const column of columns) {
			const td = tr.insertCell();
			if (column.tree) {
				td.style.paddingInlineStart = `${Math.min(level, 60) * .8 + 1.4}rem`;
				if (children) td.append(twisty());
			}
			if (column.draw) column.draw(row, td);
			else if (column.text) drawName(td, column.show(row), m);
			else td.append(cut(column.show(row)));
			if (column.room) td.classList.add(column.room);
		}
		return tr;
	}

	/** Scrolls to the first match. */
	showFound() {
		const at = this.visible.findIndex((v) => this.isFound(v.row));
		if (at >= this.most) {
			this.most = at + pageRows;
			this.draw();
		}
		this.body.rows[at]?.scrollIntoView({ block: "center" });
	}

	/** @param {MouseEvent} e */
	click(e) {
		const at = e.target instanceof Element ? e.target : null, tr = at?.closest("tbody tr");
		if (!(tr instanceof HTMLTableRowElement) || tr.dataset.index === undefined) return;
		const i = Number(tr.dataset.index);
		if (at?.closest(".twisty")) this.unfold(i, !this.open.has(this.visible[i].row));
		else this.pick(i);
	}

	/** @param {number} i */
	pick(i) {
		const { row } = this.visible[i] ?? {}, { pick, method } = this.parts;
		if (!row) return;
		this.focusRow(i, true);
		if (pick) pick(row);
		else if (method && method(row) >= 0) pickMethod(method(row));
	}

	/** @param {number} i @param {boolean} open */
	unfold(i, open) {
		const { row } = this.visible[i];
		if (open) this.open.add(row);
		else this.open.delete(row);
		this.draw();
		this.focusRow(i, true);
	}

	focused() {
		const at = document.activeElement;
		return at instanceof HTMLTableRowElement && this.body.contains(at) ? Number(at.dataset.index) : -1;
	}

	/** @param {number} i @param {boolean} always */
	focusRow(i, always) {
		const tr = this.body.rows[i];
		if (i < 0 || !tr || !always && document.activeElement !== document.body) return;
		for (const row of this.body.rows) row.tabIndex = -1;
		tr.tabIndex = 0;
		tr.focus({ preventScroll: false });
	}

	/** @param {KeyboardEvent} e */
	key(e) {
		const i = this.focused(), v = this.visible[i];
		if (i < 0 || !v || e.ctrlKey || e.metaKey || e.altKey) return;
		const open = this.open.has(v.row), has = Boolean(this.parts.below?.(v.row).length);
		if (e.key === "ArrowDown") this.focusRow(Math.min(i + 1, this.body.rows.length - 1), true);
		else if (e.key === "ArrowUp") this.focusRow(Math.max(0, i - 1), true);
		else if (e.key === "Home") this.focusRow(0, true);
		else if (e.key === "End") this.focusRow(this.body.rows.length - 1, true);
		else if (e.key === "ArrowRight" && has) open ? this.focusRow(i + 1, true) : this.unfold(i, true);
		else if (e.key === "ArrowLeft" && open) this.unfold(i, false);
		else if (e.key === "ArrowLeft") this.focusRow(this.visible.findLastIndex((w, k) => k < i && w.level < v.level), true);
		else if (e.key === "Enter" || e.key === " ") this.pick(i);
		else return;
		e.preventDefault();
		e.stopPropagation();
	}

	/** Returns all unfolded rows as text, with columns separated by tabs. */
	text() {
		const { columns } = this.parts, plain = (/** @type {string} */ s) => s.replace(/[\t\r\n]/g, " ");
		const lines = this.visible.map(({ row, level }) => columns.map((c) => (c.tree ? "  ".repeat(level) : "") + plain(c.show(row))).join("\t"));
		return [columns.map((c) => c.name).join("\t"), ...lines].join("\n") + "\n";
	}
}

function twisty() {
	const mark = document.createElement("span");
	mark.className = "twisty";
	mark.setAttribute("aria-hidden", "true");
	return mark;
}
