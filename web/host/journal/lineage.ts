/**
 * Lineage of a world: the entries of a journal that must be re-run to rebuild it at a moment, and the worlds that they need from the
 * state before. With many forks, this is a small part of the journal.
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
const BRINGS = new Set<string>(['read', 'public', 'ask']);

/** Routes that need the snapshots of a world. */
const GOES_BACK = new Set<string>([restoreSnapshot.id, deleteSnapshot.id]);

export interface Lineage {
	/** Worlds that are needed from the state before the entries. */
	readonly begins: ReadonlySet<string>;
	/** True if the snapshots of that state are needed. */
	readonly snapshots: boolean;
	/** Entries to re-run, each with the worlds that must be right after it. Only the play ticks of these worlds are re-run. */
	readonly entries: ReadonlyMap<number, ReadonlySet<string>>;
}

/** Worlds and assets of a call. */
interface Dealings {
	/**
	 * Worlds that the call may have changed, with their snapshots; none if it changed only shared data, such as assets.
	 */
	readonly changed: readonly string[];
	/** Worlds that it only read. */
	readonly looked: readonly string[];
	/** True if it needs earlier snapshots. */
	readonly snapshots: boolean;
}

/**
 * Returns the lineage of a world from the state before entry `from` up to entry `end`; null if all entries must be re-run.
 */
export async function lineageOf(
	journal: Journal,
	world: string,
	from: number,
	end: number,
): Promise<Lineage | null> {
	const calls = new Map<number, Dealings & { readonly brings: boolean }>();
	let next = from;
	for await (const { at, entry: bytes } of rawEntries(journal, from, { end })) {
		const { head, ...entry } = decodeEntry(bytes);
		next = at + 1;
		if (head.kind !== 'call') continue;
		const dealings = await dealingsOf({ ...entry, head }, journal, at);
		if (dealings === null) return null;
		calls.set(at, { ...dealings, brings: head.told?.some(({ what }) => BRINGS.has(what)) === true });
	}
	let worlds: ReadonlySet<string> = new Set([world]);
	let snapshots = false;
	const entries = new Map<number, ReadonlySet<string>>();
	for (let at = next - 1; at >= from; at--) {
		const call = calls.get(at);
		const { changed = [], looked = [] } = call ?? {};
		if (changed.length > 0 && !changed.some((id) => worlds.has(id))) {
			if (call?.brings) return null;
			continue;
		}
		entries.set(at, worlds);
		snapshots ||= call?.snapshots === true;
		const more = [...changed, ...looked].filter((id) => !worlds.has(id));
		if (more.length > 0) worlds = new Set([...worlds, ...more]);
	}
	return { begins: worlds, snapshots, entries };
}

/** Returns the worlds of a call; null if they cannot be determined. */
async function dealingsOf(
	entry: ReadEntry & { readonly head: CallHead },
	journal: Journal,
	at: number,
): Promise<Dealings | null> {
	const { head } = entry;
	const match = findRoute(head.method, head.path);
	const { route } = match;
	const found = [...head.worlds.map(({ id }) => id), ...(head.gone ?? [])];
	if (route.id === createFork.id) {
		const { from } = JSON.parse(text(await bodyOfCall(entry, journal, at))) as Body<typeof createFork>;
		return { changed: found, looked: [from ?? head.world], snapshots: false };
	}
	if (route.id === stepForks.id) {
		const { steps } = JSON.parse(text(await bodyOfCall(entry, journal, at))) as Body<typeof stepForks>;
		const looked = steps.flatMap(({ from }) => (from == null ? [] : [from]));
		// A request may restore a snapshot that its fork had before.
		const snapshots = steps.some(({ requests }) =>
			requests?.some(({ path }) => path.startsWith('/snapshot/')),
		);
		return { changed: [...found, ...steps.map(({ fork_id }) => fork_id)], looked, snapshots };
	}
	const snapshots = GOES_BACK.has(route.id);
	if (route.id !== batch.id)
		return { changed: [...found, ...aboutOf(match, head.world)], looked: [], snapshots };
	const { requests } = JSON.parse(text(await bodyOfCall(entry, journal, at))) as Body<typeof batch>;
	const within = requests.map((request) => withinOf(request, head.world));
	if (!within.every((dealings) => dealings !== null)) return null;
	return {
		changed: [head.world, ...found, ...within.flatMap(({ changed }) => changed)],
		looked: [],
		snapshots: within.some((dealings) => dealings.snapshots),
	};
}

const decoder = new TextDecoder();
const text = (bytes: Uint8Array): string => decoder.decode(bytes);

/** Returns the world of a call, from its path or `world`; an empty list if the call has none. */
function aboutOf({ route, params }: RouteMatch, world: string): string[] {
	if (route.path.startsWith('/fork/{id}')) return [params.id!];
	return route.world === false ? [] : [world];
}

/** Returns the worlds of a request of a batch; null if they cannot be determined. */
function withinOf(
	{ method = 'POST', path: sent, body }: Body<typeof batch>['requests'][number],
	world: string,
): Dealings | null {
	const { path, query } = pathAndQuery(sent);
	const match = matchOf(method, path);
	// The request was refused, or its path contains a reference to an earlier answer.
	if (match === null) return path.includes('$') ? null : { changed: [], looked: [], snapshots: false };
	const about = aboutOf(match, new URLSearchParams(query).get('world') ?? world);
	// Later requests may use the answer of one that reads all worlds.
	if (about.length === 0 || match.route.id === diffFork.id) return null;
	const changed = match.route.tag === 'Forks' ? [...about, MAIN, ...namesIn(body)] : about;
	if (changed.some((id) => id.includes('$'))) return null;
	return { changed, looked: [], snapshots: GOES_BACK.has(match.route.id) };
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
function namesIn(body: unknown): string[] {
	const { fork_id, from, keep_as } = (body ?? {}) as Readonly<Record<string, unknown>>;
	return [fork_id, from, keep_as].filter((name) => typeof name === 'string');
}
