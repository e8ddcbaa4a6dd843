// The settings of the page. The URL contains them, so that a link shows the same page.

/** The settings, as in the URL. */
export const settings = {
	app: "cold-start", file: "", every: 5, pause: 1, device: "A", tab: "sweep", method: "", change: 20, budget: 10, traces: 5, from: 500, window: 50,
};

/** Reads the settings from the URL. */
export function readAddress() {
	for (const [key, value] of new URLSearchParams(location.hash.slice(1))) {
		if (!(key in settings)) continue;
		const known = /** @type {Record<string, string | number>} */ (settings);
		if (typeof known[key] === "string") known[key] = value;
		else if (Number.isFinite(Number(value)) && Number(value) >= 0) known[key] = Number(value);
	}
}

/** Writes the settings to the URL. */
export function writeAddress() {
	const all = new URLSearchParams();
	for (const [key, value] of Object.entries(settings)) if (value !== "") all.set(key, String(value));
	history.replaceState(null, "", "#" + all);
}
