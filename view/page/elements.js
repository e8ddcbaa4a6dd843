// Elements of the page, and texts for its user.

/** Returns the element with an id. @template {HTMLElement} T @param {string} id @param {new () => T} kind @returns {T} */
export function element(id, kind) {
	const e = document.getElementById(id);
	if (!(e instanceof kind)) throw new Error(`the page has no ${id}`);
	return e;
}

/** Adds a group of buttons of which one is pressed. Returns a function that presses a button without calling choose. @param {HTMLElement} host @param {string} label @param {string[]} names @param {(i: number) => void} choose */
export function choice(host, label, names, choose) {
	const group = document.createElement("div");
	group.className = "choice";
	group.setAttribute("role", "group");
	group.setAttribute("aria-label", label);
	const buttons = names.map((name, i) => {
		const button = document.createElement("button");
		button.type = "button";
		button.textContent = button.title = name; // it may be cut off
		button.setAttribute("aria-pressed", String(i === 0));
		button.addEventListener("click", () => {
			press(i);
			choose(i);
		});
		return button;
	});
	/** @param {number} i */
	const press = (i) => buttons.forEach((b, k) => b.setAttribute("aria-pressed", String(k === i)));
	group.append(...buttons);
	host.append(group);
	return press;
}

/** Makes a toolbar a single tab stop: the left and right arrow keys move between its controls. @param {HTMLElement} bar */
export function oneStop(bar) {
	const controls = () => [...bar.querySelectorAll("button, select")].flatMap((e) => e instanceof HTMLElement && e.offsetParent && !e.matches(":disabled") ? e : []);
	const stopAt = (/** @type {HTMLElement} */ at) => {
		for (const e of bar.querySelectorAll("button, select")) if (e instanceof HTMLElement) e.tabIndex = e === at ? 0 : -1;
	};
	bar.addEventListener("focusin", (e) => {
		if (e.target instanceof HTMLElement) stopAt(e.target);
	});
	bar.addEventListener("keydown", (e) => {
		const by = { ArrowLeft: -1, ArrowRight: 1 }[e.key], all = controls();
		if (!by || e.ctrlKey || e.metaKey || e.altKey) return;
		e.preventDefault();
		e.stopPropagation();
		all[all.findIndex((c) => c === e.target) + by]?.focus();
	});
	const settle = () => { // some controls are hidden on small screens
		const all = controls();
		if (all.length && !all.some((e) => e.tabIndex === 0)) stopAt(all[0]);
	};
	stopAt(bar);
	settle();
	addEventListener("resize", settle);
}

/** Shortens a very long name. @param {string} text */
export function cut(text) { return text.length > 300 ? text.slice(0, 300) + "…" : text; }

/** @param {string} text @param {string} [done] the announcement after copying */
export async function copyText(text, done = "Copied.") {
	try {
		await navigator.clipboard.writeText(text);
	} catch { // the clipboard API is not allowed: use the older command
		const area = document.createElement("textarea");
		area.value = text;
		document.body.append(area);
		area.select();
		document.execCommand("copy");
		area.remove();
	}
	say(done, true);
}

let hiding = 0; // timer that hides the announced sentence

/** Announces a sentence to screen readers. @param {string} text @param {boolean} [visible] also shows it for a moment */
export function say(text, visible = false) {
	const said = element("said", HTMLParagraphElement);
	said.textContent = text;
	clearTimeout(hiding);
	said.classList.toggle("visible", visible);
	if (visible) hiding = setTimeout(() => said.classList.remove("visible"), 2500);
}
