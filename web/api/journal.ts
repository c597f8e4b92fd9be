/** Handlers of the tag Journal. */

import { ApiError } from '../../shared/contract/errors.ts';
import { suggestion } from '../../shared/contract/nearest.ts';
import type { Input } from '../../shared/contract/route.ts';
import * as routes from '../../shared/routes/journal.ts';
import { sayStatement } from '../../shared/verbs/conditions/reading.ts';
import { isMeasure, MEASURES } from '../../shared/verbs/measure-name.ts';
import { filterOf, untilCondition } from '../sim/assertions/condition.ts';
import { loadWorld } from '../sim/create-world.ts';
import { conditionWarnings } from '../sim/warnings/condition-warnings.ts';
import type { Context, Host } from './context.ts';
import { kindsOf } from './event-piece.ts';
import { handler } from './handler.ts';
import type { JournalLine, Outlook, ReplayRequest, SearchPlace } from './host-journal.ts';
import { journalStatusOf } from './journal-works.ts';
import { warningsField } from './warnings-field.ts';
import { stampOf } from './world-stamp.ts';

const isoTime = (at: number): string => new Date(at).toISOString();

function lineView({ entry, head }: JournalLine) {
	const worlds = head.worlds.map(({ id, tick, digest, name: _, ...more }) => ({
		world: id,
		tick,
		...(digest === undefined ? {} : { state_digest: digest }),
		...more,
	}));
	const common = { entry, applied_at: isoTime(head.at) };
	if (head.kind === 'between') return { ...common, kind: 'play' as const, worlds };
	const { sender, door, method, path, query, status, stop, gone } = head;
	return {
		...common,
		kind: 'call' as const,
		sender: sender.name,
		door,
		method,
		path: query === '' ? path : `${path}?${query}`,
		status,
		...(stop === undefined ? {} : { stopped: stop.why }),
		worlds,
		...(gone === undefined ? {} : { deleted: [...gone] }),
	};
}

/** Returns the state of the call with a key, and its entry if it was applied. */
async function findCallWithKey({ keys }: Host, key: string) {
	if (keys.isRunning(key)) return { state: 'running' as const };
	const knownCall = keys.find(key);
	if (knownCall === undefined) return { state: 'unknown' as const };
	const [, entry, at] = knownCall;
	const common = { state: 'applied' as const, entry, applied_at: isoTime(at) };
	const head = (await keys.entryOf(knownCall))?.head;
	if (head?.place === undefined) return common;
	const { status, world, place } = head;
	return { ...common, status, world, tick: place.tick, state_digest: place.digest };
}

function readPlace(text: string): SearchPlace {
	const [entry, looks] = text.split('.').map(Number) as [number, number];
	return { entry, looks };
}

const decoder = new TextDecoder();

/** Returns lines with the bodies of their calls, up to a size. `next` is the entry of the first line that does not fit. */
async function withBodies(host: Host, lines: readonly JournalLine[], bytes: number) {
	const page: ReturnType<typeof lineView>[] = [];
	let remainingBytes = bytes;
	for (const line of lines) {
		const bodyBytes = line.head.kind === 'call' ? await host.journal.bodyOf(line.entry) : null;
		const size = bodyBytes?.length ?? 0;
		if (size > remainingBytes && size <= bytes) return { lines: page, next: line.entry };
		const body = size === 0 || size > bytes ? undefined : parseJsonOrNothing(bodyBytes!);
		if (size <= bytes) remainingBytes -= size;
		page.push({
			...lineView(line),
			...(bodyBytes === null ? {} : { body_bytes: size }),
			...(body === undefined ? {} : { body }),
		});
	}
	return { lines: page, next: null };
}

/** Returns the value of a JSON text; undefined for other bytes. */
function parseJsonOrNothing(bytes: Uint8Array): unknown {
	try {
		return JSON.parse(decoder.decode(bytes));
	} catch {
		return undefined;
	}
}

/** Throws `code` for a field that is not a measure. */
function requireMeasure(field: string, path: string, code: 'invalid_body' | 'bad_query'): void {
	if (isMeasure(field)) return;
	throw new ApiError(code, `${path}: there is no field "${field}".`, {
		path,
		fix: suggestion(field, MEASURES),
	});
}

function replayTurnOf(body: Input<typeof routes.replayHistory>['body']): ReplayRequest {
	const { of, without, replace, insert, from, to, conditions, fields, filter, fork_id } = body;
	for (const [i, condition] of conditions.entries()) untilCondition(condition, `conditions[${i}]`);
	if (filter != null) filterOf(filter);
	for (const [i, field] of fields.entries()) requireMeasure(field, `fields[${i}]`, 'invalid_body');
	return {
		world: of,
		from: from ?? null,
		to: to ?? null,
		without: without == null ? [] : [without].flat(),
		instead: replace == null ? [] : [[replace.seq, replace.request]],
		before: insert == null ? [] : [[insert.before, insert.request]],
		keeps: fork_id != null,
		look: { conditions, fields, filter: filter ?? null },
	};
}

const outlookView = ({ conditions, rows, ...about }: Outlook) => ({
	...about,
	conditions: conditions.map((condition) => ({ ...condition })),
	rows: rows.map((row) => [...row]),
});

/** Returns the past world that a body selects. */
const findWorldFor = (host: Host, { entry, tick, of }: Input<typeof routes.forkHistory>['body']) =>
	host.findPastWorld({ world: of, ...(entry == null ? { tick: tick! } : { entry }) });

export const handlers = [
	handler(routes.getJournal, async ({ host, principal }, { query: { key } }) => {
		const { first, next, states, bytes } = await host.journal.extent();
		const call =
			key == null ? {} : { call: await findCallWithKey(host, host.keys.agentKey(key, principal.agent?.id)) };
		return { ...journalStatusOf(host), first, next, states: [...states], bytes, ...call };
	}),

	handler(routes.getHistory, async ({ host }, { query: { from, limit, bodies, bytes, ...filter } }) => {
		const givenFilter = Object.fromEntries(Object.entries(filter).filter(([, value]) => value != null));
		const { lines, next } = await host.journal.findLines(from ?? undefined, limit, givenFilter, host.running);
		if (!bodies) return { lines: lines.map(lineView), count: lines.length, next };
		const page = await withBodies(host, lines, bytes);
		return { lines: page.lines, count: page.lines.length, next: page.next ?? next };
	}),

	handler(
		routes.firstTick,
		async ({ host }, { query: { condition: sentCondition, of, from_tick, after } }) => {
			const condition = untilCondition(sentCondition, 'condition');
			const search = {
				condition,
				world: of,
				...(from_tick == null ? {} : { from_tick }),
				...(after == null ? {} : { after: readPlace(after) }),
			};
			const {
				found: first,
				next,
				searched_to,
				begin,
			} = await host.journal.findFirstTick(search, host.running);
			const current = host.worlds.find(of)?.world;
			return {
				found: first !== null,
				finished: next === null,
				searched_to,
				reading: sayStatement(condition),
				...warningsField([
					...(current === undefined ? [] : conditionWarnings(current, condition, 'condition', 'statement')),
					...(begin == null
						? []
						: [
								`${begin.call} (entry ${begin.entry}) put another world in the place of "${of}": earlier entries were not searched; send from_tick=0 to search them`,
							]),
				]),
				since: begin?.entry ?? null,
				next: next === null ? null : `${next.entry}.${next.looks}`,
				of,
				tick: first?.tick ?? null,
				entry: first?.entry ?? null,
				state_digest: first?.digest ?? null,
				entity_count: first?.entities ?? null,
			};
		},
	),

	handler(routes.historyEvents, async ({ host }, { query }) => {
		const { of, from_tick, to_tick, events, fields, filter, every, limit } = query;
		const kinds = events == null ? [] : kindsOf(events);
		const measureNames = fields == null ? [] : fields.split(',').map((field) => field.trim());
		for (const field of measureNames) requireMeasure(field, 'fields', 'bad_query');
		filterOf(filter);
		const search = {
			world: of,
			from_tick,
			to_tick: to_tick ?? null,
			kinds,
			fields: measureNames,
			filter,
			every,
			limit,
		};
		const past = await host.journal.findPastEvents(search, host.running);
		return {
			of,
			events: [...past.events],
			rows: past.rows.map((row) => [...row]),
			count: past.events.length,
			since: past.since,
			finished: past.next === null,
			next: past.next,
		};
	}),

	handler(
		routes.forkHistory,
		async ({ host, world: { assets } }, { body }) => {
			const { fork_id, of } = body;
			const pastWorld = await findWorldFor(host, body);
			const world = loadWorld(pastWorld.bytes, assets);
			const fork = host.worlds.adoptFork(fork_id, world, of);
			return {
				fork_id,
				of,
				entry: pastWorld.entry,
				entity_count: fork.world.entities.count,
				...stampOf(fork.world),
			};
		},
		async (host, { body }) => {
			host.worlds.requireFree(body.fork_id);
			return findWorldFor(host, body);
		},
	),

	handler(
		routes.replayHistory,
		async ({ host, world: { assets } }, { body }) => {
			const { fork_id, of } = body;
			const { bytes, original, replayed, first_difference, calls, ...range } = await host.replayRange(
				replayTurnOf(body),
			);
			if (fork_id != null) host.worlds.adoptFork(fork_id, loadWorld(bytes!, assets), of);
			return {
				of,
				...range,
				equal: original.state_digest === replayed.state_digest,
				first_difference: first_difference && { ...first_difference },
				original: outlookView(original),
				replayed: outlookView(replayed),
				calls: calls.map((call) => ({ ...call })),
				fork_id: fork_id ?? null,
			};
		},
		async (host, { body }) => {
			if (body.fork_id != null) host.worlds.requireFree(body.fork_id);
			return host.replayRange(replayTurnOf(body));
		},
	),

	handler(routes.undo, (context) => undoOrRedo(context, false)),

	handler(routes.redo, (context) => undoOrRedo(context, true)),
];

/** Replaces a world by its state without the sender's last write, or with that write again. */
async function undoOrRedo({ host, entry, world, principal }: Context, isRedo: boolean) {
	const undoRequest = { sender: principal.name, world: entry.id, redo: isRedo };
	const { bytes, took, call, remade } = await host.undoWrite(undoRequest);
	const { assets, tick } = world;
	host.worlds.replace(entry, loadWorld(bytes, assets));
	return {
		entry: took,
		call,
		remade,
		previous_tick: tick,
		entity_count: entry.world.entities.count,
		...stampOf(entry.world),
	};
}
