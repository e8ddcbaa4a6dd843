// Files and folders dropped on the page.

const maxFiles = 2000; // maximum number of files in a folder

/** Returns the dropped file, or the files of the dropped folder with their paths, without hidden files. @param {DataTransfer} data @returns {Promise<{path: string, file: File}[]>} */
export async function filesIn(data) {
	const entries = [...data.items].flatMap((i) => i.webkitGetAsEntry() ?? []), first = entries[0];
	if (entries.length > 1) throw new Error("Drop one file, or a folder of thread dumps.");
	if (!first) return data.files[0] ? [{ path: data.files[0].name, file: data.files[0] }] : [];
	if (first.isFile) return [{ path: first.name, file: await fileOf(/** @type {FileSystemFileEntry} */ (first)) }];
	/** @type {{path: string, file: File}[]} */
	const files = [], folders = [{ path: first.name, folder: /** @type {FileSystemDirectoryEntry} */ (first) }];
	for (let at = folders.pop(); at; at = folders.pop()) {
		for (const e of await entriesOf(at.folder)) {
			const path = `${at.path}/${e.name}`;
			if (e.name.startsWith(".")) continue;
			if (e.isDirectory) folders.push({ path, folder: /** @type {FileSystemDirectoryEntry} */ (e) });
			else files.push({ path, file: await fileOf(/** @type {FileSystemFileEntry} */ (e)) });
			if (files.length > maxFiles) throw new Error(`${first.name} has more than ${maxFiles} files: drop a folder with fewer.`);
		}
	}
	if (!files.length) throw new Error(`${first.name} has no files.`);
	return files.sort((a, b) => a.path < b.path ? -1 : 1);
}

/** @param {FileSystemFileEntry} entry @returns {Promise<File>} */
function fileOf(entry) { return new Promise((resolve, reject) => entry.file(resolve, reject)); }

/** Returns the entries of a folder. Browsers return them in batches. @param {FileSystemDirectoryEntry} folder */
async function entriesOf(folder) {
	const reader = folder.createReader(), all = [];
	for (;;) {
		/** @type {FileSystemEntry[]} */
		const part = await new Promise((resolve, reject) => reader.readEntries(resolve, reject));
		if (!part.length) return all;
		all.push(...part);
	}
}
