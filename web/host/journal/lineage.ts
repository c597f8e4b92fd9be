/**
 * Lineage of a world: the entries of a journal that must be re-run to rebuild the world, and the worlds that they need from the
 * state before them. With many forks, this is a small part of the journal.
 * Owns: the analysis of a call's worlds from its entry and body. If they cannot be determined, there is no lineage, and all entries are
 * re-run.
 */

import { ApiError } from '../../../shared/contract/errors.ts';
import { pathAndQuery } from '../../../shared/contract/path-and-query.ts';
import type { Body } from '../../../shared/contract/route.ts';
import type { RouteMatch } from '../../../shared/contract/router.ts';
import { batch } from '../../../shared/routes/batch.ts';
import { createFork, diffFork, stepForks } from '../../../shared/routes/forks.ts';
import { deleteSnapshot, restoreSnapshot } from '../../../shared/routes/snapshots.ts';
import type { Journal } from '../../../shared/transport/journal.ts';
import { type CallHead, decodeEntry, type ReadEntry } from '../../../shared/transport/journal-entry.ts';
import { findRoute } from '../../api/find-route.ts';
import { bodyOfCall } from '../../store/journal-body.ts';
import { MAIN } from '../../store/worlds.ts';
import { rawEntries } from './raw-entries.ts';

/** Kinds of outside facts that add assets, which later calls may use. */
const ASSET_FACTS = new Set<string>(['read', 'public', 'ask']);

/** Routes that need the snapshots of a world. */
const SNAPSHOT_ROUTES = new Set<string>([restoreSnapshot.id, deleteSnapshot.id]);

export interface Lineage {
	/** Worlds that are needed from the state before the entries. */
	readonly initialWorlds: ReadonlySet<string>;
	/** True if the snapshots of that state are needed. */
	readonly snapshots: boolean;
	/** Entries to re-run, each with the worlds that must be correct after it. Only the play ticks of these worlds are re-run. */
	readonly entries: ReadonlyMap<number, ReadonlySet<string>>;
}

/** Worlds that a call changed or read. */
interface CallWorlds {
	/** Worlds that the call may have changed, with their snapshots; none if it changed only shared data, such as assets. */
	readonly changed: readonly string[];
	/** Worlds that the call only read. */
	readonly read: readonly string[];
	/** True if the call needs earlier snapshots. */
	readonly snapshots: boolean;
}

/** Returns the lineage of a world from the state before entry `from` up to entry `end`; null if all entries must be re-run. */
export async function lineageOf(
	journal: Journal,
	world: string,
	from: number,
	end: number,
): Promise<Lineage | null> {
	const calls = new Map<number, CallWorlds & { readonly addsAssets: boolean }>();
	let next = from;
	for await (const { at, entry: bytes } of rawEntries(journal, from, { end })) {
		const { head, ...entry } = decodeEntry(bytes);
		next = at + 1;
		if (head.kind !== 'call') continue;
		const callWorlds = await worldsOfCall({ ...entry, head }, journal, at);
		if (callWorlds === null) return null;
		calls.set(at, {
			...callWorlds,
			addsAssets: head.told?.some(({ what }) => ASSET_FACTS.has(what)) === true,
		});
	}
	let worlds: ReadonlySet<string> = new Set([world]);
	let snapshots = false;
	const entries = new Map<number, ReadonlySet<string>>();
	for (let entryNumber = next - 1; entryNumber >= from; entryNumber--) {
		const call = calls.get(entryNumber);
		const { changed = [], read = [] } = call ?? {};
		if (changed.length > 0 && !changed.some((id) => worlds.has(id))) {
			if (call?.addsAssets) return null;
			continue;
		}
		entries.set(entryNumber, worlds);
		snapshots ||= call?.snapshots === true;
		const addedIds = [...changed, ...read].filter((id) => !worlds.has(id));
		if (addedIds.length > 0) worlds = new Set([...worlds, ...addedIds]);
	}
	return { initialWorlds: worlds, snapshots, entries };
}

/** Returns the worlds of a call; null if they cannot be determined. */
async function worldsOfCall(
	entry: ReadEntry & { readonly head: CallHead },
	journal: Journal,
	at: number,
): Promise<CallWorlds | null> {
	const { head } = entry;
	const match = findRoute(head.method, head.path);
	const { route } = match;
	const recordedIds = [...head.worlds.map(({ id }) => id), ...(head.gone ?? [])];
	if (route.id === createFork.id) {
		const { from } = JSON.parse(text(await bodyOfCall(entry, journal, at))) as Body<typeof createFork>;
		return { changed: recordedIds, read: [from ?? head.world], snapshots: false };
	}
	if (route.id === stepForks.id) {
		const { steps } = JSON.parse(text(await bodyOfCall(entry, journal, at))) as Body<typeof stepForks>;
		const read = steps.flatMap(({ from }) => (from == null ? [] : [from]));
		// A request may restore a snapshot that its fork had before.
		const snapshots = steps.some(({ requests }) =>
			requests?.some(({ path }) => path.startsWith('/snapshot/')),
		);
		return { changed: [...recordedIds, ...steps.map(({ fork_id }) => fork_id)], read, snapshots };
	}
	const snapshots = SNAPSHOT_ROUTES.has(route.id);
	if (route.id !== batch.id)
		return { changed: [...recordedIds, ...targetOf(match, head.world)], read: [], snapshots };
	const { requests } = JSON.parse(text(await bodyOfCall(entry, journal, at))) as Body<typeof batch>;
	const within = requests.map((request) => worldsOfRequest(request, head.world));
	if (!within.every((dealings) => dealings !== null)) return null;
	return {
		changed: [head.world, ...recordedIds, ...within.flatMap(({ changed }) => changed)],
		read: [],
		snapshots: within.some((dealings) => dealings.snapshots),
	};
}

const decoder = new TextDecoder();
const text = (bytes: Uint8Array): string => decoder.decode(bytes);

/** Returns the world of a call, from its path or `world`; an empty list if the call has none. */
function targetOf({ route, params }: RouteMatch, world: string): string[] {
	if (route.path.startsWith('/fork/{id}')) return [params.id!];
	return route.world === false ? [] : [world];
}

/** Returns the worlds of a request of a batch; null if they cannot be determined. */
function worldsOfRequest(
	{ method = 'POST', path: sent, body }: Body<typeof batch>['requests'][number],
	world: string,
): CallWorlds | null {
	const { path, query } = pathAndQuery(sent);
	const match = matchOf(method, path);
	// The request was refused, or its path contains a reference to an earlier answer.
	if (match === null) return path.includes('$') ? null : { changed: [], read: [], snapshots: false };
	const target = targetOf(match, new URLSearchParams(query).get('world') ?? world);
	// Later requests may use the answer of one that reads all worlds.
	if (target.length === 0 || match.route.id === diffFork.id) return null;
	const changed = match.route.tag === 'Forks' ? [...target, MAIN, ...forkNamesIn(body)] : target;
	if (changed.some((id) => id.includes('$'))) return null;
	return { changed, read: [], snapshots: SNAPSHOT_ROUTES.has(match.route.id) };
}

function matchOf(method: string, path: string): RouteMatch | null {
	try {
		return findRoute(method, path);
	} catch (error) {
		if (error instanceof ApiError) return null;
		throw error;
	}
}

/** Returns the worlds that the body of a request about forks names. */
function forkNamesIn(body: unknown): string[] {
	const { fork_id, from, keep_as } = (body ?? {}) as Readonly<Record<string, unknown>>;
	return [fork_id, from, keep_as].filter((name) => typeof name === 'string');
}
