/**
 * The calls that changed a world, as requests that can be made again in a fork of its past.
 * Owns: at which tick each came, and which entries no fork can repeat.
 * Never: re-runs them.
 */

import type { Route } from '../../../shared/contract/route.ts';
import { createRouter } from '../../../shared/contract/router.ts';
import { batch } from '../../../shared/routes/batch.ts';
import { createFork, stepForks } from '../../../shared/routes/forks.ts';
import { routes } from '../../../shared/routes/index.ts';
import { step } from '../../../shared/routes/simulation.ts';
import { deleteSnapshot, takeSnapshot } from '../../../shared/routes/snapshots.ts';
import type { Journal } from '../../../shared/transport/journal.ts';
import { type CallHead, decodeEntry } from '../../../shared/transport/journal-entry.ts';
import type { RecordedCall, RecordedPast, RecordedRequest } from '../../api/host-journal.ts';
import { sentWith } from '../../store/sent-with.ts';
import { rawEntries } from './raw-entries.ts';
import type { Pace } from './replay.ts';

const find = createRouter(routes);

/** Most entries before now that are looked at. */
const MAX_BACK = 100_000;

/** Routes that leave the world as it is. */
const KEEPS = new Set<string>([takeSnapshot, deleteSnapshot].map(({ id }) => id));

/** The calls to a world since the last entry that no fork can repeat. */
export async function recordedCalls(journal: Journal, world: string, pace: Pace): Promise<RecordedPast> {
	const { first, next } = await journal.extent();
	const begin = Math.max(first, next - MAX_BACK);
	let calls: RecordedCall[] = [];
	let limit: RecordedPast['limit'] = null;
	let stood: number | undefined = begin === 0 && world === 'main' ? 0 : undefined;
	for await (const { at, entry } of rawEntries(journal, begin, { end: next })) {
		await pace.breathe();
		const { head, body } = decodeEntry(entry);
		const standing = head.worlds.find(({ id }) => id === world);
		if (standing === undefined) continue;
		if (head.kind === 'call' && head.overtook !== true) {
			const sent = () => sentWith({ head, body }, journal, at);
			const made = await callsOf(at, head, sent, { world, before: stood, after: standing.tick });
			if (made === null) {
				calls = [];
				limit = { entry: at, tick: standing.tick, call: `${head.method} ${head.path}` };
			} else calls.push(...made);
		}
		stood = standing.tick;
	}
	return { calls, limit };
}

interface Around {
	readonly world: string;
	/** Tick of the world before and after the entry. */
	readonly before: number | undefined;
	readonly after: number;
}

/** The requests of an entry; null if no fork can repeat it. */
async function callsOf(
	entry: number,
	head: CallHead,
	sent: () => Promise<Uint8Array>,
	{ world, before, after }: Around,
): Promise<RecordedCall[] | null> {
	const { route } = find(head.method, head.path);
	if (KEEPS.has(route.id) || route.effect === 'view') return [];
	const isJson = head.headers['content-type']?.startsWith('application/json') !== false;
	if (!isJson) return null;
	const body = parsed(await sent());
	const call = (tick: number, requests: readonly RecordedRequest[]) => ({ entry, tick, after, requests });
	if (route.id === batch.id) {
		const { requests } = body as { readonly requests: readonly RecordedRequest[] };
		return head.world === world ? callsOfBatch(requests, { world, before, after }, call) : null;
	}
	// Its steps have requests and seeds of their own.
	if (route.id === stepForks.id) return null;
	if (passesTime(route)) {
		const inputs = inputsOf(body);
		if (inputs === null) return null;
		if (inputs.length === 0) return [];
		return before === undefined ? null : [call(before, inputs)];
	}
	if (route.id === createFork.id) return (body as { fork_id: string }).fork_id === world ? null : [];
	if (route.effect !== 'write' || route.batch === false) return null;
	const { method } = head;
	const query = new URLSearchParams(head.query);
	query.delete('world');
	const path = query.size === 0 ? head.path : `${head.path}?${query}`;
	return [call(after, [{ method, path, ...(body === undefined ? {} : { body }) }])];
}

/** The requests of a batch, each at its tick. */
function callsOfBatch(
	requests: readonly RecordedRequest[],
	{ world, before, after }: Around,
	call: (tick: number, requests: readonly RecordedRequest[]) => RecordedCall,
): RecordedCall[] | null {
	const known = requests.map((request) => ({ request, route: routeOf(request) }));
	const isElsewhere = ({ path }: RecordedRequest) => {
		const named = new URLSearchParams(path.split('?')[1]).get('world');
		return named !== null && named !== world;
	};
	if (known.some(({ request, route }) => route === null || isElsewhere(request))) return null;
	const here = known.filter(({ route }) => route!.effect !== 'read' && route!.effect !== 'view');
	if (here.some(({ route }) => !passesTime(route!) && route!.effect !== 'write')) return null;
	const plain = requests.map(({ answer: _, ...request }) => ({
		...request,
		path: request.path.replace(/([?&])world=[^&]*/, '$1'),
	}));
	if (!here.some(({ route }) => passesTime(route!))) return [call(after, plain)];
	// Later requests may use answers of earlier ones, which are lost between ticks.
	if (before === undefined || requests.some(({ as }) => as != null)) return null;
	const calls: RecordedCall[] = [];
	let tick = before;
	for (const [at, { request, route }] of known.entries()) {
		if (!passesTime(route!)) {
			if (route!.effect === 'write') calls.push(call(tick, [plain[at]!]));
			continue;
		}
		const inputs = inputsOf(request.body);
		if (inputs === null) return null;
		if (inputs.length > 0) calls.push(call(tick, inputs));
		tick += Number((request.body as { ticks?: number } | undefined)?.ticks ?? 1);
	}
	return tick === after ? calls : null;
}

/** The route of a request; null if there is none. */
export function routeOf({ method = 'POST', path }: RecordedRequest): Route | null {
	try {
		// What a reference stands for is a value in the path.
		return find(method, path.split('?')[0]!.replace(/\$\{?\w+(?:\.\w+|\[\d+\])*\}?/g, '0')).route;
	} catch {
		return null;
	}
}

const passesTime = ({ effect, stepwise, id }: Route): boolean =>
	effect === 'step' || (effect === 'fork' && stepwise === true && id !== batch.id);

/** The inputs of a step as a request that makes no tick; null if its draws were chosen. */
function inputsOf(body: unknown): RecordedRequest[] | null {
	const { inputs, choices } = (body ?? {}) as {
		readonly inputs?: readonly unknown[] | null;
		readonly choices?: readonly unknown[] | null;
	};
	if (choices != null && choices.length > 0) return null;
	if (inputs == null || inputs.length === 0) return [];
	return [{ method: 'POST', path: step.path, body: { ticks: 0, inputs } }];
}

const decoder = new TextDecoder();

function parsed(bytes: Uint8Array): unknown {
	return bytes.length === 0 ? undefined : JSON.parse(decoder.decode(bytes));
}
