/**
 * Re-runs a journal from a state on, entry by entry, at full speed, and compares the results with the recorded ones.
 * Owns: the effect of an entry, and the error if a result differs.
 * Never: writes to a journal.
 */

import { ApiError, ERRORS } from '../../../shared/contract/errors.ts';
import type { Principal } from '../../../shared/contract/principal.ts';
import { reasonOf } from '../../../shared/contract/reason.ts';
import type { WireRequest } from '../../../shared/contract/wire.ts';
import { type Journal, JournalError } from '../../../shared/transport/journal.ts';
import {
	type BetweenHead,
	type CallHead,
	decodeEntry,
	type ReadEntry,
	type WorldStateHead,
} from '../../../shared/transport/journal-entry.ts';
import { digest } from '../../sim/core/digest.ts';
import { step } from '../../sim/step.ts';
import type { Assets } from '../../store/assets.ts';
import { RunningCall } from '../../store/call-list.ts';
import { blobOf, bodyOfCall } from '../../store/journal-body.ts';
import type { Keys } from '../../store/keys.ts';
import type { Verifier } from '../../store/verifier.ts';
import type { WorldEntry, Worlds } from '../../store/worlds.ts';
import type { CallResult } from '../dispatch.ts';
import type { OutsideFacts } from '../outside-facts.ts';
import type { Lineage } from './lineage.ts';
import { rawEntries } from './raw-entries.ts';
import { ReplayedChecks, ReplayedFacts } from './recording.ts';

/** End of a replay: before an entry, or within an entry as soon as a world is at a tick. */
export interface ReplayEnd {
	readonly entry: number;
	readonly within?: { readonly world: string; readonly tick: number };
	/** The only world that is needed. Other worlds are rebuilt only if it depends on them. */
	readonly world?: string;
	/** Begins with the newest state at or before this entry. If omitted, with the newest state before the end. */
	readonly from?: number;
	/** True to continue after results that differ. */
	readonly isUnchecked?: true;
	/** Entries that are skipped. */
	readonly skippedEntries?: ReadonlySet<number>;
	/** Calls that replace an entry, and calls that are inserted before one, by entry. */
	readonly replacements?: ReadonlyMap<number, AddedCall>;
	readonly insertions?: ReadonlyMap<number, AddedCall>;
	readonly watch?: ReplayWatch;
	/** Search that may end the replay. */
	readonly search?: ReplaySearch;
	/** Called before each tick. Returns the verifier that re-runs it; null for none. */
	readonly verifier?: () => Verifier | null;
}

/** A call that the journal does not have. */
export interface AddedCall {
	readonly request: WireRequest;
	readonly sender: Principal;
	/** World of the call if it names none. */
	readonly world: string;
}

/** Search during a replay. Its methods return true to end the replay. */
export interface ReplaySearch {
	/** Called after a tick of a world within an entry. */
	onTick(entry: number, of: WorldEntry): boolean;
	/** Called after an entry. */
	onEntryEnd(entry: number, worlds: Worlds): boolean;
}

/** Observes the calls that are re-run. */
export interface ReplayWatch {
	beforeCall(entry: number, worlds: Worlds): void;
	/** `done`: the new result. `isOther`: the journal does not have this call. `call`: method and path. */
	afterCall(entry: number, worlds: Worlds, done: CallResult, isOther: boolean, call: string): void;
}

/** Pauses and cancellation of a replay. */
export interface ReplayPace {
	/** Called with each call that is re-run, so that it can be cancelled. */
	onCall(running: RunningCall): void;
	/** Called between entries. Rejects if the caller no longer waits. */
	yieldIfDue(): Promise<void>;
}

/** Engine whose worlds are replayed. It gets no calls yet. */
export interface ReplayedWorlds {
	readonly worlds: Worlds;
	readonly assets: Assets;
	readonly keys: Keys;
	/** Maximum size of a file in bytes. */
	readonly mostFileBytes: number;
	/** Lineage whose entries are re-run; null for all entries. */
	readonly lineage: Lineage | null;
	/** Re-runs a call with recorded facts. */
	rerunCall(request: WireRequest, running: RunningCall, outside: OutsideFacts): Promise<CallResult>;
	/** Called after each entry, with the number of the next one. The replay waits for the promise. */
	readonly progress?: (next: number) => Promise<void> | undefined;
	readonly pace?: ReplayPace | undefined;
	/** Called before the ticks of play of a world, and after each of them. */
	readonly beforeTicks?: (entry: WorldEntry) => void;
	readonly afterTick?: (entry: WorldEntry) => void;
	/** Called with a world that stopped playing because its last tick differed. */
	readonly onDiverged?: (entry: WorldEntry, message: string) => void;
}

/** Fix in the halt of a world whose tick diverged. */
const [, DIVERGED_FIX] = ERRORS.diverged;

/** Error of a replay whose result differs from the recorded one. */
export class JournalDivergence extends JournalError {
	readonly entry: number;
	/** Id of the world that differs; null if the difference is not in one world. */
	readonly world: string | null;
	/** Last earlier entry after which the world's digest was equal; null if none was compared. */
	readonly lastEqual: number | null;

	constructor(entry: number, what: string, world: string | null, why: string, same: number | null = null) {
		super('damaged', `Replaying entry ${entry} of the journal (${what}) gave a different result: ${why}`);
		this.entry = entry;
		this.world = world;
		this.lastEqual = same;
	}
}

/**
 * Re-runs the entries from `from` on, up to `moment` if it is given. Returns the number of the next entry. Rejects with a
 * `JournalError`.
 */
export async function replay(
	target: ReplayedWorlds,
	journal: Journal,
	from: number,
	moment?: ReplayEnd,
): Promise<number> {
	const lastEqualEntries: EqualEntries | null = moment?.isUnchecked === true ? null : new Map();
	if (moment?.search?.onEntryEnd(from - 1, target.worlds)) return from;
	let next = from;
	for await (const { at, entry: bytes } of rawEntries(journal, from)) {
		const isEnd = moment !== undefined && at >= moment.entry;
		const within = isEnd ? moment.within : undefined;
		if (isEnd && within === undefined) return at;
		await target.pace?.yieldIfDue();
		next = at + 1;
		const insertion = moment?.insertions?.get(at);
		if (insertion !== undefined) await runAddedCall(target, journal, insertion, at, moment);
		if (moment?.skippedEntries?.has(at)) continue;
		const replacement = moment?.replacements?.get(at);
		if (replacement !== undefined) {
			await runAddedCall(target, journal, replacement, at, moment);
			if (moment?.search?.onEntryEnd(at, target.worlds)) return at;
			continue;
		}
		const entry = decodeEntry(bytes);
		const { head } = entry;
		const neededWorlds = target.lineage?.entries.get(at);
		if (target.lineage !== null && neededWorlds === undefined) skipEntry(target, head);
		else if (head.kind === 'between')
			await rerunTicks(
				target,
				journal,
				selectWorlds(head, neededWorlds),
				at,
				within,
				lastEqualEntries,
				moment,
			);
		else await runCall(target, journal, { ...entry, head }, at, within, lastEqualEntries, moment);
		if (within !== undefined || moment?.search?.onEntryEnd(at, target.worlds)) return at;
		const pause = target.progress?.(next);
		if (pause !== undefined) await pause;
	}
	return next;
}

/** Skips an entry that no needed world depends on. If it deleted a world that still exists here, deletes that world. */
function skipEntry({ worlds }: ReplayedWorlds, head: ReadEntry['head']): void {
	if (head.kind === 'call')
		for (const id of head.gone ?? []) if (worlds.forkIds().includes(id)) worlds.deleteFork(id);
	setPlaying(worlds, head.playing);
}

/** Returns a head without the ticks and halts of other worlds. */
function selectWorlds(head: BetweenHead, neededWorlds: ReadonlySet<string> | undefined): BetweenHead {
	if (neededWorlds === undefined) return head;
	const { worlds, halted, ...rest } = head;
	const neededHeads = worlds.filter(({ id }) => neededWorlds.has(id));
	return {
		...rest,
		worlds: neededHeads,
		...(halted && { halted: halted.filter(({ id }) => neededWorlds.has(id)) }),
	};
}

/** Returns the condition for ending a call early; null for none. */
function endConditionOf(
	at: number,
	within: ReplayEnd['within'],
	search: ReplaySearch | undefined,
): ((advancing: WorldEntry) => boolean) | null {
	if (within !== undefined) return ({ id, world }) => id === within.world && world.tick === within.tick;
	return search === undefined ? null : (advancing) => search.onTick(at, advancing);
}

async function rerunTicks(
	{ worlds, assets, beforeTicks, afterTick, onDiverged }: ReplayedWorlds,
	journal: Journal,
	head: BetweenHead,
	at: number,
	within: ReplayEnd['within'],
	compared: EqualEntries | null,
	{ search, verifier }: Pick<ReplayEnd, 'search' | 'verifier'> = {},
): Promise<void> {
	for (const hash of head.assets ?? []) await assets.put(await blobOf(journal, hash, at));
	for (const { id, ticks } of head.worlds) {
		const entry = requireWorld(worlds, id, at, headName(head));
		const count = within?.world === id ? Math.min(ticks, within.tick - entry.world.tick) : ticks;
		beforeTicks?.(entry);
		for (let index = 0; index < count; index++) {
			const tick = () => void step(entry.world);
			const verifying = verifier?.() ?? null;
			if (verifying === null) tick();
			else verifying.runTick(id, entry.world, undefined, tick);
			afterTick?.(entry);
			if (search?.onTick(at, entry)) return;
		}
		worlds.room.acceptTicks(entry);
	}
	setPlaying(worlds, head.playing);
	for (const { id, ...why } of head.halted ?? []) {
		const entry = requireWorld(worlds, id, at, headName(head));
		entry.halted = why;
		if (why.fix === DIVERGED_FIX) onDiverged?.(entry, why.message);
	}
	if (within === undefined) compareWorlds(worlds, head, head.worlds, at, compared);
}

async function runCall(
	to: ReplayedWorlds,
	journal: Journal,
	{ head, body }: ReadEntry & { readonly head: CallHead },
	at: number,
	within: ReplayEnd['within'],
	compared: EqualEntries | null,
	{ watch, search }: Pick<ReplayEnd, 'watch' | 'search'> = {},
): Promise<void> {
	const { worlds } = to;
	const { method, path, query, headers } = head;
	const sent = await bodyOfCall({ head, body }, journal, at);
	const request: WireRequest = { method, path, query, headers, body: sent };
	if (head.overtook !== true) {
		const running = new RunningCall(0, request, head.sender, 0, head.world);
		running.replayEdge = head.stop ?? null;
		running.isReplayEnd = endConditionOf(at, within, search);
		worlds.room.override.checks = new ReplayedChecks(head.full ?? []);
		const blob = (hash: string) => journal.blob(hash);
		let result: CallResult;
		to.pace?.onCall(running);
		watch?.beforeCall(at, worlds);
		try {
			result = await to.rerunCall(
				request,
				running,
				new ReplayedFacts(head.told ?? [], blob, to.mostFileBytes),
			);
		} catch (error) {
			throw divergence(at, head, null, reasonOf(error));
		} finally {
			worlds.room.override.checks = null;
		}
		await to.pace?.yieldIfDue();
		if (within !== undefined || search?.onEntryEnd(at, worlds)) return;
		watch?.afterCall(at, worlds, result, false, headName(head));
		if (head.call !== undefined && head.key === undefined)
			to.keys.keepCall({ ...result.response, key: ` ${head.call}` });
		const { status } = result.response;
		if (status !== head.status && compared !== null)
			throw divergence(
				at,
				head,
				null,
				`its status was ${head.status} and is now ${status}. ${result.fix ?? ''}`,
			);
	}
	setPlaying(worlds, head.playing);
	compareWorlds(worlds, head, head.worlds, at, compared);
	for (const id of head.gone ?? [])
		if (worlds.all().some((entry) => entry.id === id))
			throw divergence(at, head, id, `it deleted the world "${id}", which now still exists.`);
	if (head.key !== undefined) to.keys.keepKey([head.key, at, head.at]);
}

/** Runs a call that the journal does not have. It has no facts from outside, and is refused if it needs some. */
async function runAddedCall(
	to: ReplayedWorlds,
	journal: Journal,
	{ request, sender, world }: AddedCall,
	at: number,
	{ watch, search }: Pick<ReplayEnd, 'watch' | 'search'> = {},
): Promise<void> {
	const running = new RunningCall(0, request, sender, 0, world);
	running.isReplayEnd = endConditionOf(at, undefined, search);
	to.worlds.room.override.checks = new ReplayedChecks([]);
	to.pace?.onCall(running);
	watch?.beforeCall(at, to.worlds);
	try {
		const blob = (hash: string) => journal.blob(hash);
		watch?.afterCall(
			at,
			to.worlds,
			await to.rerunCall(request, running, new ReplayedFacts([], blob, to.mostFileBytes)),
			true,
			`${request.method} ${request.path}`,
		);
	} catch (error) {
		if (!(error instanceof JournalError)) throw error;
		throw new ApiError(
			'invalid_body',
			`${request.method} ${request.path} needs a file, the journal or a picture, which a replay does not have.`,
			{ fix: 'Send a request that needs only its body and the world.' },
		);
	} finally {
		to.worlds.room.override.checks = null;
	}
	await to.pace?.yieldIfDue();
}

function setPlaying(worlds: Worlds, playing: CallHead['playing'] = []): void {
	const speeds = new Map(playing.map(({ id, speed }) => [id, speed]));
	for (const entry of worlds.all()) {
		const speed = speeds.get(entry.id);
		entry.playing = speed !== undefined;
		if (speed === undefined) continue;
		entry.speed = speed;
		entry.halted = undefined;
	}
}

function compareWorlds(
	worlds: Worlds,
	head: CallHead | BetweenHead,
	standing: readonly WorldStateHead[],
	at: number,
	compared: EqualEntries | null,
): void {
	if (compared === null) return;
	for (const recorded of standing) {
		const { world } = requireWorld(worlds, recorded.id, at, headName(head));
		if (world.tick !== recorded.tick)
			throw divergence(
				at,
				head,
				recorded.id,
				`the world "${recorded.id}" was at tick ${recorded.tick} and is now at tick ${world.tick}.`,
			);
		if (recorded.digest === undefined) continue;
		const currentDigest = digest(world);
		if (currentDigest !== recorded.digest)
			throw divergence(
				at,
				head,
				recorded.id,
				`the digest of the world "${recorded.id}" at tick ${recorded.tick} was ${recorded.digest} and is now ${currentDigest}. ${describeLastEqual(compared, recorded.id)}`,
				compared.get(recorded.id),
			);
		compared.set(recorded.id, at);
	}
}

/** By world, the last entry with an equal digest. */
type EqualEntries = Map<string, number>;

function describeLastEqual(compared: EqualEntries, id: string): string {
	const last = compared.get(id);
	return last === undefined
		? 'No earlier entry was compared.'
		: `The digest last matched after entry ${last}.`;
}

const headName = (head: CallHead | BetweenHead): string =>
	head.kind === 'call' ? `${head.method} ${head.path}` : 'ticks of play';

const divergence = (
	at: number,
	head: CallHead | BetweenHead,
	world: string | null,
	why: string,
	same?: number,
) => new JournalDivergence(at, headName(head), world, why, same);

function requireWorld(worlds: Worlds, id: string, at: number, what: string): WorldEntry {
	const entry = worlds.all().find((worldEntry) => worldEntry.id === id);
	if (entry === undefined)
		throw new JournalDivergence(at, what, id, `the world "${id}" existed and is now missing.`);
	return entry;
}
