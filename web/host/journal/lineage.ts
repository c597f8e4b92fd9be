/**
 * Origin of a world: the entries of a journal that must be re-run to rebuild it at a moment, and the worlds that they
 * need from the state before. With many forks that is little of what the journal says.
 * Owns: what a call had to do with, told by its entry and what it was sent. Where that cannot be told, there is no
 * lineage, and all is rebuilt.
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

/** Facts from outside that later calls use too: assets. */
const BRINGS = new Set<string>(['read', 'public', 'ask']);

/** Routes that need the snapshots that a world has. */
const GOES_BACK = new Set<string>([restoreSnapshot.id, deleteSnapshot.id]);

export interface Lineage {
	/** The worlds of the state that it begins with. */
	readonly begins: ReadonlySet<string>;
	/** True if the snapshots of that time are needed. */
	readonly snapshots: boolean;
	/** By entry that is rebuilt: the worlds that have to be right after it. Of ticks of play, only theirs are made. */
	readonly entries: ReadonlyMap<number, ReadonlySet<string>>;
}

/** Worlds and assets of a call. */
interface Dealings {
	/**
	 * Worlds that it may have changed, with their snapshots; none if it was about none, but what all share, such as
	 * assets.
	 */
	readonly changed: readonly string[];
	/** Worlds that it only looked at. */
	readonly looked: readonly string[];
	/** True if it needs the snapshots of that time. */
	readonly snapshots: boolean;
}

/**
 * Returns the lineage of a world, from the state before entry `from` up to entry `end`; null where all has to be
 * rebuilt.
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

/** Null if it cannot be told. */
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

/** Returns the worlds that a call is about, by its path or `world`; none if it is about no world. */
function aboutOf({ route, params }: RouteMatch, world: string): string[] {
	if (route.path.startsWith('/fork/{id}')) return [params.id!];
	return route.world === false ? [] : [world];
}

/** Returns the same of a request of a batch. */
function withinOf(
	{ method = 'POST', path: sent, body }: Body<typeof batch>['requests'][number],
	world: string,
): Dealings | null {
	const { path, query } = pathAndQuery(sent);
	const match = matchOf(method, path);
	// It was refused, or its path was made of an earlier answer.
	if (match === null) return path.includes('$') ? null : { changed: [], looked: [], snapshots: false };
	const about = aboutOf(match, new URLSearchParams(query).get('world') ?? world);
	// What looks at all worlds may have told later requests of any.
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

/** Worlds that the body of a request about forks names. */
function namesIn(body: unknown): string[] {
	const { fork_id, from, keep_as } = (body ?? {}) as Readonly<Record<string, unknown>>;
	return [fork_id, from, keep_as].filter((name) => typeof name === 'string');
}
