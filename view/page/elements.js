// Elements of the page, and texts for people.

/** Returns the element with an id. @template {HTMLElement} T @param {string} id @param {new () => T} kind @returns {T} */
export function element(id, kind) {
	const e = document.getElementById(id);
	if (!(e instanceof kind)) throw new Error(`the page has no ${id}`);
	return e;
}

/** A choice of a few: buttons of which one is pressed. @param {HTMLElement} host @param {string} label @param {string[]} names @param {(i: number) => void} choose */
export function choice(host, label, names, choose) {
	const group = document.createElement("div");
	group.className = "choice";
	group.setAttribute("role", "group");
	group.setAttribute("aria-label", label);
	const buttons = names.map((name, i) => {
		const button = document.createElement("button");
		button.type = "button";
		button.textContent = name;
		button.setAttribute("aria-pressed", String(i === 0));
		button.addEventListener("click", () => {
			buttons.forEach((b, k) => b.setAttribute("aria-pressed", String(k === i)));
			choose(i);
		});
		return button;
	});
	group.append(...buttons);
	host.append(group);
}

/** Returns a name as long as anybody reads. @param {string} text */
export function cut(text) { return text.length > 300 ? text.slice(0, 300) + "…" : text; }

/** @param {string} text */
export async function copyText(text) {
	try {
		await navigator.clipboard.writeText(text);
	} catch { // not allowed: as browsers did it before
		const area = document.createElement("textarea");
		area.value = text;
		document.body.append(area);
		area.select();
		document.execCommand("copy");
		area.remove();
	}
	say("Copied.");
}

/** Says a sentence where screen readers hear it. @param {string} text */
export function say(text) { element("said", HTMLParagraphElement).textContent = text; }
