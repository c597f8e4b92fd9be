/**
 * Finds the entry with which the present world of an id begins: the last call that replaced the world.
 * Owns: the recognition of such calls.
 * Never: re-runs an entry.
 */

import type { Route } from '../../../shared/contract/route.ts';
import { batch } from '../../../shared/routes/batch.ts';
import { createFork, stepForks } from '../../../shared/routes/forks.ts';
import type { Journal } from '../../../shared/transport/journal.ts';
import { type CallHead, decodeEntry } from '../../../shared/transport/journal-entry.ts';
import { findRoute } from '../../api/find-route.ts';
import type { LineBegin, RecordedRequest } from '../../api/host-journal.ts';
import { bodyOfCall } from '../../store/journal-body.ts';
import { rawEntries } from './raw-entries.ts';
import type { ReplayPace } from './replay.ts';

/** Returns the last entry that replaced a world; null if the stored journal has none. */
export async function lineBeginOf(
	journal: Journal,
	world: string,
	pace: ReplayPace,
): Promise<LineBegin | null> {
	const { first, next } = await journal.extent();
	let begin: LineBegin | null = null;
	let lastTick = 0;
	for await (const { at, entry } of rawEntries(journal, first, { end: next })) {
		await pace.yieldIfDue();
		const { head, body } = decodeEntry(entry);
		const worldHead = head.worlds.find(({ id }) => id === world);
		if (worldHead === undefined) continue;
		const isBegin =
			head.kind === 'call' &&
			head.overtook !== true &&
			(worldHead.tick < lastTick ||
				(await hasReplaced(head, world, async () =>
					parseBody(await bodyOfCall({ head, body }, journal, at)),
				)));
		if (isBegin) begin = { entry: at, call: `${head.method} ${head.path}` };
		lastTick = worldHead.tick;
	}
	return begin;
}

/** Returns true if a call replaced a world. `readBody` returns the parsed body of the call. */
export async function hasReplaced(
	head: CallHead,
	world: string,
	readBody: () => Promise<unknown>,
): Promise<boolean> {
	const { route } = findRoute(head.method, head.path);
	if (route.id === createFork.id)
		return ((await readBody()) as { fork_id?: string } | undefined)?.fork_id === world;
	if (route.id === stepForks.id) {
		const { steps } = (await readBody()) as { steps: { fork_id: string; from?: string | null }[] };
		return steps.some(({ fork_id, from }) => fork_id === world && from != null);
	}
	if (route.effect !== 'replace') return false;
	if (route.id !== batch.id) return route.stepwise !== true;
	const { requests } = (await readBody()) as { requests: { method?: string; path: string }[] };
	return requests.some((request) => {
		if (routeOf(request)?.effect !== 'replace') return false;
		return (new URLSearchParams(request.path.split('?')[1]).get('world') ?? head.world) === world;
	});
}

/** Returns the route of a request; null if no route matches. */
export function routeOf({ method = 'POST', path }: RecordedRequest): Route | null {
	try {
		// A reference represents a value in the path. Any value gives the same route.
		return findRoute(method, path.split('?')[0]!.replace(/\$\{?\w+(?:\.\w+|\[\d+\])*\}?/g, '0')).route;
	} catch {
		return null;
	}
}

const decoder = new TextDecoder();

/** Parses the body of a call; undefined for an empty one. */
export const parseBody = (bytes: Uint8Array): unknown =>
	bytes.length === 0 ? undefined : JSON.parse(decoder.decode(bytes));
