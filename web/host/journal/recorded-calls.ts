/**
 * Lists the calls that changed a world, as requests that can be repeated in a fork of its past.
 * Owns: the tick of each call, and the recognition of entries that no fork can repeat.
 * Never: re-runs a call.
 */

import { canBeBatched, type Route } from '../../../shared/contract/route.ts';
import { runAction } from '../../../shared/routes/actions.ts';
import { batch } from '../../../shared/routes/batch.ts';
import { createFork, stepForks } from '../../../shared/routes/forks.ts';
import { step } from '../../../shared/routes/simulation.ts';
import { deleteSnapshot, takeSnapshot } from '../../../shared/routes/snapshots.ts';
import type { Journal } from '../../../shared/transport/journal.ts';
import { type CallHead, decodeEntry } from '../../../shared/transport/journal-entry.ts';
import { findRoute } from '../../api/find-route.ts';
import type { RecordedCall, RecordedPast, RecordedRequest } from '../../api/host-journal.ts';
import { bodyOfCall } from '../../store/journal-body.ts';
import { hasReplaced, parseBody, routeOf } from './line-begin.ts';
import { rawEntries } from './raw-entries.ts';
import type { ReplayPace } from './replay.ts';

/** Maximum number of entries before the newest one that are read. */
const MAX_ENTRIES = 100_000;

/** Routes that do not change the world. */
const UNCHANGING_ROUTES = new Set<string>([takeSnapshot, deleteSnapshot].map(({ id }) => id));

/** Returns the calls to a world since the last entry that no fork can repeat. */
export async function recordedCalls(
	journal: Journal,
	world: string,
	pace: ReplayPace,
): Promise<RecordedPast> {
	const { first, next } = await journal.extent();
	const begin = Math.max(first, next - MAX_ENTRIES);
	let calls: RecordedCall[] = [];
	let limit: RecordedPast['limit'] = null;
	let lastTick: number | undefined = begin === 0 && world === 'main' ? 0 : undefined;
	for await (const { at, entry } of rawEntries(journal, begin, { end: next })) {
		await pace.yieldIfDue();
		const { head, body } = decodeEntry(entry);
		const worldHead = head.worlds.find(({ id }) => id === world);
		if (worldHead === undefined) continue;
		if (head.kind === 'call' && head.overtook !== true) {
			const readBody = () => bodyOfCall({ head, body }, journal, at);
			const recordedCalls = await callsOf(at, head, readBody, {
				world,
				before: lastTick,
				after: worldHead.tick,
			});
			if (recordedCalls === null) {
				calls = [];
				const begins = await hasReplaced(head, world, async () => parseBody(await readBody()));
				limit = { entry: at, tick: worldHead.tick, call: `${head.method} ${head.path}`, begins };
			} else calls.push(...recordedCalls);
		}
		lastTick = worldHead.tick;
	}
	return { calls, limit };
}

interface EntryContext {
	readonly world: string;
	/** Tick of the world before and after the entry. */
	readonly before: number | undefined;
	readonly after: number;
}

/** Returns the requests of an entry; null if no fork can repeat it. */
async function callsOf(
	entry: number,
	head: CallHead,
	readBody: () => Promise<Uint8Array>,
	{ world, before, after }: EntryContext,
): Promise<RecordedCall[] | null> {
	const { route } = findRoute(head.method, head.path);
	if (UNCHANGING_ROUTES.has(route.id) || route.effect === 'view') return [];
	const isJson = head.headers['content-type']?.startsWith('application/json') !== false;
	if (!isJson) return null;
	const body = parseBody(await readBody());
	const createCall = (tick: number, requests: readonly RecordedRequest[]) => ({
		entry,
		tick,
		after,
		requests,
	});
	if (route.id === batch.id) {
		const { requests } = body as { readonly requests: readonly RecordedRequest[] };
		return head.world === world ? callsOfBatch(requests, { world, before, after }, createCall) : null;
	}
	if (route.id === stepForks.id) return callsOfSteps(body as SentSteps, { world, before, after }, createCall);
	if (advancesTime(route)) {
		const requests = stepRequests(body);
		if (requests.length === 0) return [];
		return before === undefined ? null : [createCall(before, requests)];
	}
	if (route.id === createFork.id) return (body as { fork_id: string }).fork_id === world ? null : [];
	const { method } = head;
	const query = new URLSearchParams(head.query);
	query.delete('world');
	const path = query.size === 0 ? head.path : `${head.path}?${query}`;
	const request = { method, path, ...(body === undefined ? {} : { body }) };
	// An action may run ticks after its requests, so it belongs to the tick before it.
	if (route.id === runAction.id)
		return before === undefined || head.world !== world ? null : [createCall(before, [request])];
	return route.effect === 'write' && canBeBatched(route) ? [createCall(after, [request])] : null;
}

interface SentSteps {
	readonly steps: readonly {
		readonly fork_id: string;
		readonly from?: string | null;
		readonly seed?: number | null;
		readonly requests?: readonly RecordedRequest[] | null;
		readonly inputs?: readonly unknown[] | null;
		readonly ticks?: number | null;
	}[];
	readonly ticks?: number | null;
}

/** Returns calls that change a fork like the steps of a call. Null if the steps created the fork, or gave it another seed. */
function callsOfSteps(
	{ steps, ticks }: SentSteps,
	{ world, before, after }: EntryContext,
	createCall: (tick: number, requests: readonly RecordedRequest[]) => RecordedCall,
): RecordedCall[] | null {
	const ownSteps = steps.filter(({ fork_id }) => fork_id === world);
	if (before === undefined || ownSteps.some(({ from, seed }) => from != null || seed != null)) return null;
	const calls: RecordedCall[] = [];
	let tick = before;
	for (const { requests, inputs, ticks: stepTicks } of ownSteps) {
		const recordedRequests = [...withoutContext(requests ?? []), ...stepRequests({ inputs })];
		if (recordedRequests.length > 0) calls.push(createCall(tick, recordedRequests));
		tick += stepTicks ?? ticks ?? 1;
	}
	// A condition may have ended a step early, and its tick is not recorded.
	return ownSteps.length <= 1 || tick === after ? calls : null;
}

/** Returns requests without `world`, because a fork cannot reach another world, and without `answer`. */
const withoutContext = (requests: readonly RecordedRequest[]): RecordedRequest[] =>
	requests.map(({ answer: _, ...request }) => ({
		...request,
		path: request.path.replace(/([?&])world=[^&]*/, '$1'),
	}));

/** Returns the requests of a batch, each at its tick. */
function callsOfBatch(
	requests: readonly RecordedRequest[],
	{ world, before, after }: EntryContext,
	call: (tick: number, requests: readonly RecordedRequest[]) => RecordedCall,
): RecordedCall[] | null {
	const routed = requests.map((request) => ({ request, route: routeOf(request) }));
	const hasOtherWorld = ({ path }: RecordedRequest) => {
		const worldName = new URLSearchParams(path.split('?')[1]).get('world');
		return worldName !== null && worldName !== world;
	};
	if (routed.some(({ request, route }) => route === null || hasOtherWorld(request))) return null;
	const changes = routed.filter(({ route }) => route!.effect !== 'read' && route!.effect !== 'view');
	if (changes.some(({ route }) => !advancesTime(route!) && route!.effect !== 'write')) return null;
	const repeatable = withoutContext(requests);
	if (!changes.some(({ route }) => advancesTime(route!))) return [call(after, repeatable)];
	// Later requests may use answers of earlier ones, which are lost between ticks.
	if (before === undefined || requests.some(({ as }) => as != null)) return null;
	const calls: RecordedCall[] = [];
	let tick = before;
	for (const [index, { request, route }] of routed.entries()) {
		if (!advancesTime(route!)) {
			if (route!.effect === 'write') calls.push(call(tick, [repeatable[index]!]));
			continue;
		}
		const recordedRequests = stepRequests(request.body);
		if (recordedRequests.length > 0) calls.push(call(tick, recordedRequests));
		tick += Number((request.body as { ticks?: number } | undefined)?.ticks ?? 1);
	}
	return tick === after ? calls : null;
}

const advancesTime = ({ effect, stepwise, id }: Route): boolean =>
	effect === 'step' || (effect === 'fork' && stepwise === true && id !== batch.id);

/** Returns the requests for a step's inputs and choices, without its ticks. Choices are for its first tick, which the request runs. */
function stepRequests(body: unknown): RecordedRequest[] {
	const { inputs, choices } = (body ?? {}) as {
		readonly inputs?: readonly unknown[] | null;
		readonly choices?: readonly unknown[] | null;
	};
	const hasChoices = choices != null && choices.length > 0;
	if (!hasChoices && (inputs == null || inputs.length === 0)) return [];
	const stepBody = { ...(inputs == null ? {} : { inputs }), ...(hasChoices ? { choices } : {}) };
	return [{ method: 'POST', path: step.path, body: { ticks: hasChoices ? 1 : 0, ...stepBody } }];
}
