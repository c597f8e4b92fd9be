/**
 * Undo and redo: rebuilds a world without the last write of a sender, or with an undone write.
 * Owns: the choice of the write, the re-run of later entries, and the check that other senders' writes give equal results.
 * Never: changes a world that is in use.
 */

import { ApiError } from '../../../shared/contract/errors.ts';
import { batch } from '../../../shared/routes/batch.ts';
import { createFork, promoteFork } from '../../../shared/routes/forks.ts';
import { probe, probeFork, restoreSnapshot, takeSnapshot } from '../../../shared/routes/snapshots.ts';
import { type Journal, JournalError } from '../../../shared/transport/journal.ts';
import { type CallHead, decodeEntry } from '../../../shared/transport/journal-entry.ts';
import { findRoute } from '../../api/find-route.ts';
import type { JournalLine, UndoRequest, UndoResult } from '../../api/host-journal.ts';
import type { AssetBytes } from '../../sim/core/assets.ts';
import { clone, dispose } from '../../sim/core/clone.ts';
import { encodeWorld } from '../../sim/core/codec.ts';
import { digest, hashJson } from '../../sim/core/digest.ts';
import { availableHashesOf } from '../../sim/core/named-assets.ts';
import type { World } from '../../sim/core/world.ts';
import { diffWorlds } from '../../sim/diff/diff-worlds.ts';
import { bodyOfCall } from '../../store/journal-body.ts';
import type { Worlds } from '../../store/worlds.ts';
import type { CallResult } from '../dispatch.ts';
import { entriesFrom } from './history.ts';
import { UNDO_FACT } from './recording.ts';
import { JournalDivergence, type ReplayEnd, type ReplayWatch } from './replay.ts';

/** Routes that may restore a copy of a world, and routes that may keep one. A batch may do both. */
const RESTORE_ROUTES = new Set<string>([restoreSnapshot, promoteFork, batch].map(({ id }) => id));
const COPY_ROUTES = new Set<string>(
	[takeSnapshot, createFork, promoteFork, probe, probeFork, batch].map(({ id }) => id),
);

/** Maximum number of entries that are searched for writes to undo. */
const MAX_ENTRIES = 100_000;

/** Rebuilds the worlds of a moment, calls `visit` with them, and frees them. */
export type WithPastWorlds = <T>(moment: ReplayEnd, visit: (worlds: Worlds) => T) => Promise<T>;

interface JournalWrite {
	readonly entry: number;
	readonly sender: string;
	readonly call: string;
	/** True if the call only runs ticks. */
	readonly isStep: boolean;
}

/** A call that undid or redid the write of the entry `target`. */
interface UndoCall {
	readonly entry: number;
	readonly target: number;
	readonly isRedo: boolean;
}

/** Known writes to one world. */
interface UndoHistory {
	/** Writes that a sender can undo, and writes that it can redo. The last one is next. */
	readonly undoable: JournalWrite[];
	readonly redoable: JournalWrite[];
	readonly undoCalls: UndoCall[];
	/** Writes of other senders, oldest first. */
	readonly others: JournalWrite[];
	/** Writes that replaced the world by a snapshot or a fork, or may have done so in a batch. */
	readonly restores: JournalWrite[];
	/** Entries that may have kept a world as a snapshot or a fork. */
	readonly copyEntries: number[];
}

/** State of the worlds before an undo. */
export interface CurrentState {
	/** Digest of the world to change. */
	readonly digest: string;
	readonly assets: AssetBytes;
}

/**
 * Rebuilds a world with a write undone or redone. Rejects with `nothing_to_undo`, `depended_on`, `journal_cut` or
 * `asset_missing`.
 */
export async function undoWrite(
	journal: Journal,
	request: UndoRequest,
	current: CurrentState,
	withPast: WithPastWorlds,
): Promise<UndoResult> {
	const past = await readUndoHistory(journal, request);
	const { world, sender, redo } = request;
	const write = (redo ? past.redoable : past.undoable).at(-1);
	if (write === undefined)
		throw new ApiError(
			'nothing_to_undo',
			redo
				? `"${sender}" has no undone call in the world "${world}" to redo. A new call of the sender ends redo.`
				: `The journal has no call of "${sender}" in the world "${world}" that can be undone.`,
		);
	const { entry: took, call } = write;
	const currentSkips = skippedCallsFrom(past.undoCalls, took);
	const newSkips: SkippedCalls = {
		from: currentSkips.from,
		entries: toggleEntry(currentSkips.entries, took, redo),
	};
	for (const skipped of [currentSkips, newSkips]) {
		const conflict = await findChangedRestore(journal, past, skipped);
		if (conflict !== undefined) throw dependedOn(conflict, write, redo);
	}
	const { next, states } = await journal.extent();
	const state = states.findLast((at) => at <= currentSkips.from);
	if (state === undefined)
		throw new ApiError(
			'journal_cut',
			`${call} (entry ${took}) cannot be ${redo ? 'redone' : 'undone'}: no state before it is stored any more.`,
		);
	const replayEnd = ({ entries }: SkippedCalls): ReplayEnd => ({
		entry: next,
		world,
		from: state,
		isUnchecked: true,
		skippedEntries: entries,
	});
	const compared = past.others.filter(({ entry }) => entry > took && !currentSkips.entries.has(entry));
	const originalChanges = new ReplayChanges(world, compared);
	if (compared.length > 0) {
		const rebuiltDigest = await rebuildPast(originalChanges, compared, () =>
			withPast({ ...replayEnd(currentSkips), watch: originalChanges }, (worlds) => digestIn(worlds, world)),
		);
		if (rebuiltDigest !== current.digest)
			throw new JournalError(
				'failed',
				`Replaying the journal did not give the current state of the world "${world}".`,
			);
	}
	const newChanges = new ReplayChanges(world, compared);
	const result = await rebuildPast(newChanges, compared, () =>
		withPast({ ...replayEnd(newSkips), watch: newChanges }, (worlds) => {
			const entry = worlds.find(world);
			return entry === undefined
				? null
				: { bytes: encodeWorld(entry.world), assets: availableHashesOf(entry.world) };
		}),
	);
	const difference = compared.find(
		({ entry }) => originalChanges.changeByEntry.get(entry) !== newChanges.changeByEntry.get(entry),
	);
	if (difference !== undefined) throw dependedOn(difference, write, redo);
	if (redo && newChanges.refusedEntries.has(took))
		throw new ApiError('depended_on', `${call} (entry ${took}) cannot currently be redone.`);
	if (result === null)
		throw new ApiError('nothing_to_undo', `Without ${call}, the world "${world}" would not exist.`, {
			fix: 'To remove the world, delete its fork.',
		});
	const missingAsset = result.assets.find((hash) => current.assets.find(hash) === undefined);
	if (missingAsset !== undefined)
		throw new ApiError(
			'asset_missing',
			`${redo ? 'With' : 'Without'} ${call} (entry ${took}), the world would use the asset ${missingAsset}, which has been deleted.`,
			{ fix: 'Upload the asset again with POST /asset/upload, then send this call again.' },
		);
	return { bytes: result.bytes, entry: next - 1, took, call, remade: next - took - 1 };
}

const digestIn = (worlds: Worlds, id: string): string | null => {
	const entry = worlds.find(id);
	return entry === undefined ? null : digest(entry.world);
};

/** Re-runs a past. Rejects with `depended_on` if a later call cannot be re-run in it. */
async function rebuildPast<T>(
	changes: ReplayChanges,
	compared: readonly JournalWrite[],
	run: () => Promise<T>,
): Promise<T> {
	try {
		return await run();
	} catch (error) {
		if (!(error instanceof JournalDivergence)) throw error;
		const write = compared.find(({ entry }) => entry === error.entry);
		if (write !== undefined) {
			changes.changeByEntry.set(error.entry, error.message);
			throw new ApiError('depended_on', `After this change, ${describeWrite(write)} could not be re-run.`);
		}
		throw new ApiError('depended_on', `After this change, later calls could not be re-run: ${error.message}`);
	}
}

const describeWrite = ({ call, sender, entry }: JournalWrite): string =>
	`${call} of ${sender === '' ? 'a sender without a name' : `"${sender}"`} (entry ${entry})`;

function dependedOn(later: JournalWrite, write: JournalWrite, redo: boolean): ApiError {
	return new ApiError(
		'depended_on',
		`${describeWrite(later)} came after ${write.call} (entry ${write.entry}) and would have a different result ${redo ? 'with' : 'without'} it.`,
		{ details: { entry: later.entry, sender: later.sender } },
	);
}

/** Entries that a re-run must skip, so that undone writes stay undone. */
export interface SkippedCalls {
	/** First entry that may be skipped. */
	readonly from: number;
	/** Undone writes, and the calls that undid or redid a write. */
	readonly entries: ReadonlySet<number>;
}

/** Returns the entries to skip from entry `from` on, so that a re-run gives the world as it was after entry `to`. */
export async function undoneUpTo(
	journal: Journal,
	world: string,
	from: number,
	to: number,
): Promise<SkippedCalls> {
	const { undoCalls } = await readUndoHistory(journal, { world, sender: '', redo: false });
	return skippedCallsFrom(
		undoCalls.filter(({ entry }) => entry <= to),
		from,
	);
}

/** Returns the entries to skip from a write on. Begins earlier if a later call undid or redid an older write. */
function skippedCallsFrom(undoCalls: readonly UndoCall[], target: number): SkippedCalls {
	let from = target;
	for (let previous = -1; previous !== from; ) {
		previous = from;
		for (const item of undoCalls) if (item.entry > from) from = Math.min(from, item.target);
	}
	const entries = new Set<number>();
	for (const { entry, target, isRedo } of undoCalls.filter((candidate) => candidate.entry > from)) {
		entries.add(entry);
		if (isRedo) entries.delete(target);
		else entries.add(target);
	}
	return { from, entries };
}

/** Returns a write whose result changes if entries are skipped, because it restores a copy that other writes led to. */
async function findChangedRestore(
	journal: Journal,
	{ restores, copyEntries, undoCalls }: UndoHistory,
	{ from, entries }: SkippedCalls,
): Promise<JournalWrite | undefined> {
	const undoEntries = new Set(undoCalls.map(({ entry }) => entry));
	const undoneEntries = [...entries].filter((entry) => !undoEntries.has(entry));
	const changedCopy = copyEntries.find((at) => {
		if (at <= from) return false;
		const undoneAtCopy = new Set<number>();
		for (const { entry, target, isRedo } of undoCalls) {
			if (entry < from || entry > at) continue;
			if (isRedo) undoneAtCopy.delete(target);
			else undoneAtCopy.add(target);
		}
		const undoneNow = undoneEntries.filter((entry) => entry < at);
		return undoneNow.length !== undoneAtCopy.size || undoneNow.some((entry) => !undoneAtCopy.has(entry));
	});
	if (changedCopy === undefined) return undefined;
	for (const write of restores) {
		if (write.entry <= changedCopy || entries.has(write.entry)) continue;
		if (write.call !== `${batch.method} ${batch.path}` || (await hasRestore(journal, write.entry)))
			return write;
	}
	return undefined;
}

/** Returns true if a batch restores a snapshot or promotes a fork. */
async function hasRestore(journal: Journal, at: number): Promise<boolean> {
	const [entryBytes] = await journal.read(at, 1);
	const { head, body } = decodeEntry(entryBytes!);
	const bodyBytes = head.kind === 'call' ? await bodyOfCall({ head, body }, journal, at) : body;
	const { requests } = JSON.parse(new TextDecoder().decode(bodyBytes)) as { requests: { path: string }[] };
	return requests.some(({ path }) => /\/(?:restore|promote)(?:\?|$)/.test(path));
}

function toggleEntry(entries: ReadonlySet<number>, write: number, isRedo: boolean): Set<number> {
	const result = new Set(entries);
	if (isRedo) result.delete(write);
	else result.add(write);
	return result;
}

/** Returns the known writes to a world, among the newest `MAX_ENTRIES` entries. */
async function readUndoHistory(journal: Journal, { world, sender }: UndoRequest): Promise<UndoHistory> {
	const { first, next } = await journal.extent();
	const begin = Math.max(first, next - MAX_ENTRIES);
	const past: UndoHistory = {
		undoable: [],
		redoable: [],
		undoCalls: [],
		others: [],
		restores: [],
		copyEntries: [],
	};
	let hasBegun = begin > 0 || world === 'main';
	for await (const line of entriesFrom(journal, begin)) {
		const { head } = line;
		if (head.kind !== 'call') continue;
		if (head.gone?.includes(world)) hasBegun = false;
		const { route } = findRoute(head.method, head.path);
		if (COPY_ROUTES.has(route.id)) past.copyEntries.push(line.entry);
		if (head.overtook === true || !head.worlds.some(({ id }) => id === world)) continue;
		if (!hasBegun) {
			// The world begins with this entry. Entries of an older world of that name are not part of its past.
			for (const list of Object.values(past)) list.length = 0;
			hasBegun = true;
			continue;
		}
		const { entry } = line;
		const undoCall = undoCallIn(line, head, world);
		const isOwn = head.sender.name === sender;
		if (undoCall === null) {
			const { method, path } = head;
			const isStep = route.effect === 'step';
			const write: JournalWrite = { entry, sender: head.sender.name, call: `${method} ${path}`, isStep };
			if (RESTORE_ROUTES.has(route.id)) past.restores.push(write);
			if (!isOwn) past.others.push(write);
			else {
				past.undoable.push(write);
				past.redoable.length = 0;
			}
			continue;
		}
		past.undoCalls.push(undoCall);
		if (!isOwn) continue;
		const [from, to] = undoCall.isRedo ? [past.redoable, past.undoable] : [past.undoable, past.redoable];
		const index = from.findIndex((write) => write.entry === undoCall.target);
		if (index >= 0) to.push(...from.splice(index, 1));
	}
	return past;
}

/** Returns the undo or redo in an entry; null for any other call. */
function undoCallIn({ entry }: JournalLine, head: CallHead, world: string): UndoCall | null {
	if (head.world !== world) return null;
	const fact = head.told?.find(({ what, of }) => what === 'moment' && of.startsWith(`${UNDO_FACT} `))?.said;
	if (typeof fact !== 'object' || fact === null || Array.isArray(fact)) return null;
	return { entry, target: Number(fact.took), isRedo: fact.redo === true };
}

/**
 * Records the changes that writes make in a world, each as a short text. For a write that only runs ticks, the text has only
 * their number.
 */
class ReplayChanges implements ReplayWatch {
	readonly changeByEntry = new Map<number, string>();
	/** Entries whose call was refused. */
	readonly refusedEntries = new Set<number>();
	readonly #world: string;
	readonly #writes: ReadonlySet<number>;
	readonly #stepEntries: ReadonlySet<number>;
	#before: World | null = null;

	constructor(world: string, writes: readonly JournalWrite[]) {
		this.#world = world;
		this.#writes = new Set(writes.map(({ entry }) => entry));
		this.#stepEntries = new Set(writes.flatMap(({ entry, isStep }) => (isStep ? [entry] : [])));
	}

	beforeCall(entry: number, worlds: Worlds): void {
		const world = this.#writes.has(entry) ? worlds.find(this.#world)?.world : undefined;
		this.#before = world === undefined ? null : clone(world);
	}

	afterCall(entry: number, worlds: Worlds, { ok, response }: CallResult): void {
		if (!ok) this.refusedEntries.add(entry);
		if (!this.#writes.has(entry)) return;
		const before = this.#before;
		const after = worlds.find(this.#world)?.world;
		const ticks = (after?.tick ?? 0) - (before?.tick ?? 0);
		const change = this.#stepEntries.has(entry) ? `ticks ${ticks}` : changeOf(before, after);
		this.changeByEntry.set(entry, `${response.status} ${ok} ${change}`);
		this.#before = null;
		if (before !== null) dispose(before);
	}
}

function changeOf(before: World | null, after: World | undefined): string {
	if (before === null || after === undefined) return `${before === null} ${after === undefined}`;
	return hashJson(diffWorlds(before, after, Number.POSITIVE_INFINITY)).toString(16);
}
