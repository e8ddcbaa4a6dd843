// Colours and patterns. Boxes have shades of the Okabe-Ito palette, which is safe for all kinds of
// colour vision. A package determines the hue and a method the shade, the same in all files.
// Vermilion is reserved for errors, which also have a pattern.

const hues = ["#56b4e9", "#e69f00", "#009e73", "#f0e442", "#0072b2", "#cc79a7", "#b08d57"];

/** The relative luminance (WCAG 2.1) of each hue on a dark screen. Hues that are alike in some kind of colour vision differ by it, as they do in the palette. White text has a contrast of at least 4.5. */
const luminances = [.115, .06, .075, .115, .06, .09, .085];

/** @typedef {{boxes: string[], pixels: Uint32Array, ink: string, ground: string, soft: string, faint: string, line: string, accent: string, wrong: string, dark: boolean}} Colours */

export const darkness = matchMedia("(prefers-color-scheme: dark)");

/** @param {string} a @param {string} b @param {number} share of b */
export function mixed(a, b, share) {
	const part = (/** @type {string} */ c, /** @type {number} */ i) => parseInt(c.slice(1 + 2 * i, 3 + 2 * i), 16);
	return "#" + [0, 1, 2].map((i) => Math.round(part(a, i) * (1 - share) + part(b, i) * share).toString(16).padStart(2, "0")).join("");
}

/** Shades of a hue: on a light screen the share of white, on a dark one the share of the hue's luminance. */
const shades = { light: [.4, .5, .6, .3], dark: [1, 1.2, .8, 1.35] };

/** Returns a colour with the same hue and the given luminance. @param {string} colour #rrggbb @param {number} luminance from 0 to 1 */
function withLuminance(colour, luminance) {
	const linear = [1, 3, 5].map((i) => parseInt(colour.slice(i, i + 2), 16) / 255).map((v) => v <= .04045 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4);
	const scale = luminance / (.2126 * linear[0] + .7152 * linear[1] + .0722 * linear[2]);
	return "#" + linear.map((v) => Math.min(1, v * scale)).map((v) => v <= .0031308 ? v * 12.92 : 1.055 * v ** (1 / 2.4) - .055).map((v) => Math.round(255 * v).toString(16).padStart(2, "0")).join("");
}

/** @param {boolean} dark @returns {Omit<Colours, "pixels">} */
function coloursFor(dark) {
	const boxes = hues.flatMap((h, i) => dark ? shades.dark.map((s) => withLuminance(h, s * luminances[i])) : shades.light.map((s) => mixed(h, "#ffffff", s)));
	return dark
		? { boxes, ink: "#f2f2f2", ground: "#16181c", soft: "#a8acb3", faint: "#2a2d33", line: "#43474f", accent: "#8ccff5", wrong: "#ff8a3d", dark }
		: { boxes, ink: "#16181c", ground: "#ffffff", soft: "#5c5c5c", faint: "#eef0f3", line: "#c9cdd3", accent: "#00568a", wrong: "#c24e00", dark };
}

/** Pixel values of colours, by #rrggbb. @type {Map<string, number>} */
const pixelsOf = new Map();

/** Returns a colour as a pixel value of ImageData. @param {string} colour #rrggbb */
export function pixelOf(colour) {
	let p = pixelsOf.get(colour);
	if (p === undefined) {
		const [r, g, b] = [1, 3, 5].map((i) => parseInt(colour.slice(i, i + 2), 16));
		pixelsOf.set(colour, p = new Uint32Array(Uint8Array.of(r, g, b, 255).buffer)[0]);
	}
	return p;
}

/** @type {Colours} */
export let colours = withPixels(coloursFor(darkness.matches));

/** @param {Omit<Colours, "pixels">} c @returns {Colours} */
function withPixels(c) { return { ...c, pixels: Uint32Array.from(c.boxes, pixelOf) }; }

/** @type {Map<string, CanvasPattern | string>} */
const patterns = new Map();

/** Selects the colours for the screen, or the light ones for print. @param {boolean} paper */
export function chooseColours(paper) {
	colours = withPixels(coloursFor(darkness.matches && !paper));
	patterns.clear();
}

/** Returns the FNV-1a hash of a text's UTF-16 units. @param {string} text */
function hashOf(text) {
	let hash = 2166136261;
	for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 16777619);
	return (hash ^ hash >>> 15) >>> 0;
}

/** Returns the index of a method's colour in the colours of boxes. @param {string} group the package, or the prefix of a native name @param {string} name the rest of the name */
export function colourIndex(group, name) {
	const native = /^(.*)(?:::|!)/.exec(name.replace(/[(<].*/s, ""));
	return hashOf(group.replaceAll("/", ".") || (native ? native[1] : name)) % hues.length * shades.dark.length + hashOf(name) % shades.dark.length;
}

/**
 * Returns a transparent pattern of lines.
 * @param {CanvasRenderingContext2D} on @param {"slashes" | "crosses" | "bars"} kind @param {string} colour
 */
export function pattern(on, kind, colour) {
	const key = kind + colour, known = patterns.get(key);
	if (known) return known;
	const size = 6, tile = document.createElement("canvas");
	tile.width = tile.height = size;
	const c = tile.getContext("2d");
	if (!c) return colour;
	c.strokeStyle = colour;
	c.lineWidth = 1.5;
	c.beginPath();
	for (const d of kind === "bars" ? [] : [-size, 0, size]) {
		c.moveTo(d, size);
		c.lineTo(d + size, 0);
		if (kind === "crosses") {
			c.moveTo(d, 0);
			c.lineTo(d + size, size);
		}
	}
	if (kind === "bars") {
		c.moveTo(1, 0);
		c.lineTo(1, size);
	}
	c.stroke();
	const made = on.createPattern(tile, "repeat") ?? colour;
	patterns.set(key, made);
	return made;
}
