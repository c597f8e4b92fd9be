/**
 * Keeps the guide in this browser, so that it can be read without its server.
 * Owns: one cache for each version of the guide. The network is asked first; the cache answers only when it fails.
 */

import type { WorkerScope } from './scope.ts';

/** Contents of `guide/offline.json`. */
interface OfflineList {
	readonly version: string;
	/** Relative to the folder of the guide. */
	readonly files: readonly string[];
}

const PREFIX = 'guide-';

/** The folder of the guide, beside this worker. */
const folderOf = (scope: WorkerScope): URL => new URL('guide/', scope.location.href);

/** True for the addresses of the guide: pages, script, style and pictures. */
export function isOfGuide(scope: WorkerScope, url: URL): boolean {
	const top = new URL('./', scope.location.href).pathname;
	const path = url.pathname.startsWith(top) ? url.pathname.slice(top.length) : '';
	return /^(guide$|guide\/|assets\/guide-|pictures\/)/.test(path);
}

/** The answer of the network, or else what is kept. */
export async function guideAnswer(scope: WorkerScope, request: Request): Promise<Response> {
	try {
		return await fetch(request);
	} catch (error) {
		const { pathname } = new URL(request.url);
		if (pathname.endsWith('/guide')) return Response.redirect(folderOf(scope).href, 302);
		for (const path of [pathname, `${pathname}.html`, `${pathname}index.html`]) {
			const kept = await caches.match(new URL(path, request.url), { ignoreVary: true });
			if (kept !== undefined) return kept;
		}
		throw error;
	}
}

let keeping: Promise<void> | undefined;

/** Keeps the present version of the guide, whole, in place of an earlier one. Changes nothing while its server is away. */
export function keepGuide(scope: WorkerScope): Promise<void> {
	keeping ??= keep(folderOf(scope)).finally(() => {
		keeping = undefined;
	});
	return keeping;
}

async function keep(folder: URL): Promise<void> {
	const address = new URL('offline.json', folder);
	const answer = await fetch(address);
	if (!answer.ok) return;
	const { version, files } = (await answer.clone().json()) as OfflineList;
	const name = PREFIX + version;
	const cache = await caches.open(name);
	if ((await cache.match(address)) === undefined) {
		await cache.addAll(files.map((file) => new URL(file, folder).href));
		// It comes last: a worker may be ended at any time, and a cache without it is filled again.
		await cache.put(address, answer);
	}
	for (const other of await caches.keys())
		if (other.startsWith(PREFIX) && other !== name) await caches.delete(other);
}
