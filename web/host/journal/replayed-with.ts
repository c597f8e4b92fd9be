/**
 * Replays a range of a journal with changes: omitted, replaced or added calls.
 * Owns: the two replays of its entries, unchanged and changed, and their first difference.
 * Never: changes a world that is in use.
 */

import { ApiError } from '../../../shared/contract/errors.ts';
import { pathAndQuery } from '../../../shared/contract/path-and-query.ts';
import type { Principal } from '../../../shared/contract/principal.ts';
import { EMPTY_BODY } from '../../../shared/contract/wire.ts';
import { type Journal, JournalError } from '../../../shared/transport/journal.ts';
import { decodeEntry } from '../../../shared/transport/journal-entry.ts';
import type {
	AddedRequest,
	Outlook,
	ReplayedCall,
	ReplayedCalls,
	ReplayLook,
	ReplayRequest,
} from '../../api/host-journal.ts';
import { filterOf, untilCondition } from '../../sim/assertions/condition.ts';
import { encodeWorld } from '../../sim/core/codec.ts';
import { digest } from '../../sim/core/digest.ts';
import type { World } from '../../sim/core/world.ts';
import { ConditionLook } from '../../sim/rules/conditions/evaluate-condition.ts';
import type { WorldEntry, Worlds } from '../../store/worlds.ts';
import type { CallResult } from '../dispatch.ts';
import {
	type AddedCall,
	JournalDivergence,
	type ReplayEnd,
	type ReplaySearch,
	type ReplayWatch,
} from './replay.ts';
import { showMeasure } from './show-measure.ts';
import { undoneUpTo, type WithPastWorlds } from './undo-writes.ts';

/** Maximum number of listed calls whose answer differs. */
const MAX_CALLS = 100;
/** Maximum number of returned rows of fields. */
const MAX_ROWS = 1000;

/**
 * Replays a range with changes. `currentDigest`: digest of the current world. Rejects with `no_moment`, `journal_cut` or
 * `depended_on`.
 */
export async function replayWithChanges(
	journal: Journal,
	request: ReplayRequest,
	sender: Principal,
	currentDigest: string | undefined,
	withPast: WithPastWorlds,
): Promise<ReplayedCalls> {
	const { world } = request;
	const { first, next, states } = await journal.extent();
	const lastEntry = request.to ?? next - 1;
	const changedEntries = [
		...request.without,
		...request.instead.map(([at]) => at),
		...request.before.map(([at]) => at),
	];
	const from = Math.min(request.from ?? Number.POSITIVE_INFINITY, ...changedEntries);
	for (const entry of [...changedEntries, lastEntry])
		await requireStored(journal, entry, first, next, request);
	if (changedEntries.some((entry) => entry > lastEntry))
		throw new ApiError(
			'no_moment',
			`Entry ${Math.max(...changedEntries)} comes after the last entry to replay, ${lastEntry}.`,
		);
	const undoCalls = await undoneUpTo(journal, world, from, lastEntry);
	const state = states.findLast((at) => at <= undoCalls.from);
	if (state === undefined)
		throw new ApiError('journal_cut', `No state before entry ${undoCalls.from} is stored any more.`);
	const baseMoment = { entry: lastEntry + 1, world, from: state, isUnchecked: true as const };
	const addedCalls = (list: ReplayRequest['instead']) =>
		new Map(list.map(([at, added]) => [at, addedCallOf(added, sender, world)]));
	const run = (moment: ReplayEnd, tape: ReplayTape) =>
		withPast({ ...moment, watch: tape, search: tape }, (worlds) => {
			const entry = worlds.find(world);
			if (entry === undefined) return null;
			return {
				outlook: outlookOf(entry.world, request.look),
				bytes: request.keeps ? encodeWorld(entry.world) : null,
			};
		});
	const [originalTape, changedTape] = [new ReplayTape(world, from), new ReplayTape(world, from)];
	const original = await run({ ...baseMoment, skippedEntries: undoCalls.entries }, originalTape);
	if (original === null)
		throw new ApiError('no_moment', `There was no world "${world}" after entry ${lastEntry}.`);
	if (
		lastEntry === next - 1 &&
		currentDigest !== undefined &&
		original.outlook.state_digest !== currentDigest
	)
		throw new JournalError(
			'failed',
			`Replaying the journal did not give the current state of the world "${world}".`,
		);
	const result = await run(
		{
			...baseMoment,
			skippedEntries: new Set([...undoCalls.entries, ...request.without]),
			replacements: addedCalls(request.instead),
			insertions: addedCalls(request.before),
		},
		changedTape,
	).catch((error: unknown) => {
		if (!(error instanceof JournalDivergence)) throw error;
		throw new ApiError('depended_on', `With this change, later calls could not be re-run: ${error.message}`);
	});
	if (result === null)
		throw new ApiError('depended_on', `With this change, the world "${world}" would not exist.`);
	const calls = changedTape.changedSince(originalTape);
	return {
		bytes: result.bytes,
		from,
		to: lastEntry,
		original: original.outlook,
		replayed: result.outlook,
		first_difference: changedTape.firstDifference(originalTape),
		calls: calls.slice(0, MAX_CALLS),
		call_count: calls.length,
	};
}

/** Throws `no_moment` or `journal_cut` for an entry that is not stored, and for ticks of play that would be omitted or replaced. */
async function requireStored(
	journal: Journal,
	entry: number,
	first: number,
	next: number,
	{ without, instead }: ReplayRequest,
): Promise<void> {
	if (entry >= next || entry < 0)
		throw new ApiError(
			'no_moment',
			`The journal has no entry ${entry}: its entries are ${first} to ${next - 1}.`,
		);
	if (entry < first)
		throw new ApiError(
			'journal_cut',
			`Entry ${entry} is no longer stored. The oldest stored entry is ${first}.`,
		);
	if (!without.includes(entry) && !instead.some(([at]) => at === entry)) return;
	const [bytes] = await journal.read(entry, 1);
	if (decodeEntry(bytes!).head.kind === 'between')
		throw new ApiError('no_moment', `Entry ${entry} has ticks of play, which are not a call.`, {
			fix: 'Send the entry of a call, as GET /history?bodies=true lists them.',
		});
}

const encoder = new TextEncoder();

function addedCallOf(
	{ method, path: address, body }: AddedRequest,
	sender: Principal,
	world: string,
): AddedCall {
	const { path, query } = pathAndQuery(address);
	const namesWorld = /(?:^|&)world=/.test(query) || world === 'main' || path.startsWith('/fork/');
	const fullQuery = namesWorld
		? query
		: [query, `world=${encodeURIComponent(world)}`].filter((part) => part !== '').join('&');
	return {
		request: {
			method,
			path,
			query: fullQuery,
			headers: body === undefined ? {} : { 'content-type': 'application/json' },
			body: body === undefined ? EMPTY_BODY : encoder.encode(JSON.stringify(body)),
		},
		sender,
		world,
	};
}

/** Returns the requested values of a world. Throws `invalid_assertion`. */
function outlookOf(world: World, { conditions, fields, filter }: ReplayLook): Outlook {
	const look = new ConditionLook(world);
	const members = fields.length === 0 ? [] : look.members(filterOf(filter ?? 'any'));
	return {
		tick: world.tick,
		state_digest: digest(world),
		conditions: conditions.map((text, i) => {
			const { passed, message } = look.find(untilCondition(text, `conditions[${i}]`));
			return { passed, message };
		}),
		rows: members
			.slice(0, MAX_ROWS)
			.map((id) => [id, ...fields.map((field) => showMeasure(look, id, field))]),
	};
}

/** Recording of a replay: the digest at each tick, and the status of each call. */
class ReplayTape implements ReplaySearch, ReplayWatch {
	readonly #world: string;
	readonly #from: number;
	/** Last digest at each tick, and the entry that first led to it. */
	readonly #ticks = new Map<number, { readonly digest: string; readonly entry: number }>();
	readonly #calls: { readonly key: string; readonly call: ReplayedCall }[] = [];

	constructor(world: string, from: number) {
		this.#world = world;
		this.#from = from;
	}

	onTick(entry: number, { id, world }: Pick<WorldEntry, 'id' | 'world'>): boolean {
		if (id === this.#world) this.#record(entry, world);
		return false;
	}

	onEntryEnd(entry: number, worlds: Worlds): boolean {
		const sought = worlds.all().find(({ id }) => id === this.#world);
		if (sought !== undefined) this.#record(entry, sought.world);
		return false;
	}

	#record(entry: number, world: World): void {
		if (entry < this.#from - 1) return;
		const currentDigest = digest(world);
		if (this.#ticks.get(world.tick)?.digest !== currentDigest)
			this.#ticks.set(world.tick, { digest: currentDigest, entry });
	}

	beforeCall(): void {}

	afterCall(entry: number, _: Worlds, { response, fix }: CallResult, isOther: boolean, call: string): void {
		if (entry < this.#from) return;
		const key = isOther ? `other ${entry} ${this.#calls.length}` : String(entry);
		this.#calls.push({ key, call: { entry, call, was: null, status: response.status, fix: fix ?? null } });
	}

	/** Returns the first tick at which this recording differs from another. */
	firstDifference(other: ReplayTape): ReplayedCalls['first_difference'] {
		const ticks = [...new Set([...this.#ticks.keys(), ...other.#ticks.keys()])].sort((a, b) => a - b);
		for (const tick of ticks) {
			const [ownDigest, its] = [this.#ticks.get(tick), other.#ticks.get(tick)];
			if (ownDigest?.digest !== its?.digest) return { tick, entry: (its ?? ownDigest)!.entry };
		}
		return null;
	}

	/** Returns the calls that another recording does not have, or whose status differs. */
	changedSince(other: ReplayTape): ReplayedCall[] {
		const statusByKey = new Map(other.#calls.map(({ key, call }) => [key, call.status]));
		return this.#calls.flatMap(({ key, call }) => {
			const oldStatus = statusByKey.get(key);
			return oldStatus === call.status ? [] : [{ ...call, was: oldStatus ?? null }];
		});
	}
}
