// A file system in memory. It implements the functions of Node's fs module that Go's runtime calls (syscall/fs_js.go).

/** @typedef {(error: Error | null, value?: unknown) => void} Done */
/** @typedef {{bytes: Uint8Array, size: number, folder: boolean, mode: number, number: number, changed: number}} Entry changed: modification time, in ms since 1970 */

const constants = { O_WRONLY: 1, O_RDWR: 2, O_CREAT: 64, O_EXCL: 128, O_TRUNC: 512, O_APPEND: 1024, O_DIRECTORY: 65536 };

/** @type {Map<string, Entry>} */
const entries = new Map();

/** @type {Map<number, {entry: Entry, at: number, appends: boolean}>} */
const open = new Map();

let lastNumber = 0, lastOpen = 2;

/** @param {boolean} folder @param {number} mode @returns {Entry} */
function newEntry(folder, mode) { return { bytes: new Uint8Array(0), size: 0, folder, mode, number: ++lastNumber, changed: 0 }; }

/** Returns the absolute path without . and .. elements. @param {string} path */
function clean(path) {
	/** @type {string[]} */
	const parts = [];
	for (const p of path.split("/")) {
		if (p === "..") parts.pop();
		else if (p && p !== ".") parts.push(p);
	}
	return "/" + parts.join("/");
}

/** @param {string} code @returns {Error} */
function failure(code) { return Object.assign(new Error(code), { code }); }

/** @param {string} path @returns {Entry} */
function find(path) {
	const e = entries.get(clean(path));
	if (!e) throw failure("ENOENT");
	return e;
}

/** @param {number} fd */
function opened(fd) {
	const f = open.get(fd);
	if (!f) throw failure("EBADF");
	return f;
}

/** @param {Entry} e @param {number} size */
function resize(e, size) {
	if (size > e.bytes.length) {
		const bytes = new Uint8Array(Math.max(size, 2 * e.bytes.length, 4096));
		bytes.set(e.bytes.subarray(0, e.size));
		e.bytes = bytes;
	} else if (size < e.size) e.bytes.fill(0, size, e.size);
	e.size = size;
}

/** @param {Entry} e */
function stat(e) {
	const mode = e.mode & 0o777 | (e.folder ? 0o040000 : 0o100000);
	return {
		dev: 1, ino: e.number, mode, nlink: 1, uid: 0, gid: 0, rdev: 0, size: e.size, blksize: 4096, blocks: Math.ceil(e.size / 512),
		atimeMs: 0, mtimeMs: e.changed, ctimeMs: 0, isDirectory: () => e.folder,
	};
}

/** Writes a file, and creates the folders in its path. @param {string} path @param {Uint8Array} bytes @param {number} changed modification time, in ms since 1970 */
export function put(path, bytes, changed) {
	const name = clean(path);
	for (let i = name.indexOf("/", 1); i > 0; i = name.indexOf("/", i + 1)) if (!entries.has(name.slice(0, i))) entries.set(name.slice(0, i), newEntry(true, 0o755));
	entries.set(name, { ...newEntry(false, 0o644), bytes, size: bytes.length, changed });
}

/** Removes a file, or a folder with its content. @param {string} path */
export function drop(path) {
	const name = clean(path);
	for (const p of [...entries.keys()]) if (p !== "/tmp" && (p === name || p.startsWith(name + "/"))) entries.delete(p);
}

const calls = {
	/** @param {string} path @param {number} flags @param {number} mode */
	open(path, flags, mode) {
		const name = clean(path);
		let e = entries.get(name);
		if (e && flags & constants.O_CREAT && flags & constants.O_EXCL) throw failure("EEXIST");
		if (!e) {
			if (!(flags & constants.O_CREAT)) throw failure("ENOENT");
			entries.set(name, e = newEntry(false, mode));
		}
		if (e.folder && flags & (constants.O_WRONLY | constants.O_RDWR)) throw failure("EISDIR");
		if (flags & constants.O_TRUNC) resize(e, 0);
		open.set(++lastOpen, { entry: e, at: 0, appends: Boolean(flags & constants.O_APPEND) });
		return lastOpen;
	},
	/** @param {number} fd */
	close(fd) {
		opened(fd);
		open.delete(fd);
	},
	/** @param {number} fd @param {Uint8Array} buffer @param {number} offset @param {number} length @param {number | null} position */
	read(fd, buffer, offset, length, position) {
		const f = opened(fd), at = position ?? f.at, n = Math.max(0, Math.min(length, f.entry.size - at));
		buffer.set(f.entry.bytes.subarray(at, at + n), offset);
		if (position === null) f.at = at + n;
		return n;
	},
	/** @param {number} fd @param {Uint8Array} buffer @param {number} offset @param {number} length @param {number | null} position */
	write(fd, buffer, offset, length, position) {
		if (fd <= 2) {
			console.log(new TextDecoder().decode(buffer.subarray(offset, offset + length)).trimEnd());
			return length;
		}
		const f = opened(fd), at = position ?? (f.appends ? f.entry.size : f.at);
		if (at + length > f.entry.size) resize(f.entry, at + length);
		f.entry.bytes.set(buffer.subarray(offset, offset + length), at);
		if (position === null) f.at = at + length;
		return length;
	},
	/** @param {number} fd */
	fstat(fd) { return stat(opened(fd).entry); },
	/** @param {string} path */
	stat(path) { return stat(find(path)); },
	/** @param {string} path */
	lstat(path) { return stat(find(path)); },
	/** @param {number} fd @param {number} size */
	ftruncate(fd, size) { resize(opened(fd).entry, size); },
	/** @param {string} path @param {number} size */
	truncate(path, size) { resize(find(path), size); },
	fsync() {},
	chmod() {},
	fchmod() {},
	utimes() {},
	/** @param {string} path @param {number} mode */
	mkdir(path, mode) {
		if (entries.has(clean(path))) throw failure("EEXIST");
		entries.set(clean(path), newEntry(true, mode));
	},
	/** @param {string} path */
	readdir(path) {
		find(path);
		const begin = clean(path) === "/" ? "/" : clean(path) + "/";
		return [...entries.keys()].filter((p) => p !== "/" && p.startsWith(begin) && !p.slice(begin.length).includes("/")).map((p) => p.slice(begin.length));
	},
	/** @param {string} path */
	unlink(path) {
		find(path);
		entries.delete(clean(path)); // open file descriptors remain valid
	},
	/** @param {string} path */
	rmdir(path) { calls.unlink(path); },
	/** @param {string} from @param {string} to */
	rename(from, to) {
		const e = find(from);
		entries.delete(clean(from));
		entries.set(clean(to), e);
	},
	chown() { throw failure("ENOSYS"); },
	fchown() { throw failure("ENOSYS"); },
	lchown() { throw failure("ENOSYS"); },
	link() { throw failure("ENOSYS"); },
	symlink() { throw failure("ENOSYS"); },
	readlink() { throw failure("EINVAL"); },
};

/** Returns the global object fs that Go's runtime expects. The last argument of each function is a callback for the result. */
export function fileSystem() {
	for (const folder of ["/", "/tmp"]) entries.set(folder, newEntry(true, 0o777));
	/** @type {Record<string, unknown>} */
	const fs = {
		constants,
		/** @param {number} fd @param {Uint8Array} buffer */
		writeSync: (fd, buffer) => calls.write(fd, buffer, 0, buffer.length, null),
	};
	for (const [name, call] of Object.entries(calls)) {
		fs[name] = (/** @type {unknown[]} */ ...args) => {
			const done = /** @type {Done} */ (args.pop());
			let value;
			try {
				value = /** @type {(...args: unknown[]) => unknown} */ (call)(...args);
			} catch (error) {
				return done(/** @type {Error} */ (error));
			}
			done(null, value);
		};
	}
	return fs;
}
