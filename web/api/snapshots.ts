/** Handlers of the tag Snapshots and probes. */

import { ApiError } from '../../shared/contract/errors.ts';
import type { Body } from '../../shared/contract/route.ts';
import * as routes from '../../shared/routes/snapshots.ts';
import {
	assertionsOf,
	evaluateAll,
	type RegisteredAssertion,
	requireFewLooks,
	requireNames,
	Vigil,
} from '../sim/assertions/assertion.ts';
import { evaluationWarnings, uncheckedTickWarnings } from '../sim/assertions/assertion-warnings.ts';
import { untilCondition } from '../sim/assertions/condition.ts';
import { clone, dispose } from '../sim/core/clone.ts';
import type { World } from '../sim/core/world.ts';
import { diffWorlds } from '../sim/diff/diff-worlds.ts';
import { ConditionWatch } from '../sim/rules/conditions/watch.ts';
import { newestSnapshot, type SnapshotView, viewOf } from '../sim/snapshots/snapshot.ts';
import { conditionWarnings } from '../sim/warnings/condition-warnings.ts';
import type { WorldEntry } from '../store/worlds.ts';
import type { Host } from './context.ts';
import { handler } from './handler.ts';
import { ScriptErrors } from './script-errors.ts';
import { warningsField } from './warnings-field.ts';
import { stampOf } from './world-stamp.ts';

const snapshotView = (view: SnapshotView) => ({
	...view,
	summary: { ...view.summary, teams: [...view.summary.teams] },
	assertion_results: [...view.assertion_results],
});

function roleChanges(from: SnapshotView, to: SnapshotView) {
	const before: Readonly<Record<string, number>> = from.summary.entity_counts_by_role;
	const after: Readonly<Record<string, number>> = to.summary.entity_counts_by_role;
	return [...new Set([...Object.keys(before), ...Object.keys(after)])]
		.sort()
		.map((role) => ({ role, from: before[role] ?? 0, to: after[role] ?? 0 }))
		.filter((change) => change.from !== change.to)
		.map((change) => ({ ...change, delta: change.to - change.from }));
}

/** Returns the verdicts that changed or are new. Names need not be unique, so assertions match by id and name. */
function verdictChanges(from: World, to: World) {
	const [before, after] = [assertionsOf(from), assertionsOf(to)];
	const isSame = (registered: RegisteredAssertion) => (other: RegisteredAssertion) =>
		registered.id === other.id && registered.name === other.name;
	const removed = before.filter((registered) => !after.some(isSame(registered)));
	return after.flatMap((registered) => {
		const { name, last } = registered;
		const previous = before.find(isSame(registered)) ?? removed.find((other) => other.name === name);
		if (last === null || previous?.last?.passed === last.passed) return [];
		return [
			{ name, from_passed: previous?.last?.passed ?? null, to_passed: last.passed, message: last.message },
		];
	});
}

type ProbeBody = Omit<Body<typeof routes.probe>, 'fork'>;

async function probeWorld(host: Host, entry: WorldEntry, body: ProbeBody, prefix: string) {
	const ticks = body.ticks ?? 0;
	if (body.assertions != null) requireNames(entry.world, body.assertions);
	const until =
		body.until == null ? null : untilCondition(body.until as Parameters<typeof untilCondition>[0]);
	const snapshotBefore = body.snapshot_before === true ? viewOf(entry.world, `${prefix}_before`) : null;
	const start = entry.world.tick;
	const uncheckedBefore = uncheckedTickWarnings(entry.world);
	const watch = until === null ? null : new ConditionWatch(until, start);
	const vigil = new Vigil();
	const errors = new ScriptErrors(entry.world);
	if (until !== null) requireFewLooks(entry.world, [until]);
	const untilWarnings = until === null ? [] : conditionWarnings(entry.world, until, 'until', 'statement');
	await host.inSlices(vigil.check(entry.world));
	await host.advance(entry, ticks, {
		afterTick: (world) => {
			errors.addTick(world);
			return vigil.check(world);
		},
		...(watch === null
			? {}
			: {
					isDone: (world) => {
						requireFewLooks(world, [until!]);
						return watch.find(world).passed;
					},
				}),
	});
	const { world } = entry;
	const verdict = watch === null ? null : watch.find(world);
	const verdicts = await host.inSlices(evaluateAll(world, vigil));
	const assertionNames = body.assertions == null ? null : new Set(body.assertions);
	const reported = verdicts.filter(({ name }) => assertionNames === null || assertionNames.has(name));
	const results = reported.map(({ id, ...verdict }) => ({ entity_id: id, ...verdict }));
	const passed = results.filter((result) => result.passed).length;
	const advanced = world.tick - start;
	const paused = host.running.stop === 'paused' && advanced < ticks && verdict?.passed !== true;
	const waitText = paused
		? `The world was paused after ${advanced} of ${ticks} ticks`
		: watch !== null && ticks === 0
			? 'No tick ran: send "ticks", the maximum number to wait'
			: `All ${ticks} ticks ran`;
	return {
		ticks_advanced: advanced,
		start_tick: start,
		end_tick: world.tick,
		stopped: paused ? ('paused' as const) : verdict?.passed ? ('until' as const) : ('ticks' as const),
		reason: verdict?.passed
			? `The condition held after ${advanced} ticks: ${verdict.message}`
			: `${waitText}${verdict === null ? '.' : `; the condition does not hold: ${verdict.message}`}`,
		total_assertions: results.length,
		passed,
		failed: results.length - passed,
		all_passed: passed === results.length,
		results,
		before_snapshot: snapshotBefore === null ? null : snapshotView(snapshotBefore),
		after_snapshot: body.snapshot_after === true ? snapshotView(viewOf(world, `${prefix}_after`)) : null,
		entity_count: world.entities.count,
		...stampOf(world),
		...warningsField([
			...untilWarnings,
			...(until !== null && reported.length === 0
				? []
				: evaluationWarnings(world, reported, { earlierWarnings: uncheckedBefore, isProbe: true })),
		]),
		...errors.fields(),
	};
}

export const handlers = [
	handler(routes.takeSnapshot, ({ host, entry }, { body }) => ({
		snapshot: snapshotView(host.worlds.snapshot(entry, body.label).view),
	})),

	handler(routes.listSnapshots, ({ entry }) => ({
		snapshots: entry.snapshots.map(({ view: { label, tick, state_digest, entity_count } }) => ({
			label,
			tick,
			state_digest,
			entity_count,
		})),
		count: entry.snapshots.length,
	})),

	handler(routes.latestSnapshot, ({ entry }) => {
		const latest = entry.snapshots.at(-1);
		if (latest === undefined) throw new ApiError('snapshot_missing', 'There are no snapshots yet.');
		return { snapshot: snapshotView(latest.view) };
	}),

	handler(routes.getSnapshot, ({ entry }, { params }) => ({
		snapshot: snapshotView(newestSnapshot(entry.snapshots, params.label).view),
	})),

	handler(routes.diffSnapshots, ({ entry }, { query }) => {
		const from = newestSnapshot(entry.snapshots, query.from);
		const to = newestSnapshot(entry.snapshots, query.to);
		const [before, after] = [from.view.summary.game_phase, to.view.summary.game_phase];
		return {
			from: query.from,
			to: query.to,
			from_tick: from.view.tick,
			to_tick: to.view.tick,
			entity_delta: to.view.entity_count - from.view.entity_count,
			from_entities: from.view.entity_count,
			to_entities: to.view.entity_count,
			phase_changed: before !== after,
			from_phase: before,
			to_phase: after,
			role_changes: roleChanges(from.view, to.view),
			assertion_changes: verdictChanges(from.world, to.world),
			...diffOf(diffWorlds(from.world, to.world, query.limit)),
		};
	}),

	handler(routes.restoreSnapshot, ({ host, entry }, { params }) => {
		const previousTick = entry.world.tick;
		host.worlds.restore(entry, params.label);
		return {
			label: params.label,
			previous_tick: previousTick,
			entity_count: entry.world.entities.count,
			...stampOf(entry.world),
		};
	}),

	handler(routes.deleteSnapshot, ({ host, entry }, { params }) => ({
		label: params.label,
		deleted: host.worlds.deleteSnapshots(entry, params.label),
	})),

	handler(routes.probe, async ({ host, entry }, { body: { fork, ...body } }) => {
		if (!fork) return probeWorld(host, entry, body, 'probe');
		const aside: WorldEntry = { ...throwawayFork(entry), world: clone(entry.world) };
		try {
			return await probeWorld(host, aside, body, 'probe');
		} finally {
			dispose(aside.world);
		}
	}),

	handler(routes.probeFork, async ({ host }, { params, body }) => {
		const fork = host.worlds.fork(params.id);
		return { fork_id: fork.id, ...(await probeWorld(host, fork, body, fork.id)) };
	}),
];

/** Returns a fork that is in no list of worlds. */
function throwawayFork({ id, world, line }: WorldEntry): WorldEntry {
	const origin = { parent: id, tick: world.tick };
	return { id, world, line, playing: false, speed: 1, origin, snapshots: [] };
}

/** Returns differences as answers show them. */
export function diffOf(diff: ReturnType<typeof diffWorlds>) {
	return {
		...diff,
		spawned: [...diff.spawned],
		despawned: [...diff.despawned],
		changed: diff.changed.map((entity) => ({ ...entity, fields: [...entity.fields] })),
		resources: [...diff.resources],
		parts: [...diff.parts],
	};
}
