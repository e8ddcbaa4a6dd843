// Drawing of boxes that are a few pixels wide. A track can have 100,000 of them, too many to fill
// one by one within a frame. They are written to an image with one line of pixels per row. The image
// is drawn once, scaled to the height of the rows. A pixel shared by several boxes has the mean of
// their colours, and the opacity is the covered share of the pixel.

/** @import { Place, View } from "./track.js" */

export const thin = 3; // px: narrower boxes are drawn with the strip

class Strip {
	constructor() {
		this.canvas = document.createElement("canvas");
		this.width = this.rows = this.first = 0;
		this.pixels = new Uint32Array(0);
		this.sums = new Float32Array(0); // by pixel: red, green and blue, each times the covered share, and the covered share
		this.least = 0; // minimum opacity of a pixel with a box
		/** @type {ImageData | null} */
		this.image = null;
		this.used = this.summed = false;
	}

	/** Starts an image of the visible rows of a place. @param {View} w @param {Place} place @param {number} rows of the track @param {number} [least] minimum opacity of a pixel with a box */
	begin(w, place, rows, least = 0) {
		this.least = least;
		this.first = Math.max(0, Math.floor((place.top - place.y) / place.row));
		const last = Math.min(rows, Math.ceil((place.bottom - place.y) / place.row));
		const width = Math.ceil(w.right), height = Math.max(1, last - this.first);
		if (!this.image || this.width !== width || this.rows < height) {
			this.width = this.canvas.width = Math.max(1, width);
			this.rows = this.canvas.height = height;
			this.image = new ImageData(this.width, this.rows);
			this.pixels = new Uint32Array(this.image.data.buffer);
			this.sums = new Float32Array(4 * this.pixels.length);
		} else {
			if (this.used || this.summed) this.pixels.fill(0);
			if (this.summed) this.sums.fill(0);
		}
		this.used = this.summed = false;
	}

	/** @param {number} row @param {number} x @param {number} width @param {number} colour as pixelOf gives it */
	set(row, x, width, colour) {
		const line = (row - this.first) * this.width, end = Math.min(this.width, x + width);
		for (let i = Math.max(0, x); i < end; i++) this.pixels[line + i] = colour;
		this.used = true;
	}

	/** Adds a box from x to x2 in a row. @param {number} row @param {number} x @param {number} x2 @param {number} colour as pixelOf gives it @param {number} filled share of the box */
	add(row, x, x2, colour, filled) {
		const line = (row - this.first) * this.width, end = Math.min(this.width, x2);
		for (let i = Math.max(0, Math.floor(x)); i < end; i++) {
			const part = (Math.min(i + 1, x2) - Math.max(i, x)) * filled, at = 4 * (line + i);
			this.sums[at] += (colour & 255) * part;
			this.sums[at + 1] += (colour >>> 8 & 255) * part;
			this.sums[at + 2] += (colour >>> 16 & 255) * part;
			this.sums[at + 3] += part;
		}
		this.summed = true;
	}

	/** Extrapolates the first part of a pixel to the whole pixel. @param {number} row @param {number} x @param {number} part */
	spread(row, x, part) {
		if (x < 0 || x >= this.width || part <= 0) return;
		const at = 4 * ((row - this.first) * this.width + x);
		for (let i = at; i < at + 4; i++) this.sums[i] /= part;
	}

	/** Converts the sums to pixels. */
	mix() {
		const { sums, pixels, least } = this;
		for (let i = 0, at = 0; i < pixels.length; i++, at += 4) {
			const part = sums[at + 3];
			if (part > 0) pixels[i] = sums[at] / part + .5 | (sums[at + 1] / part + .5) << 8 | (sums[at + 2] / part + .5) << 16 | 255 * Math.min(1, Math.max(least, part)) << 24;
		}
	}

	/** Draws the image; gap pixels below each row remain empty. @param {CanvasRenderingContext2D} on @param {Place} place @param {number} gap */
	flush(on, place, gap) {
		const c = this.canvas.getContext("2d");
		if (this.summed) this.mix();
		if (!this.used && !this.summed || !c || !this.image) return;
		c.putImageData(this.image, 0, 0);
		on.imageSmoothingEnabled = false;
		const last = Math.min(this.rows, Math.ceil((place.bottom - place.y) / place.row) - this.first);
		for (let r = 0; r < last; r++) on.drawImage(this.canvas, 0, r, this.width, 1, 0, place.y + (this.first + r) * place.row, this.width, place.row - gap);
	}
}

export const strip = new Strip();
