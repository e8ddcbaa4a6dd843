// Colours and patterns. Boxes have tints of Okabe and Ito's colours, which people
// with any kind of colour vision tell apart, with ink on them that is readable;
// vermilion is for what is wrong, and what is wrong has a pattern as well.

const hues = ["#56b4e9", "#e69f00", "#009e73", "#f0e442", "#0072b2", "#cc79a7", "#8f8f8f", "#b08d57"];

/** @typedef {{boxes: string[], pixels: Uint32Array, ink: string, ground: string, soft: string, faint: string, line: string, accent: string, wrong: string, dark: boolean}} Colours */

export const darkness = matchMedia("(prefers-color-scheme: dark)");

/** @param {string} a @param {string} b @param {number} share of b */
export function mixed(a, b, share) {
	const part = (/** @type {string} */ c, /** @type {number} */ i) => parseInt(c.slice(1 + 2 * i, 3 + 2 * i), 16);
	return "#" + [0, 1, 2].map((i) => Math.round(part(a, i) * (1 - share) + part(b, i) * share).toString(16).padStart(2, "0")).join("");
}

/** @param {boolean} dark @returns {Omit<Colours, "pixels">} */
function coloursFor(dark) {
	const boxes = hues.flatMap((h) => dark ? [mixed(h, "#101114", .62), mixed(h, "#101114", .5), mixed(h, "#101114", .7)] : [mixed(h, "#ffffff", .5), mixed(h, "#ffffff", .35), mixed(h, "#ffffff", .64)]);
	return dark
		? { boxes, ink: "#f2f2f2", ground: "#16181c", soft: "#a8acb3", faint: "#2a2d33", line: "#43474f", accent: "#8ccff5", wrong: "#ff8a3d", dark }
		: { boxes, ink: "#16181c", ground: "#ffffff", soft: "#5c5c5c", faint: "#eef0f3", line: "#c9cdd3", accent: "#00568a", wrong: "#c24e00", dark };
}

/** Colours as pixels, by their text. @type {Map<string, number>} */
const pixelsOf = new Map();

/** Returns a colour as ImageData has it. @param {string} colour #rrggbb */
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

/** Chooses colours for the screen, or for paper, which is light. @param {boolean} paper */
export function chooseColours(paper) {
	colours = withPixels(coloursFor(darkness.matches && !paper));
	patterns.clear();
}

/** Returns which of the boxes' colours a method has, the same in every view. @param {number} m */
export function hueOf(m) { return (Math.imul(m + 1, 2654435761) >>> 8) % colours.boxes.length; }

/** @param {number} m a method */
export function colourOf(m) { return colours.boxes[hueOf(m)]; }

/**
 * Returns a pattern of lines that lets what is below shine through.
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
