/**
 * Keeps the page and the guide in this browser, so that both work without their server.
 * Owns: one cache per part and version. Files whose names have a hash come from the cache. Others come from the network, or from
 * the cache if it fails.
 */

import type { WorkerScope } from './scope.ts';

/** Files that are kept together: their folder has an `offline.json`. */
export type OfflinePart = 'page' | 'guide';

/** Contents of `offline.json`. */
interface OfflineList {
	readonly version: string;
	/** Relative to its folder. */
	readonly files: readonly string[];
}

const FOLDERS: Readonly<Record<OfflinePart, string>> = { page: './', guide: 'guide/' };

/** Returns the path of an address below the folder of this worker; undefined for an address outside it. */
function pathBelow(scope: WorkerScope, url: URL): string | undefined {
	const top = new URL('./', scope.location.href).pathname;
	return url.pathname.startsWith(top) ? url.pathname.slice(top.length) : undefined;
}

/** Returns true for the addresses of the guide: pages, script, style and pictures. */
export function isOfGuide(scope: WorkerScope, url: URL): boolean {
	return /^(guide$|guide\/|assets\/guide-|pictures\/)/.test(pathBelow(scope, url) ?? '');
}

/** Returns true for the addresses of the page and its files. */
export function isOfPage(scope: WorkerScope, url: URL): boolean {
	return /^(index\.html|manifest\.webmanifest|(assets|icons|models|pictures|scenes|sounds)\/.*)?$/.test(
		pathBelow(scope, url) ?? 'outside',
	);
}

/** Returns the network's answer, or the kept file if the network fails. */
export async function guideAnswer(scope: WorkerScope, request: Request): Promise<Response> {
	try {
		return await fetch(request);
	} catch (error) {
		const { pathname } = new URL(request.url);
		if (pathname.endsWith('/guide'))
			return Response.redirect(new URL('guide/', scope.location.href).href, 302);
		const response = await findKept([pathname, `${pathname}.html`, `${pathname}index.html`], request);
		if (response === undefined) throw error;
		return response;
	}
}

/** Returns the kept file if its name has a hash; otherwise the network's answer, or the kept file if the network fails. */
export async function pageAnswer(scope: WorkerScope, request: Request): Promise<Response> {
	const { pathname } = new URL(request.url);
	const isHashed = pathBelow(scope, new URL(request.url))?.startsWith('assets/') === true;
	const find = () => findKept([pathname.replace(/index\.html$/, '')], request);
	const response = isHashed ? await find() : undefined;
	if (response !== undefined) return response;
	try {
		return await fetch(request);
	} catch (error) {
		const kept = await find();
		if (kept === undefined) throw error;
		return kept;
	}
}

async function findKept(paths: readonly string[], { url }: Request): Promise<Response | undefined> {
	for (const path of paths) {
		const response = await caches.match(new URL(path, url), { ignoreVary: true });
		if (response !== undefined) return response;
	}
	return undefined;
}

const runningKeeps = new Map<OfflinePart, Promise<void>>();

/** Keeps all files of the current version, and removes earlier versions. Changes nothing if the server does not answer. */
export function keepOffline(scope: WorkerScope, part: OfflinePart): Promise<void> {
	const running =
		runningKeeps.get(part) ??
		keepFolder(new URL(FOLDERS[part], scope.location.href), `${part}-`).finally(() =>
			runningKeeps.delete(part),
		);
	runningKeeps.set(part, running);
	return running;
}

async function keepFolder(folder: URL, prefix: string): Promise<void> {
	const address = new URL('offline.json', folder);
	const answer = await fetch(address);
	if (!answer.ok) return;
	const { version, files } = (await answer.clone().json()) as OfflineList;
	const name = prefix + version;
	const cache = await caches.open(name);
	if ((await cache.match(address)) === undefined) {
		await cache.addAll(files.map((file) => new URL(file, folder).href));
		// The list is stored last: the browser may end a worker at any time, and a cache without its list is filled again.
		await cache.put(address, answer);
	}
	for (const other of await caches.keys())
		if (other.startsWith(prefix) && other !== name) await caches.delete(other);
}
