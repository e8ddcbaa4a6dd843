// Canvases at the resolution of the screen.

const font = "11px system-ui, 'DejaVu Sans', Arial, sans-serif";

/** @param {HTMLCanvasElement} canvas @param {number} width @param {number} height */
export function fitCanvas(canvas, width, height) {
	const ratio = Math.min(3, devicePixelRatio || 1), w = Math.round(width * ratio), h = Math.round(height * ratio);
	if (canvas.width !== w) canvas.width = w;
	if (canvas.height !== h) canvas.height = h;
	canvas.style.width = `${width}px`;
	canvas.style.height = `${height}px`;
}

/** Returns the drawing context of a canvas, in CSS pixels. @param {HTMLCanvasElement} canvas */
export function context(canvas) {
	const c = canvas.getContext("2d", { alpha: false });
	if (!c) throw new Error("this browser cannot draw on a canvas");
	const ratio = Math.min(3, devicePixelRatio || 1);
	c.setTransform(ratio, 0, 0, ratio, 0, 0);
	c.font = font;
	return c;
}
