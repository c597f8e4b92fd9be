/**
 * Stores the page and the guide in this browser, so that both work without their server.
 * Owns: one cache for each version of the page and of the guide. Files with a hash in their names come from the cache.
 * Others come from the network, or from the cache if the network fails.
 */

import type { WorkerScope } from './scope.ts';

/** Set of files that are stored together. Its folder has an `offline.json`. */
export type OfflinePart = 'page' | 'guide';

/** Contents of `offline.json`. */
interface OfflineList {
	readonly version: string;
	/** Paths relative to its folder. */
	readonly files: readonly string[];
}

const FOLDERS: Readonly<Record<OfflinePart, string>> = { page: './', guide: 'guide/' };

/** Returns the path of an address below the folder of this worker; undefined for an address outside it. */
function pathBelow(scope: WorkerScope, url: URL): string | undefined {
	const top = new URL('./', scope.location.href).pathname;
	return url.pathname.startsWith(top) ? url.pathname.slice(top.length) : undefined;
}

/** Returns true for the addresses of the guide: pages, script, style and pictures. */
export function isGuideAddress(scope: WorkerScope, url: URL): boolean {
	return /^(guide$|guide\/|assets\/guide-|pictures\/)/.test(pathBelow(scope, url) ?? '');
}

/** Returns true for the addresses of the page and its files. */
export function isPageAddress(scope: WorkerScope, url: URL): boolean {
	return /^(index\.html|manifest\.webmanifest|(assets|icons|models|pictures|scenes|sounds)\/.*)?$/.test(
		pathBelow(scope, url) ?? 'outside',
	);
}

/** Returns the network's answer, or the stored file if the network fails. */
export async function answerGuide(scope: WorkerScope, request: Request): Promise<Response> {
	try {
		return await fetch(request);
	} catch (error) {
		const { pathname } = new URL(request.url);
		if (pathname.endsWith('/guide'))
			return Response.redirect(new URL('guide/', scope.location.href).href, 302);
		const response = await findCached([pathname, `${pathname}.html`, `${pathname}index.html`], request);
		if (response === undefined) throw error;
		return response;
	}
}

/** Returns a stored file whose name has a hash; otherwise the network's answer, or the stored file if the network fails. */
export async function answerPage(scope: WorkerScope, request: Request): Promise<Response> {
	const { pathname } = new URL(request.url);
	const isHashed = pathBelow(scope, new URL(request.url))?.startsWith('assets/') === true;
	const find = () => findCached([pathname.replace(/index\.html$/, '')], request);
	const response = isHashed ? await find() : undefined;
	if (response !== undefined) return response;
	try {
		return await fetch(request);
	} catch (error) {
		const cachedResponse = await find();
		if (cachedResponse === undefined) throw error;
		return cachedResponse;
	}
}

async function findCached(paths: readonly string[], { url }: Request): Promise<Response | undefined> {
	for (const path of paths) {
		const response = await caches.match(new URL(path, url), { ignoreVary: true });
		if (response !== undefined) return response;
	}
	return undefined;
}

const runningUpdates = new Map<OfflinePart, Promise<void>>();

/** Stores all files of the current version, and removes earlier versions. Changes nothing if the server does not answer. */
export function keepOffline(scope: WorkerScope, part: OfflinePart): Promise<void> {
	const update =
		runningUpdates.get(part) ??
		storeFolder(new URL(FOLDERS[part], scope.location.href), `${part}-`).finally(() =>
			runningUpdates.delete(part),
		);
	runningUpdates.set(part, update);
	return update;
}

async function storeFolder(folder: URL, prefix: string): Promise<void> {
	const address = new URL('offline.json', folder);
	const answer = await fetch(address);
	if (!answer.ok) return;
	const { version, files } = (await answer.clone().json()) as OfflineList;
	const name = prefix + version;
	const cache = await caches.open(name);
	if ((await cache.match(address)) === undefined) {
		await cache.addAll(files.map((file) => new URL(file, folder).href));
		// The list is stored last. The browser may end a worker at any time, and a cache without its list is filled again.
		await cache.put(address, answer);
	}
	for (const cacheName of await caches.keys())
		if (cacheName.startsWith(prefix) && cacheName !== name) await caches.delete(cacheName);
}
