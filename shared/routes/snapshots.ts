/** Routes of the tag Snapshots and probes: labelled snapshots, differences between them, probes. */

import * as z from 'zod';
import { route } from '../contract/route.ts';
import { namesThing } from '../contract/thing.ts';
import {
	entityId,
	flag,
	generation,
	integer,
	listLength,
	nullMeansDefault,
	optional,
	text,
	ticks,
	withoutReserved,
} from '../contract/values.ts';
import { untilDocument, vacuous } from '../rules/assertion.ts';
import { entityCount, entityView, worldStamp } from './entity-view.ts';
import { scriptErrors } from './scripts.ts';
import { tickCount, tickErrors, verificationErrors } from './simulation.ts';
import { worldSummary } from './summary-view.ts';
import { warnings } from './world.ts';

const label = text('Label', 100).min(1);
const labelParams = z.strictObject({
	label: z.string().describe('Label of a snapshot').meta(namesThing('snapshot')),
});

const verdict = z.strictObject({ name: z.string(), passed: z.boolean(), message: z.string() });

export const snapshotView = z
	.strictObject({
		label: z.string(),
		...worldStamp,
		entity_count: entityCount,
		summary: worldSummary,
		assertion_results: z.array(verdict).describe('Known verdicts at that time'),
	})
	.describe('A snapshot');

/** Differences between two worlds. */
export const worldDiff = z
	.strictObject({
		equal: z.boolean().describe('true: the state digests are equal'),
		spawned: z.array(entityView).describe('Entities only in the later one, with their state there'),
		despawned: z.array(entityView).describe('Entities only in the earlier one, with their state there'),
		changed: z
			.array(
				z.strictObject({
					id: entityId,
					generation,
					fields: z.array(
						z.strictObject({
							field: z.string().describe('component.field, or a component that was added or removed'),
							from: z.unknown(),
							to: z.unknown(),
						}),
					),
				}),
			)
			.describe('Entities in both, in id order'),
		resources: z
			.array(z.strictObject({ name: z.string(), from: z.unknown(), to: z.unknown() }))
			.describe('Settings and registries, such as the match, items and templates'),
		parts: z
			.array(z.string())
			.describe('Other state that differs: pending events, physics, slots (ids of the next entities)'),
		totals: z.strictObject({
			spawned: z.int().describe('Entities only in the later one'),
			despawned: z.int().describe('Entities only in the earlier one'),
			changed: z.int().describe('Entities in both that differ'),
			fields: z.int().describe('Fields that differ'),
		}),
		truncated: z.boolean().describe('true: lists were cut at the limit; totals never are'),
	})
	.describe('Differences');

export const diffLimit = integer('Largest number of entries per list', { min: 1, max: 10_000 }).default(100);

const given = [
	{
		path: '/spawn',
		body: { health: 100, team: 1, velocity: { linear: [1, 0, 0] }, physics_body: 'Kinematic' },
	},
	{ path: '/snapshot', body: { label: 'start' } },
	{ path: '/step', body: { ticks: 30 } },
	{ path: '/snapshot', body: { label: 'later' } },
] as const;

const shared = { tag: 'Snapshots and probes' } as const;

export const takeSnapshot = route({
	...shared,
	id: 'snapshots.take',
	method: 'POST',
	path: '/snapshot',
	cli: ['snapshot', 'create'],
	summary: 'Stores the state of the world under a label, to describe, compare or restore it',
	description:
		'The newest 50 of each world are kept. Several may share a label. A fork starts with the snapshots of its parent.',
	effect: 'fork',
	body: z.strictObject(
		nullMeansDefault({ label: withoutReserved(label, 'list', 'latest', 'diff').default('unnamed') }),
	),
	answer: z.strictObject({ ok: z.literal(true), snapshot: snapshotView }),
	makes: { thing: 'snapshot', named: { snapshot: '$response.body#/snapshot/label' } },
	errors: [],
	examples: [{ name: 'Store the current state', body: { label: 'before-the-fight' } }],
});

export const listSnapshots = route({
	...shared,
	id: 'snapshots.list',
	method: 'GET',
	path: '/snapshot/list',
	cli: ['snapshot', 'list'],
	summary: 'Snapshots of a world, oldest first',
	effect: 'read',
	answer: z.strictObject({
		ok: z.literal(true),
		snapshots: z.array(z.strictObject({ label: z.string(), ...worldStamp, entity_count: entityCount })),
		count: listLength,
	}),
	errors: [],
	examples: [{ name: 'List the snapshots', given }],
});

export const latestSnapshot = route({
	...shared,
	id: 'snapshots.latest',
	method: 'GET',
	path: '/snapshot/latest',
	cli: ['snapshot', 'latest'],
	summary: 'The newest snapshot in full',
	effect: 'read',
	answer: z.strictObject({ ok: z.literal(true), snapshot: snapshotView }),
	errors: [],
	inside: ['snapshot_missing'],
	examples: [{ name: 'Read the newest', given }],
});

export const getSnapshot = route({
	...shared,
	id: 'snapshots.get',
	method: 'GET',
	path: '/snapshot/{label}',
	cli: ['snapshot', 'get'],
	summary: 'One snapshot in full',
	description: 'If several snapshots have the label, the newest is used.',
	effect: 'read',
	params: labelParams,
	answer: z.strictObject({ ok: z.literal(true), snapshot: snapshotView }),
	errors: ['snapshot_missing'],
	examples: [{ name: 'Read one', given, path: '/snapshot/start' }],
});

export const diffSnapshots = route({
	...shared,
	id: 'snapshots.diff',
	method: 'GET',
	path: '/snapshot/diff',
	cli: ['snapshot', 'diff'],
	summary: 'Differences between two snapshots: counts, phase, verdicts, and every field of every entity',
	description: 'If several snapshots have a label, the newest is used.',
	effect: 'read',
	query: z.strictObject({
		from: z.string().describe('Label of the earlier one').meta(namesThing('snapshot')),
		to: z.string().describe('Label of the later one').meta(namesThing('snapshot')),
		limit: diffLimit,
	}),
	answer: z.strictObject({
		ok: z.literal(true),
		from: z.string(),
		to: z.string(),
		from_tick: ticks,
		to_tick: ticks,
		entity_delta: z.int().describe('Entities in `to` minus entities in `from`'),
		from_entities: z.int().describe('Entities in `from`'),
		to_entities: z.int().describe('Entities in `to`'),
		phase_changed: z.boolean(),
		from_phase: z.string(),
		to_phase: z.string(),
		role_changes: z
			.array(
				z.strictObject({
					role: z.string(),
					from: z.int().describe('Entities with the role in `from`'),
					to: z.int().describe('Entities with the role in `to`'),
					delta: z.int().describe('`to` minus `from`'),
				}),
			)
			.describe('Roles whose number changed, by name'),
		assertion_changes: z
			.array(
				z.strictObject({
					name: z.string(),
					from_passed: z.boolean().nullable(),
					to_passed: z.boolean(),
					message: z.string(),
				}),
			)
			.describe('Verdicts that changed or are new'),
		...worldDiff.shape,
	}),
	errors: [],
	inside: ['snapshot_missing'],
	examples: [{ name: 'Compare two snapshots', given, path: '/snapshot/diff?from=start&to=later' }],
});

export const restoreSnapshot = route({
	...shared,
	id: 'snapshots.restore',
	method: 'POST',
	path: '/snapshot/{label}/restore',
	cli: ['snapshot', 'restore'],
	summary: 'Restores the world to a snapshot, bit for bit; it then evolves as it did after the snapshot',
	description: 'If several snapshots have the label, the newest is used. The snapshot is kept.',
	effect: 'replace',
	params: labelParams,
	answer: z.strictObject({
		ok: z.literal(true),
		label: z.string(),
		previous_tick: ticks.describe('Ticks completed before'),
		entity_count: entityCount,
		...worldStamp,
	}),
	errors: ['snapshot_missing'],
	examples: [{ name: 'Go back', given, path: '/snapshot/start/restore', body: {} }],
});

export const deleteSnapshot = route({
	...shared,
	id: 'snapshots.delete',
	method: 'DELETE',
	path: '/snapshot/{label}',
	cli: ['snapshot', 'delete'],
	summary: 'Deletes all snapshots with a label',
	effect: 'fork',
	params: labelParams,
	answer: z.strictObject({
		ok: z.literal(true),
		label: z.string(),
		deleted: z.int().describe('Number of deleted snapshots'),
	}),
	errors: ['snapshot_missing'],
	examples: [{ name: 'Drop one', given, path: '/snapshot/start' }],
});

const probeFields = {
	ticks: tickCount.default(0),
	assertions: optional(
		z.array(text('Name of an assertion')).max(1000).describe('Assertions to report; left out: all'),
	),
	snapshot_before: optional(flag('Describes the world before')),
	snapshot_after: optional(flag('Describes the world after')),
	until: optional(untilDocument.describe('Stops as soon as this holds; checked before every tick')),
};

const probeAnswer = {
	ticks_advanced: ticks.describe('Ticks made'),
	start_tick: ticks,
	end_tick: ticks,
	stopped: z
		.enum(['ticks', 'until', 'paused'])
		.describe('Reason it stopped: all ticks made, the condition held, or the world was paused'),
	reason: z.string().describe('The reason as a sentence'),
	total_assertions: z.int().describe('Assertions reported'),
	passed: z.int().describe('Assertions that hold'),
	failed: z.int().describe('Assertions that fail'),
	all_passed: z.boolean().describe('true: none failed; also without any assertion'),
	results: z.array(
		z.strictObject({
			entity_id: entityId,
			name: z.string(),
			severity: z.string(),
			passed: z.boolean(),
			vacuous,
			message: z.string(),
		}),
	),
	before_snapshot: snapshotView.nullable(),
	after_snapshot: snapshotView.nullable(),
	entity_count: entityCount,
	...worldStamp,
	warnings,
	...scriptErrors,
};

const entityWithAssertion = [
	{ path: '/spawn', body: { health: 100, team: 1 } },
	{
		path: '/assert/create',
		body: { name: 'alive', condition: { type: 'none_are_dead', filter: { type: 'any' } } },
	},
] as const;

export const probe = route({
	...shared,
	id: 'probe.world',
	method: 'POST',
	path: '/probe',
	cli: ['probe'],
	summary: 'Steps the world, or a temporary fork of it, and evaluates its assertions, in one call',
	description:
		'All assertions are evaluated and their verdicts stored; `assertions` only selects those to report. With fork: true the world does not change.',
	effect: 'step',
	owner: [{ none: 'time in main passes for all who write; with `fork` nothing stays' }],
	stepwise: true,
	body: z.strictObject(
		nullMeansDefault({
			...probeFields,
			fork: flag('Uses a fork that is deleted afterwards').default(false),
		}),
	),
	answer: z.strictObject({ ok: z.literal(true), ...probeAnswer }),
	errors: ['unknown_assertion', 'invalid_assertion', ...tickErrors, ...verificationErrors],
	examples: [
		{ name: 'Step and assert', given: entityWithAssertion, body: { ticks: 60 } },
		{
			name: 'Until an entity is hurt, at most ten seconds, in a temporary fork',
			given: entityWithAssertion,
			body: { ticks: 600, until: 'field health.percent < 100', fork: true },
		},
	],
});

export const probeFork = route({
	...shared,
	id: 'probe.fork',
	method: 'POST',
	path: '/fork/{id}/probe',
	cli: ['fork', 'probe'],
	summary: 'Steps a fork and evaluates its assertions, in one call',
	effect: 'fork',
	stepwise: true,
	world: false,
	params: z.strictObject({ id: z.string().describe('Id of the fork').meta(namesThing('fork')) }),
	body: z.strictObject(probeFields),
	answer: z.strictObject({ ok: z.literal(true), fork_id: z.string(), ...probeAnswer }),
	errors: ['unknown_assertion', 'invalid_assertion', ...tickErrors, ...verificationErrors],
	inside: ['unknown_fork'],
	examples: [
		{
			name: 'Step a fork and assert',
			given: [...entityWithAssertion, { path: '/fork', body: { fork_id: 'plan' } }],
			path: '/fork/plan/probe',
			body: { ticks: 60, snapshot_after: true },
		},
	],
});
