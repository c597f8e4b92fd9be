/**
 * A past world, with the calls that changed it into the current world.
 * Owns: the choice of the past tick, and the check that the calls lead to the current world.
 */

import { ApiError } from '../../shared/contract/errors.ts';
import { dispose } from '../sim/core/clone.ts';
import { digest } from '../sim/core/digest.ts';
import type { World } from '../sim/core/world.ts';
import { loadWorld } from '../sim/create-world.ts';
import type { Host } from './context.ts';
import type { RecordedCall, RecordedPast } from './host-journal.ts';
import { type JobCalls, JobWork, runJob } from './jobs.ts';

/** Maximum length of the text of a call in answers. */
const MAX_LABEL_LENGTH = 200;

/** A past world and its later calls. */
export interface PastCalls {
	readonly world: World;
	/** Texts of the calls that can be omitted. The first is null: no call is omitted. */
	readonly labels: readonly (string | null)[];
	/** Returns the calls since the past world, without the omittable call of an index; null omits none. */
	callsWithout(omittedIndex: number | null): readonly JobCalls[];
	/** Reason why the world is not as far back as requested; null if it is. */
	readonly limitText: string | null;
}

/** Distance into the past: a number of calls, or of ticks. */
export type LookBack = { readonly calls: number } | { readonly ticks: number };

/**
 * Returns the past of the world `current`. The caller must dispose of the past world. Throws `journal_cut`, `no_moment` and
 * `past_differs`.
 */
export async function pastCalls(
	host: Host,
	id: string,
	current: World,
	lookBack: LookBack,
): Promise<PastCalls> {
	const recorded = await host.journal.findRecordedCalls(id, host.running);
	const { from, calls, limited } =
		'calls' in lookBack
			? lastCalls(recorded, lookBack.calls)
			: await lastTicks(host, id, current, lookBack.ticks, recorded);
	const bytes =
		from ?? (await host.findPastWorld({ world: id, entry: firstEntry(calls, recorded) - 1 })).bytes;
	const world = loadWorld(bytes, current.assets);
	const past = pastOf(world, calls, 'calls' in lookBack ? lookBack.calls : 0, limited);
	try {
		await requireSameResult(host, past, current);
	} catch (error) {
		dispose(world);
		throw error;
	}
	return past;
}

interface PastBegin {
	/** State of the world with which the past begins; null if it begins right before the first call. */
	readonly from: Uint8Array | null;
	readonly calls: readonly RecordedCall[];
	readonly limited: string | null;
}

const firstEntry = ([first]: readonly RecordedCall[], { limit }: RecordedPast): number =>
	first?.entry ?? (limit?.entry ?? -1) + 1;

const textOfLimit = ({ limit }: RecordedPast): string | null =>
	limit === null
		? null
		: `Entry ${limit.entry} (${limit.call}, tick ${limit.tick}) ${limit.begins ? 'began the present world' : 'cannot be re-run in a fork'}.`;

function lastCalls(recorded: RecordedPast, count: number): PastBegin {
	let remaining = count;
	let index = recorded.calls.length;
	while (remaining > 0 && index > 0) remaining -= recorded.calls[--index]!.requests.length;
	// All requests of the same batch are included.
	const first = recorded.calls[index]?.entry;
	const calls = recorded.calls.filter(({ entry }) => first !== undefined && entry >= first);
	if (calls.length === 0)
		throw new ApiError('no_moment', 'The journal has no call that changed this world and can be left out.', {
			fix: textOfLimit(recorded) ?? 'Change the world with calls first; POST /step only lets time pass.',
		});
	return { from: null, calls, limited: remaining > 0 ? textOfLimit(recorded) : null };
}

async function lastTicks(
	host: Host,
	id: string,
	{ tick: currentTick }: World,
	ticks: number,
	recorded: RecordedPast,
): Promise<PastBegin> {
	const { calls, limit } = recorded;
	const tick = Math.max(0, currentTick - ticks);
	if (limit !== null && limit.tick >= tick) {
		const { bytes } = await host.findPastWorld({ world: id, entry: limit.entry });
		return { from: bytes, calls, limited: limit.tick > tick ? textOfLimit(recorded) : null };
	}
	const pastWorld = await host.findPastWorld({ world: id, tick });
	// The tick may be within an entry, whose later requests must still run.
	const isLater = ({ entry, after, tick: callTick }: RecordedCall) =>
		entry > pastWorld.entry || (entry === pastWorld.entry && after > tick && callTick >= tick);
	return { from: pastWorld.bytes, calls: calls.filter(isLater), limited: null };
}

function pastOf(
	world: World,
	calls: readonly RecordedCall[],
	count: number,
	limited: string | null,
): PastCalls {
	const all = calls.flatMap((call, at) => call.requests.map((request, of) => ({ call, at, request, of })));
	const last = count === 0 ? [] : all.slice(-count);
	const lenient = true;
	return {
		world,
		labels: [null, ...last.map(({ call, request, of }) => labelOf(call, request, of))],
		callsWithout(omitted) {
			const omittedCall = omitted === null ? undefined : last[omitted];
			return calls.flatMap(({ tick, requests }, at) => {
				const remainingRequests = requests.filter((_, of) => at !== omittedCall?.at || of !== omittedCall.of);
				return remainingRequests.length === 0 ? [] : [{ tick, requests: remainingRequests, lenient }];
			});
		},
		limitText: limited,
	};
}

function labelOf(
	{ entry, requests }: RecordedCall,
	request: RecordedCall['requests'][number],
	requestIndex: number,
) {
	const position = requests.length === 1 ? `${entry}` : `${entry}[${requestIndex}]`;
	const body = request.body === undefined ? '' : ` ${JSON.stringify(request.body)}`;
	const label = `${position} ${request.method ?? 'POST'} ${request.path}${body}`;
	return label.length <= MAX_LABEL_LENGTH ? label : `${label.slice(0, MAX_LABEL_LENGTH - 3)}...`;
}

/** Throws `past_differs` if the calls do not lead to the current world. */
async function requireSameResult(host: Host, past: PastCalls, current: World): Promise<void> {
	const job = {
		world: past.world,
		calls: past.callsWithout(null),
		end: { tick: current.tick },
		until: null,
		conditions: [],
		fields: [],
		name: 'The past',
	};
	const row = await runJob(host, job, new JobWork(host, current.tick - past.world.tick + 1));
	if (row?.state_digest === digest(current)) return;
	const refused = [...(row?.refused.values() ?? [])].slice(0, 1).map((reason) => ` ${reason}`);
	throw new ApiError(
		'past_differs',
		row === null
			? 'The past takes too long to re-run.'
			: `The recorded calls since tick ${past.world.tick} do not lead to the current state when they are re-run.${refused.join('')}`,
	);
}
