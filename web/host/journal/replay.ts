/**
 * Makes what a journal says again: from a state on, entry by entry, at full speed, and compares all on the way.
 * Owns: the effect of an entry, and the error if a result differs. Never: writes to a journal.
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
import { Retelling, RoomsAsBefore } from './recording.ts';

/** Point to stop at: before an entry, or within it as soon as a world has a tick. */
export interface ReplayEnd {
	readonly entry: number;
	readonly within?: { readonly world: string; readonly tick: number };
	/** The only world that is looked at: of others, only what it came from is rebuilt. */
	readonly of?: string;
	/** Begin with the newest state at or before this entry, instead of the newest of all before the moment. */
	readonly from?: number;
	/** Go on whatever comes out, to see where it leads. */
	readonly unchecked?: true;
	/** Entries that are left out. */
	readonly without?: ReadonlySet<number>;
	/** Calls that are done in place of an entry, and before one. */
	readonly instead?: ReadonlyMap<number, OtherCall>;
	readonly before?: ReadonlyMap<number, OtherCall>;
	readonly watch?: ReplayWatch;
	/** Asked on the way where to stop. */
	readonly search?: ReplaySearch;
	/** Returns, before each tick, the trial that re-runs it; null for none. */
	readonly verifier?: () => Verifier | null;
}

/** A call that the journal does not have. */
export interface OtherCall {
	readonly request: WireRequest;
	readonly sender: Principal;
	/** The world that it is about when it names none. */
	readonly world: string;
}

/** Says where something is found, which ends the way. */
export interface ReplaySearch {
	/** After a tick of a world, made within an entry. */
	ticked(entry: number, of: WorldEntry): boolean;
	ended(entry: number, worlds: Worlds): boolean;
}

/** Looks on while calls are re-run. */
export interface ReplayWatch {
	begins(entry: number, worlds: Worlds): void;
	/** `done`: what it came to now. `isOther`: it is not the entry's. `call`: its method and path. */
	ends(entry: number, worlds: Worlds, done: CallResult, isOther: boolean, call: string): void;
}

/** For work that others may end, and that lets them have their turn. */
export interface ReplayPace {
	/** A call is re-run from now on. */
	begins(running: RunningCall): void;
	/** Called between entries. Rejects if the caller no longer waits. */
	breathe(): Promise<void>;
}

/** An engine that gets no calls yet. */
export interface ReplayedWorlds {
	readonly worlds: Worlds;
	readonly assets: Assets;
	readonly keys: Keys;
	/** The largest file that is read or written. */
	readonly mostFileBytes: number;
	/** Lineage whose entries are re-run; null for all entries. */
	readonly lineage: Lineage | null;
	/** Does a call as it was done. */
	call(request: WireRequest, running: RunningCall, outside: OutsideFacts): Promise<CallResult>;
	/** Called after each entry, with the number of the next; it may take its time over that. */
	readonly progress?: (next: number) => Promise<void> | undefined;
	readonly pace?: ReplayPace | undefined;
	/** Called before the ticks that a world made by itself, and after each. */
	readonly beforeTicks?: (entry: WorldEntry) => void;
	readonly madeTick?: (entry: WorldEntry) => void;
	/** Called with a world that stopped playing because its last tick differed. */
	readonly divergedBefore?: (entry: WorldEntry, message: string) => void;
}

/** Advice for a world that stopped this way. */
const [, DIVERGED] = ERRORS.diverged;

/** Something came out otherwise than it had. */
export class JournalDivergence extends JournalError {
	readonly entry: number;
	/** The world that differs; null if it is not one world. */
	readonly world: string | null;
	/** The last entry before it after which its digest was compared, and the same; null if it never was. */
	readonly same: number | null;

	constructor(entry: number, what: string, world: string | null, why: string, same: number | null = null) {
		super('damaged', `Replaying entry ${entry} of the journal (${what}) gave a different result: ${why}`);
		this.entry = entry;
		this.world = world;
		this.same = same;
	}
}

/** Applies the entries from `from` on, up to a moment if one is given. Answers the number of the next entry. Throws a `JournalError`. */
export async function replay(
	to: ReplayedWorlds,
	journal: Journal,
	from: number,
	moment?: ReplayEnd,
): Promise<number> {
	const compared: EndTicks | null = moment?.unchecked === true ? null : new Map();
	if (moment?.search?.ended(from - 1, to.worlds)) return from;
	let next = from;
	for await (const { at, entry: bytes } of rawEntries(journal, from)) {
		const isEnd = moment !== undefined && at >= moment.entry;
		const within = isEnd ? moment.within : undefined;
		if (isEnd && within === undefined) return at;
		await to.pace?.breathe();
		next = at + 1;
		const added = moment?.before?.get(at);
		if (added !== undefined) await otherCall(to, journal, added, at, moment);
		if (moment?.without?.has(at)) continue;
		const other = moment?.instead?.get(at);
		if (other !== undefined) {
			await otherCall(to, journal, other, at, moment);
			if (moment?.search?.ended(at, to.worlds)) return at;
			continue;
		}
		const entry = decodeEntry(bytes);
		const { head } = entry;
		const right = to.lineage?.entries.get(at);
		if (to.lineage !== null && right === undefined) passOver(to, head);
		else if (head.kind === 'between')
			await between(to, journal, only(head, right), at, within, compared, moment);
		else await call(to, journal, { ...entry, head }, at, within, compared, moment);
		if (within !== undefined || moment?.search?.ended(at, to.worlds)) return at;
		const rest = to.progress?.(next);
		if (rest !== undefined) await rest;
	}
	return next;
}

/** Skips an entry from which no requested world came. A world that it deleted may still exist here. */
function passOver({ worlds }: ReplayedWorlds, head: ReadEntry['head']): void {
	if (head.kind === 'call')
		for (const id of head.gone ?? []) if (worlds.forkIds().includes(id)) worlds.deleteFork(id);
	setPlaying(worlds, head.playing);
}

/** Changes without a call, of these worlds only. */
function only(head: BetweenHead, right: ReadonlySet<string> | undefined): BetweenHead {
	if (right === undefined) return head;
	const { worlds, halted, ...more } = head;
	const compared = worlds.filter(({ id }) => right.has(id));
	return { ...more, worlds: compared, ...(halted && { halted: halted.filter(({ id }) => right.has(id)) }) };
}

/** Returns the condition for ending a call early, if it has one. */
function endsWhen(
	at: number,
	within: ReplayEnd['within'],
	search: ReplaySearch | undefined,
): ((advancing: WorldEntry) => boolean) | null {
	if (within !== undefined) return ({ id, world }) => id === within.world && world.tick === within.tick;
	return search === undefined ? null : (advancing) => search.ticked(at, advancing);
}

async function between(
	{ worlds, assets, beforeTicks, madeTick, divergedBefore }: ReplayedWorlds,
	journal: Journal,
	head: BetweenHead,
	at: number,
	within: ReplayEnd['within'],
	compared: EndTicks | null,
	{ search, verifier }: Pick<ReplayEnd, 'search' | 'verifier'> = {},
): Promise<void> {
	for (const hash of head.assets ?? []) await assets.put(await blobOf(journal, hash, at));
	for (const { id, ticks } of head.worlds) {
		const entry = worldOf(worlds, id, at, headName(head));
		const most = within?.world === id ? Math.min(ticks, within.tick - entry.world.tick) : ticks;
		beforeTicks?.(entry);
		for (let count = 0; count < most; count++) {
			const tick = () => void step(entry.world);
			const verifying = verifier?.() ?? null;
			if (verifying === null) tick();
			else verifying.runTick(id, entry.world, undefined, tick);
			madeTick?.(entry);
			if (search?.ticked(at, entry)) return;
		}
		worlds.room.acceptTicks(entry);
	}
	setPlaying(worlds, head.playing);
	for (const { id, ...why } of head.halted ?? []) {
		const entry = worldOf(worlds, id, at, headName(head));
		entry.halted = why;
		if (why.fix === DIVERGED) divergedBefore?.(entry, why.message);
	}
	if (within === undefined) compare(worlds, head, head.worlds, at, compared);
}

async function call(
	to: ReplayedWorlds,
	journal: Journal,
	{ head, body }: ReadEntry & { readonly head: CallHead },
	at: number,
	within: ReplayEnd['within'],
	compared: EndTicks | null,
	{ watch, search }: Pick<ReplayEnd, 'watch' | 'search'> = {},
): Promise<void> {
	const { worlds } = to;
	const { method, path, query, headers } = head;
	const sent = await bodyOfCall({ head, body }, journal, at);
	const request: WireRequest = { method, path, query, headers, body: sent };
	if (head.overtook !== true) {
		const running = new RunningCall(0, request, head.sender, 0, head.world);
		running.endsAt = head.stop ?? null;
		running.endsWhen = endsWhen(at, within, search);
		worlds.room.override.checks = new RoomsAsBefore(head.full ?? []);
		const blob = (hash: string) => journal.blob(hash);
		let done: CallResult;
		to.pace?.begins(running);
		watch?.begins(at, worlds);
		try {
			done = await to.call(request, running, new Retelling(head.told ?? [], blob, to.mostFileBytes));
		} catch (error) {
			throw diverged(at, head, null, reasonOf(error));
		} finally {
			worlds.room.override.checks = null;
		}
		await to.pace?.breathe();
		if (within !== undefined || search?.ended(at, worlds)) return;
		watch?.ends(at, worlds, done, false, headName(head));
		if (head.call !== undefined && head.key === undefined)
			to.keys.keepCall({ ...done.response, key: ` ${head.call}` });
		const { status } = done.response;
		if (status !== head.status && compared !== null)
			throw diverged(at, head, null, `its status was ${head.status} and is now ${status}. ${done.fix ?? ''}`);
	}
	setPlaying(worlds, head.playing);
	compare(worlds, head, head.worlds, at, compared);
	for (const id of head.gone ?? [])
		if (worlds.all().some((entry) => entry.id === id))
			throw diverged(at, head, id, `it deleted the world "${id}", which now still exists.`);
	if (head.key !== undefined) to.keys.keep([head.key, at, head.at]);
}

/** Does a call that the journal does not have. What it would learn from outside is not known. */
async function otherCall(
	to: ReplayedWorlds,
	journal: Journal,
	{ request, sender, world }: OtherCall,
	at: number,
	{ watch, search }: Pick<ReplayEnd, 'watch' | 'search'> = {},
): Promise<void> {
	const running = new RunningCall(0, request, sender, 0, world);
	running.endsWhen = endsWhen(at, undefined, search);
	to.worlds.room.override.checks = new RoomsAsBefore([]);
	to.pace?.begins(running);
	watch?.begins(at, to.worlds);
	try {
		const blob = (hash: string) => journal.blob(hash);
		watch?.ends(
			at,
			to.worlds,
			await to.call(request, running, new Retelling([], blob, to.mostFileBytes)),
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
	await to.pace?.breathe();
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

function compare(
	worlds: Worlds,
	head: CallHead | BetweenHead,
	standing: readonly WorldStateHead[],
	at: number,
	compared: EndTicks | null,
): void {
	if (compared === null) return;
	for (const then of standing) {
		const { world } = worldOf(worlds, then.id, at, headName(head));
		if (world.tick !== then.tick)
			throw diverged(
				at,
				head,
				then.id,
				`the world "${then.id}" was at tick ${then.tick} and is now at tick ${world.tick}.`,
			);
		if (then.digest === undefined) continue;
		const now = digest(world);
		if (now !== then.digest)
			throw diverged(
				at,
				head,
				then.id,
				`the digest of the world "${then.id}" at tick ${then.tick} was ${then.digest} and is now ${now}. ${lastCompared(compared, then.id)}`,
				compared.get(then.id),
			);
		compared.set(then.id, at);
	}
}

/** By world the last entry that had its digest. */
type EndTicks = Map<string, number>;

function lastCompared(compared: EndTicks, id: string): string {
	const last = compared.get(id);
	return last === undefined
		? 'No earlier entry was compared.'
		: `The digest last matched after entry ${last}.`;
}

const headName = (head: CallHead | BetweenHead): string =>
	head.kind === 'call' ? `${head.method} ${head.path}` : 'ticks of play';

const diverged = (
	at: number,
	head: CallHead | BetweenHead,
	world: string | null,
	why: string,
	same?: number,
) => new JournalDivergence(at, headName(head), world, why, same);

function worldOf(worlds: Worlds, id: string, at: number, what: string): WorldEntry {
	const entry = worlds.all().find((worldEntry) => worldEntry.id === id);
	if (entry === undefined)
		throw new JournalDivergence(at, what, id, `the world "${id}" existed and is now missing.`);
	return entry;
}
