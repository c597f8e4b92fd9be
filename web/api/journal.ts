/** Handlers of the tag Journal. */

import type { Input } from '../../shared/contract/route.ts';
import * as routes from '../../shared/routes/journal.ts';
import { sayReading } from '../../shared/verbs/conditions/reading.ts';
import type { Context, Host } from '../host/context.ts';
import type { Line } from '../host/journal/history.ts';
import type { SearchPlace } from '../host/journal/host-journal.ts';
import { untilCondition } from '../sim/assertions/condition.ts';
import { loadWorld } from '../sim/create-world.ts';
import { conditionWarnings } from '../sim/warnings/condition-warnings.ts';
import { handler } from './handler.ts';
import { journalWorks } from './journal-works.ts';
import { warned } from './warned.ts';
import { stampOf } from './world-stamp.ts';

const time = (at: number): string => new Date(at).toISOString();

function shown({ entry, head }: Line) {
	const worlds = head.worlds.map(({ id, tick, digest, name: _, ...more }) => ({
		world: id,
		tick,
		...(digest === undefined ? {} : { state_digest: digest }),
		...more,
	}));
	const about = { entry, applied_at: time(head.at) };
	if (head.kind === 'between') return { ...about, kind: 'play' as const, worlds };
	const { sender, door, method, path, query, status, stop, gone } = head;
	return {
		...about,
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

/** What is known of the call with a key. */
async function callWith({ keys }: Host, key: string) {
	if (keys.isRunning(key)) return { state: 'running' as const };
	const known = keys.find(key);
	if (known === undefined) return { state: 'unknown' as const };
	const [, entry, at] = known;
	const about = { state: 'applied' as const, entry, applied_at: time(at) };
	const head = (await keys.entryOf(known))?.head;
	if (head?.place === undefined) return about;
	const { status, world, place } = head;
	return { ...about, status, world, tick: place.tick, state_digest: place.digest };
}

function readPlace(said: string): SearchPlace {
	const [entry, looks] = said.split('.').map(Number) as [number, number];
	return { entry, looks };
}

/** The moment that is asked for. */
const momentIn = (host: Host, { entry, tick, of }: Input<typeof routes.forkHistory>['body']) =>
	host.moment({ world: of, ...(entry == null ? { tick: tick! } : { entry }) });

export const handlers = [
	handler(routes.getJournal, async ({ host, principal }, { query: { key } }) => {
		const { first, next, states, bytes } = await host.journal.extent();
		const call = key == null ? {} : { call: await callWith(host, host.keys.own(key, principal.agent?.id)) };
		return { ...journalWorks(host), first, next, states: [...states], bytes, ...call };
	}),

	handler(routes.getHistory, async ({ host }, { query: { from, limit, ...filter } }) => {
		const given = Object.fromEntries(Object.entries(filter).filter(([, value]) => value != null));
		const { lines, next } = await host.journal.lines(from ?? undefined, limit, given);
		return { lines: lines.map(shown), count: lines.length, next };
	}),

	handler(routes.firstTick, async ({ host }, { query: { condition: asked, of, from_tick, after } }) => {
		const condition = untilCondition(asked, 'condition');
		const search = {
			condition,
			world: of,
			...(from_tick == null ? {} : { from_tick }),
			...(after == null ? {} : { after: readPlace(after) }),
		};
		const { found: first, next, searched_to } = await host.journal.firstTick(search, host.running);
		const now = host.worlds.find(of)?.world;
		return {
			found: first !== null,
			finished: next === null,
			searched_to,
			reading: sayReading(condition),
			...warned(now === undefined ? [] : conditionWarnings(now, condition, 'condition', 'statement')),
			next: next === null ? null : `${next.entry}.${next.looks}`,
			of,
			tick: first?.tick ?? null,
			entry: first?.entry ?? null,
			state_digest: first?.digest ?? null,
			entity_count: first?.entities ?? null,
		};
	}),

	handler(
		routes.forkHistory,
		async ({ host, world: { assets } }, { body }) => {
			const { fork_id, of } = body;
			const then = await momentIn(host, body);
			const world = loadWorld(then.bytes, assets);
			const fork = host.worlds.adoptFork(fork_id, world, of);
			return {
				fork_id,
				of,
				entry: then.entry,
				entity_count: fork.world.entities.count,
				...stampOf(fork.world),
			};
		},
		async (host, { body }) => {
			host.worlds.requireFree(body.fork_id);
			return momentIn(host, body);
		},
	),

	handler(routes.undo, (context) => undone(context, false)),

	handler(routes.redo, (context) => undone(context, true)),
];

/** Puts the world without the sender's last write, or with it again, in the place of what it is. */
async function undone({ host, entry, world, principal }: Context, redo: boolean) {
	const turn = { sender: principal.name, world: entry.id, redo };
	const { bytes, took, call, remade } = await host.undone(turn);
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
