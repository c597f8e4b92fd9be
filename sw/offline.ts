/**
 * Keeps the page and the guide in this browser, so that both work without their server.
 * Owns: one cache for each version of each. The network is asked first, except for files whose names change with their content; the
 * caches answer when it fails.
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

/** Path of an address below the folder of this worker; undefined for one outside it. */
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

/** Returns the answer of the network, or else what is kept. */
export async function guideAnswer(scope: WorkerScope, request: Request): Promise<Response> {
	try {
		return await fetch(request);
	} catch (error) {
		const { pathname } = new URL(request.url);
		if (pathname.endsWith('/guide'))
			return Response.redirect(new URL('guide/', scope.location.href).href, 302);
		const response = await keptAt([pathname, `${pathname}.html`, `${pathname}index.html`], request);
		if (response === undefined) throw error;
		return response;
	}
}

/** Answers with the kept file if its name has a hash; otherwise with the network's answer, or else the kept file. */
export async function pageAnswer(scope: WorkerScope, request: Request): Promise<Response> {
	const { pathname } = new URL(request.url);
	const isHashed = pathBelow(scope, new URL(request.url))?.startsWith('assets/') === true;
	const find = () => keptAt([pathname.replace(/index\.html$/, '')], request);
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

async function keptAt(paths: readonly string[], { url }: Request): Promise<Response | undefined> {
	for (const path of paths) {
		const response = await caches.match(new URL(path, url), { ignoreVary: true });
		if (response !== undefined) return response;
	}
	return undefined;
}

const keeping = new Map<OfflinePart, Promise<void>>();

/** Keeps the present version, whole, in place of an earlier one. Changes nothing while its server is away. */
export function keepOffline(scope: WorkerScope, kept: OfflinePart): Promise<void> {
	const running =
		keeping.get(kept) ??
		keep(new URL(FOLDERS[kept], scope.location.href), `${kept}-`).finally(() => keeping.delete(kept));
	keeping.set(kept, running);
	return running;
}

async function keep(folder: URL, prefix: string): Promise<void> {
	const address = new URL('offline.json', folder);
	const answer = await fetch(address);
	if (!answer.ok) return;
	const { version, files } = (await answer.clone().json()) as OfflineList;
	const name = prefix + version;
	const cache = await caches.open(name);
	if ((await cache.match(address)) === undefined) {
		await cache.addAll(files.map((file) => new URL(file, folder).href));
		// It comes last: a worker may be ended at any time, and a cache without it is filled again.
		await cache.put(address, answer);
	}
	for (const other of await caches.keys())
		if (other.startsWith(prefix) && other !== name) await caches.delete(other);
}
