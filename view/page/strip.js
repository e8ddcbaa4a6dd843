// Boxes of a few pixels. A track may have a hundred thousand of them, more than a canvas
// fills one by one in the time of a frame. So they are written into an image that has
// one line of pixels for a row, and that is drawn once, stretched to the rows' height.

/** @import { Place, View } from "./track.js" */

export const thin = 3; // px: boxes up to this width go into the strip

class Strip {
	constructor() {
		this.canvas = document.createElement("canvas");
		this.width = this.rows = this.first = 0;
		this.pixels = new Uint32Array(0);
		/** @type {ImageData | null} */
		this.image = null;
		this.used = false;
	}

	/** Begins an image of the rows of a place that can be seen. @param {View} w @param {Place} place @param {number} rows of the track */
	begin(w, place, rows) {
		this.first = Math.max(0, Math.floor((place.top - place.y) / place.row));
		const last = Math.min(rows, Math.ceil((place.bottom - place.y) / place.row));
		const width = Math.ceil(w.right), height = Math.max(1, last - this.first);
		if (!this.image || this.width !== width || this.rows < height) {
			this.width = this.canvas.width = Math.max(1, width);
			this.rows = this.canvas.height = height;
			this.image = new ImageData(this.width, this.rows);
			this.pixels = new Uint32Array(this.image.data.buffer);
		} else if (this.used) this.pixels.fill(0);
		this.used = false;
	}

	/** @param {number} row @param {number} x @param {number} width @param {number} colour as pixelOf gives it */
	set(row, x, width, colour) {
		const line = (row - this.first) * this.width, end = Math.min(this.width, x + width);
		for (let i = Math.max(0, x); i < end; i++) this.pixels[line + i] = colour;
		this.used = true;
	}

	/** Draws the image; below each row a line of gap pixels stays free. @param {CanvasRenderingContext2D} on @param {Place} place @param {number} gap */
	flush(on, place, gap) {
		const c = this.canvas.getContext("2d");
		if (!this.used || !c || !this.image) return;
		c.putImageData(this.image, 0, 0);
		on.imageSmoothingEnabled = false;
		const last = Math.min(this.rows, Math.ceil((place.bottom - place.y) / place.row) - this.first);
		for (let r = 0; r < last; r++) on.drawImage(this.canvas, 0, r, this.width, 1, 0, place.y + (this.first + r) * place.row, this.width, place.row - gap);
	}
}

export const strip = new Strip();
