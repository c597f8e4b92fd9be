/**
 * Undo and redo: rebuilds a world without the last write of a sender, or with an undone one.
 * Owns: the choice of the write, the re-run of later entries, and the check that writes of others give equal results.
 * Never: changes a world that is in use.
 */

import { ApiError } from '../../../shared/contract/errors.ts';
import { batch } from '../../../shared/routes/batch.ts';
import { createFork, promoteFork } from '../../../shared/routes/forks.ts';
import { probe, probeFork, restoreSnapshot, takeSnapshot } from '../../../shared/routes/snapshots.ts';
import { type Journal, JournalError } from '../../../shared/transport/journal.ts';
import { type CallHead, decodeEntry } from '../../../shared/transport/journal-entry.ts';
import { findRoute } from '../../api/find-route.ts';
import type { JournalLine, UndoResult, UndoTurn } from '../../api/host-journal.ts';
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
import { UNDO } from './recording.ts';
import { JournalDivergence, type ReplayEnd, type ReplayWatch } from './replay.ts';

/** Routes that may keep a world as it is, and those that restore a kept one; a batch may contain either. */
const BRINGS = new Set<string>([restoreSnapshot, promoteFork, batch].map(({ id }) => id));
const KEEPS = new Set<string>(
	[takeSnapshot, createFork, promoteFork, probe, probeFork, batch].map(({ id }) => id),
);

/** Maximum number of entries that are searched for writes to undo. */
const MAX_BACK = 100_000;

/** Rebuilds the worlds of a moment, calls `look` with them, and frees them. */
export type WithPastWorlds = <T>(moment: ReplayEnd, look: (worlds: Worlds) => T) => Promise<T>;

interface JournalWrite {
	readonly entry: number;
	readonly sender: string;
	readonly call: string;
	/** It only makes ticks. */
	readonly steps: boolean;
}

/** A write was undone, or redone. */
interface UndoneCall {
	readonly entry: number;
	readonly took: number;
	readonly redo: boolean;
}

/** Known writes to one world. */
interface UndoHistory {
	/** Writes that a sender can undo, and those that it can do again; the last comes first in line. */
	readonly done: JournalWrite[];
	readonly undone: JournalWrite[];
	readonly taken: UndoneCall[];
	/** Writes of others, oldest first. */
	readonly others: JournalWrite[];
	/** Writes that put a snapshot or a fork in place of the world, and batches, which may. */
	readonly brought: JournalWrite[];
	/** Entries that may have kept a world as a snapshot or a fork. */
	readonly keeping: number[];
}

/** State in which an undo finds a world. */
export interface Now {
	/** Of the world whose turn it is. */
	readonly digest: string;
	readonly assets: AssetBytes;
}

/** Rejects with `nothing_to_undo`, `depended_on`, `journal_cut` or `asset_missing`. */
export async function undone(
	journal: Journal,
	turn: UndoTurn,
	now: Now,
	look: WithPastWorlds,
): Promise<UndoResult> {
	const past = await pastOf(journal, turn);
	const { world, sender, redo } = turn;
	const write = (redo ? past.undone : past.done).at(-1);
	if (write === undefined)
		throw new ApiError(
			'nothing_to_undo',
			redo
				? `"${sender}" has no undone call in the world "${world}" to redo. A new call of the sender ends redo.`
				: `The journal has no call of "${sender}" in the world "${world}" that can be undone.`,
		);
	const { entry: took, call } = write;
	const before = skippedFrom(past.taken, took);
	const after: SkippedCalls = { from: before.from, entries: toggled(before.entries, took, redo) };
	for (const skipped of [before, after]) {
		const brought = await broughtElse(journal, past, skipped);
		if (brought !== undefined) throw dependedOn(brought, write, redo);
	}
	const { next, states } = await journal.extent();
	const state = states.findLast((at) => at <= before.from);
	if (state === undefined)
		throw new ApiError(
			'journal_cut',
			`${call} (entry ${took}) cannot be ${redo ? 'redone' : 'undone'}: no state before it is stored any more.`,
		);
	const moment = ({ entries }: SkippedCalls): ReplayEnd => ({
		entry: next,
		of: world,
		from: state,
		unchecked: true,
		without: entries,
	});
	const compared = past.others.filter(({ entry }) => entry > took && !before.entries.has(entry));
	const then = new ReplayChanges(world, compared);
	if (compared.length > 0) {
		const rebuiltDigest = await rebuildPast(then, compared, () =>
			look({ ...moment(before), watch: then }, (worlds) => digestOf(worlds, world)),
		);
		if (rebuiltDigest !== now.digest)
			throw new JournalError(
				'failed',
				`Replaying the journal did not give the current state of the world "${world}".`,
			);
	}
	const instead = new ReplayChanges(world, compared);
	const result = await rebuildPast(instead, compared, () =>
		look({ ...moment(after), watch: instead }, (worlds) => {
			const entry = worlds.find(world);
			return entry === undefined
				? null
				: { bytes: encodeWorld(entry.world), assets: availableHashesOf(entry.world) };
		}),
	);
	const differs = compared.find(({ entry }) => then.of.get(entry) !== instead.of.get(entry));
	if (differs !== undefined) throw dependedOn(differs, write, redo);
	if (redo && instead.refused.has(took))
		throw new ApiError('depended_on', `${call} (entry ${took}) cannot currently be redone.`);
	if (result === null)
		throw new ApiError('nothing_to_undo', `Without ${call}, the world "${world}" would not exist.`, {
			fix: 'To remove the world, delete its fork.',
		});
	const asset = result.assets.find((hash) => now.assets.find(hash) === undefined);
	if (asset !== undefined)
		throw new ApiError(
			'asset_missing',
			`${redo ? 'With' : 'Without'} ${call} (entry ${took}), the world would use the asset ${asset}, which has been deleted.`,
			{ fix: 'Upload the asset again with POST /asset/upload, then send this call again.' },
		);
	return { bytes: result.bytes, entry: next - 1, took, call, remade: next - took - 1 };
}

const digestOf = (worlds: Worlds, id: string): string | null => {
	const entry = worlds.find(id);
	return entry === undefined ? null : digest(entry.world);
};

/** Re-runs a past. What cannot be done in it depends on what it lacks. */
async function rebuildPast<T>(
	changes: ReplayChanges,
	compared: readonly JournalWrite[],
	make: () => Promise<T>,
): Promise<T> {
	try {
		return await make();
	} catch (error) {
		if (!(error instanceof JournalDivergence)) throw error;
		const write = compared.find(({ entry }) => entry === error.entry);
		if (write !== undefined) {
			changes.of.set(error.entry, error.message);
			throw new ApiError('depended_on', `After this change, ${writeText(write)} could not be re-run.`);
		}
		throw new ApiError('depended_on', `After this change, later calls could not be re-run: ${error.message}`);
	}
}

const writeText = ({ call, sender, entry }: JournalWrite): string =>
	`${call} of ${sender === '' ? 'a sender without a name' : `"${sender}"`} (entry ${entry})`;

function dependedOn(later: JournalWrite, write: JournalWrite, redo: boolean): ApiError {
	return new ApiError(
		'depended_on',
		`${writeText(later)} came after ${write.call} (entry ${write.entry}) and would have a different result ${redo ? 'with' : 'without'} it.`,
		{ details: { entry: later.entry, sender: later.sender } },
	);
}

export interface SkippedCalls {
	/** All that was undone or redone since stands from this entry on. */
	readonly from: number;
	/** Entries that are left out: writes that are undone, and those that undid or redid them. */
	readonly entries: ReadonlySet<number>;
}

/**
 * Returns the entries to leave out from an entry on, so that a world is as after another entry, with everything
 * undone at that time.
 */
export async function undoneUpTo(
	journal: Journal,
	world: string,
	from: number,
	to: number,
): Promise<SkippedCalls> {
	const { taken } = await pastOf(journal, { world, sender: '', redo: false });
	return skippedFrom(
		taken.filter(({ entry }) => entry <= to),
		from,
	);
}

/** Entries to leave out from a write on. One that undid still older ones reaches further back. */
function skippedFrom(taken: readonly UndoneCall[], write: number): SkippedCalls {
	let from = write;
	for (let before = -1; before !== from; ) {
		before = from;
		for (const item of taken) if (item.entry > from) from = Math.min(from, item.took);
	}
	const entries = new Set<number>();
	for (const { entry, took, redo } of taken.filter((candidate) => candidate.entry > from)) {
		entries.add(entry);
		if (redo) entries.delete(took);
		else entries.add(took);
	}
	return { from, entries };
}

/**
 * Returns a write whose result changes if entries are left out: it restores a snapshot or fork that was made under
 * another set of undone writes.
 */
async function broughtElse(
	journal: Journal,
	{ brought, keeping, taken }: UndoHistory,
	{ from, entries }: SkippedCalls,
): Promise<JournalWrite | undefined> {
	const takes = new Set(taken.map(({ entry }) => entry));
	const remaining = [...entries].filter((entry) => !takes.has(entry));
	const changed = keeping.find((at) => {
		if (at <= from) return false;
		const then = new Set<number>();
		for (const { entry, took, redo } of taken) {
			if (entry < from || entry > at) continue;
			if (redo) then.delete(took);
			else then.add(took);
		}
		const now = remaining.filter((entry) => entry < at);
		return now.length !== then.size || now.some((entry) => !then.has(entry));
	});
	if (changed === undefined) return undefined;
	for (const write of brought) {
		if (write.entry <= changed || entries.has(write.entry)) continue;
		if (write.call !== `${batch.method} ${batch.path}` || (await brings(journal, write.entry))) return write;
	}
	return undefined;
}

/** Returns true if a batch puts a snapshot or a fork in a world's place. */
async function brings(journal: Journal, at: number): Promise<boolean> {
	const [bytes] = await journal.read(at, 1);
	const { head, body } = decodeEntry(bytes!);
	const sent = head.kind === 'call' ? await bodyOfCall({ head, body }, journal, at) : body;
	const { requests } = JSON.parse(new TextDecoder().decode(sent)) as { requests: { path: string }[] };
	return requests.some(({ path }) => /\/(?:restore|promote)(?:\?|$)/.test(path));
}

function toggled(entries: ReadonlySet<number>, write: number, back: boolean): Set<number> {
	const toggledEntries = new Set(entries);
	if (back) toggledEntries.delete(write);
	else toggledEntries.add(write);
	return toggledEntries;
}

/** Known writes to a world, back to where the search ends. */
async function pastOf(journal: Journal, { world, sender }: UndoTurn): Promise<UndoHistory> {
	const { first, next } = await journal.extent();
	const begin = Math.max(first, next - MAX_BACK);
	const past: UndoHistory = { done: [], undone: [], taken: [], others: [], brought: [], keeping: [] };
	let isKnown = begin > 0 || world === 'main';
	for await (const line of entriesFrom(journal, begin)) {
		const { head } = line;
		if (head.kind !== 'call') continue;
		if (head.gone?.includes(world)) isKnown = false;
		const { route } = findRoute(head.method, head.path);
		if (KEEPS.has(route.id)) past.keeping.push(line.entry);
		if (head.overtook === true || !head.worlds.some(({ id }) => id === world)) continue;
		if (!isKnown) {
			// Here it began: what an older world of that name was is not its past.
			for (const list of Object.values(past)) list.length = 0;
			isKnown = true;
			continue;
		}
		const { entry } = line;
		const taken = takenIn(line, head, world);
		const mine = head.sender.name === sender;
		if (taken === null) {
			const { method, path } = head;
			const steps = route.effect === 'step';
			const write: JournalWrite = { entry, sender: head.sender.name, call: `${method} ${path}`, steps };
			if (BRINGS.has(route.id)) past.brought.push(write);
			if (!mine) past.others.push(write);
			else {
				past.done.push(write);
				past.undone.length = 0;
			}
			continue;
		}
		past.taken.push(taken);
		if (!mine) continue;
		const [from, to] = taken.redo ? [past.undone, past.done] : [past.done, past.undone];
		const at = from.findIndex((write) => write.entry === taken.took);
		if (at >= 0) to.push(...from.splice(at, 1));
	}
	return past;
}

/** Entry that an entry undid or redid; null for another. */
function takenIn({ entry }: JournalLine, head: CallHead, world: string): UndoneCall | null {
	if (head.world !== world) return null;
	const momentFact = head.told?.find(({ what, of }) => what === 'moment' && of.startsWith(`${UNDO} `))?.said;
	if (typeof momentFact !== 'object' || momentFact === null || Array.isArray(momentFact)) return null;
	return { entry, took: Number(momentFact.took), redo: momentFact.redo === true };
}

/** Changes of writes in a world, each as a short text: a large one is cut. A write that makes ticks changes their number: the ticks are re-run. */
class ReplayChanges implements ReplayWatch {
	readonly of = new Map<number, string>();
	/** Those that were refused. */
	readonly refused = new Set<number>();
	readonly #world: string;
	readonly #writes: ReadonlySet<number>;
	readonly #stepping: ReadonlySet<number>;
	#before: World | null = null;

	constructor(world: string, writes: readonly JournalWrite[]) {
		this.#world = world;
		this.#writes = new Set(writes.map(({ entry }) => entry));
		this.#stepping = new Set(writes.flatMap(({ entry, steps }) => (steps ? [entry] : [])));
	}

	begins(entry: number, worlds: Worlds): void {
		const world = this.#writes.has(entry) ? worlds.find(this.#world)?.world : undefined;
		this.#before = world === undefined ? null : clone(world);
	}

	ends(entry: number, worlds: Worlds, { ok, response }: CallResult): void {
		if (!ok) this.refused.add(entry);
		if (!this.#writes.has(entry)) return;
		const before = this.#before;
		const after = worlds.find(this.#world)?.world;
		const ticks = (after?.tick ?? 0) - (before?.tick ?? 0);
		const change = this.#stepping.has(entry) ? `ticks ${ticks}` : changeOf(before, after);
		this.of.set(entry, `${response.status} ${ok} ${change}`);
		this.#before = null;
		if (before !== null) dispose(before);
	}
}

function changeOf(before: World | null, after: World | undefined): string {
	if (before === null || after === undefined) return `${before === null} ${after === undefined}`;
	return hashJson(diffWorlds(before, after, Number.POSITIVE_INFINITY)).toString(16);
}
