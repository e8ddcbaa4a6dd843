// Decodes the data of the page, in the format that the doc comment of package view describes: a
// JSON header and columns of LEB128 numbers, compressed with gzip.

/** @import { Header } from "./model.js" */

/** @typedef {{at: number, bytes: number, count: number}} Column */
/** @typedef {{lengths: Column, at: number, bytes: number}} Strings */

const magic = "ARTVIEW1";

/** Returns the packed data: from the server, or from the page itself. */
export async function packedData() {
	const meta = document.querySelector('meta[name="data"]');
	if (meta instanceof HTMLMetaElement) {
		const answer = await fetch(meta.content);
		if (!answer.ok) throw new Error((await answer.text()) || `the server answers ${answer.status}`);
		return new Uint8Array(await answer.arrayBuffer());
	}
	const text = document.getElementById("data")?.textContent?.trim();
	if (!text) throw new Error("this page has no data");
	return fromBase64(text);
}

/** @param {string} text @returns {Uint8Array<ArrayBuffer>} */
export function fromBase64(text) {
	const direct = /** @type {any} */ (Uint8Array).fromBase64; // not in every browser yet
	if (direct) return direct.call(Uint8Array, text);
	return Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
}

/** @param {Uint8Array<ArrayBuffer>} packed */
export async function unpack(packed) {
	const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
	return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** Data is the decompressed data: the header, and the columns, which are addressed by offset. */
export class Data {
	/** @param {Uint8Array} bytes */
	constructor(bytes) {
		const text = new TextDecoder();
		if (text.decode(bytes.subarray(0, 8)) !== magic) throw new Error(`the data does not begin with ${magic}`);
		const length = new DataView(bytes.buffer, bytes.byteOffset).getUint32(8, true);
		this.bytes = bytes;
		this.base = 12 + length;
		/** @type {Header} */
		this.header = JSON.parse(text.decode(bytes.subarray(12, this.base)));
		for (const r of this.header.recordings) r.threads = this.json(/** @type {any} */ (r.threads));
	}

	/** Reads a JSON text. @param {{at: number, bytes: number}} place */
	json({ at, bytes }) { return JSON.parse(new TextDecoder().decode(this.bytes.subarray(this.base + at, this.base + at + bytes))); }

	/**
	 * Reads numbers into an array. The encoding is plain, zigzag (signed), differences, or zigzag
	 * differences.
	 * @template {Int32Array | Uint8Array | Float64Array} T
	 * @param {Column} column
	 * @param {T} into as long as the column
	 * @param {"plain" | "signed" | "difference" | "signed difference"} kind
	 */
	numbers(column, into, kind) {
		const bytes = this.bytes, differs = kind.endsWith("difference"), signed = kind.startsWith("signed");
		let p = this.base + column.at, before = 0;
		for (let i = 0; i < column.count; i++) {
			let b = bytes[p++], value = b & 127;
			for (let scale = 128; b > 127; scale *= 128) {
				b = bytes[p++];
				value += (b & 127) * scale;
			}
			if (signed) value = value % 2 ? -(value + 1) / 2 : value / 2;
			if (differs) value = before += value;
			into[i] = value;
		}
		if (p !== this.base + column.at + column.bytes) throw new Error("a column does not have the length that it states");
		return into;
	}

	/** @param {Column} c */
	whole(c) { return this.numbers(c, new Int32Array(c.count), "plain"); }

	/** @param {Column} c */
	times(c) { return this.numbers(c, new Float64Array(c.count), "plain"); }

	/** @param {Column} c times in ascending order */
	rising(c) { return this.numbers(c, new Float64Array(c.count), "difference"); }

	/**
	 * Reads strings. Of each, it also returns the part that parts specifies, and the rest after
	 * that part. Invalid UTF-8 becomes �.
	 * @param {Strings} s @param {{from: Column, bytes: Column}} parts
	 */
	strings(s, parts) {
		const text = new TextDecoder(), lengths = this.whole(s.lengths), from = this.whole(parts.from), bytes = this.whole(parts.bytes);
		/** @type {string[]} */
		const full = [];
		/** @type {string[]} */
		const short = [];
		/** @type {string[]} */
		const behind = [];
		let p = this.base + s.at;
		for (let i = 0; i < lengths.length; p += lengths[i++]) {
			full.push(text.decode(this.bytes.subarray(p, p + lengths[i])));
			short.push(text.decode(this.bytes.subarray(p + from[i], p + from[i] + bytes[i])));
			behind.push(text.decode(this.bytes.subarray(p + from[i] + bytes[i], p + lengths[i])));
		}
		return { full, short, behind };
	}
}
