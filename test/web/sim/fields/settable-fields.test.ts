/** After any rule sets a field, the digest and the observation both change, or neither does. */

import { describe, expect, test } from 'vitest';
import { Collider } from '../../../../shared/components/collider.ts';
import type { Component, WordField } from '../../../../shared/contract/component.ts';
import { Refusal } from '../../../../shared/contract/errors.ts';
import { columnsOf } from '../../../../shared/media/collider-shapes.ts';
import { FIELD_PATHS, fieldPath } from '../../../../shared/verbs/field-name.ts';
import { clone, dispose } from '../../../../web/sim/core/clone.ts';
import { digest } from '../../../../web/sim/core/digest.ts';
import { pendingEvents } from '../../../../web/sim/core/events.ts';
import { add, spawn, type World } from '../../../../web/sim/core/world.ts';
import { observe } from '../../../../web/sim/observe/read-out.ts';
import { addField } from '../../../../web/sim/rules/actions/add-field.ts';
import { setField } from '../../../../web/sim/rules/actions/set-field.ts';
import { checkSettable } from '../../../../web/sim/rules/actions/settable-field.ts';
import { freshWorld, startEngine } from '../../../support/engine.ts';

const POINTS = [
	[0, 0, 0],
	[1, 0, 0],
	[0, 1, 0],
	[0, 0, 1],
];

/** A row of a collider for each shape. */
const SHAPES = [
	{ shape: 'Aabb', hx: 1, hy: 2, hz: 3 },
	{ shape: 'Sphere', radius: 1 },
	{ shape: 'Capsule', radius: 1, half_height: 2 },
	{ shape: 'Cylinder', radius: 1, half_height: 2 },
	{ shape: 'ConvexHull', points: POINTS },
	{ shape: 'TriMesh', points: POINTS, triangles: [[0, 1, 2]] },
	{ shape: 'HeightField', rows: 2, columns: 2, heights: [0, 1, 0, 1], size: [2, 2] },
] as const;

/**
 * Returns test rows of a component: the default row, and a row for each word of each word field.
 */
function rowsOf(component: Component): Record<string, unknown>[] {
	if (component === Collider) return SHAPES.map((shape) => ({ ...columnsOf(shape) }));
	const wordFields = Object.entries(component.fields).filter(([, { kind }]) => kind === 'word');
	return [
		{},
		...wordFields.flatMap(([name, field]) => (field as WordField).words.map((word) => ({ [name]: word }))),
	];
}

function isSettable(field: string): boolean {
	try {
		checkSettable({ field });
		return true;
	} catch (error) {
		if (error instanceof Refusal) return false;
		throw error;
	}
}

const VALUES = [0, -0, 1, 2, -1, -2, 3.5, 200, 1e6];
const SETTABLE = FIELD_PATHS.filter(isSettable);

const ACTIONS = [
	['set_field', setField],
	['add_field', addField],
] as const;

/** Returns the observation of all entities and events as a text, and the digest. */
const observationOf = (world: World) =>
	[JSON.stringify([observe(world), pendingEvents(world)]), digest(world)] as const;

async function worldWith(component: Component, row: Record<string, unknown>) {
	const world = await freshWorld();
	const handle = spawn(world);
	add(world, handle.id, component, row as never);
	return { world, handle };
}

describe('digest and observation agree for every kind of entity with the field', () => {
	test.each(SETTABLE)('%s', async (field) => {
		const { component } = fieldPath(field);
		for (const row of rowsOf(component)) {
			const { world, handle } = await worldWith(component, row);
			// Equal observations have equal digests, and equal digests have equal observations.
			const digests = new Map<string, string>();
			const observations = new Map<string, string>();
			const expectAgreement = (changed: World, description: string): void => {
				const [observation, digestText] = observationOf(changed);
				if (component.scope === 'state')
					expect.soft(observations.get(digestText) ?? observation, description).toBe(observation);
				expect.soft(digests.get(observation) ?? digestText, description).toBe(digestText);
				digests.set(observation, digestText);
				observations.set(digestText, observation);
			};
			expectAgreement(world, 'before');
			for (const value of VALUES)
				for (const [action, { act }] of ACTIONS) {
					const copy = clone(world);
					const document = { action, target: 'this', field, value } as never;
					act(copy, document, handle, { subject: handle, source: null } as never, {
						kind: 'rule',
						actions: [],
						owner: undefined,
					});
					expectAgreement(copy, `${action} ${field} ${value} of ${JSON.stringify(row)}`);
					dispose(copy);
				}
			dispose(world);
		}
	});
});

describe("a field that the collider's shape does not have", () => {
	const BALL = { shape: 'Sphere', radius: 1 };

	test.each([
		['a ball', BALL, 'y'],
		['a hull', { shape: 'ConvexHull', points: POINTS }, 'x'],
	])('is not set by a rule: %s', async (_, collider, axis) => {
		const { post, spawn: put, entity, rule } = await startEngine();
		const id = await put({ collider, physics_body: 'Static', tags: ['t'] });
		const before = await entity(id);
		for (const action of ['set_field', 'add_field'])
			await rule({
				when: 'tick:1',
				once: true,
				do: [{ action, target: { tag: 't' }, field: `collider.size.${axis}`, value: 5 }],
			});
		const { events } = await post('/step', { ticks: 1, events: ['action_failed'] });
		expect(events).toMatchObject([
			{ entity: id, action: 'set_field', reason: 'no_such_number' },
			{ entity: id, action: 'add_field', reason: 'no_such_number' },
		]);
		expect(await entity(id)).toEqual(before);
	});

	test('is refused in exact values, and the refusal names the existing fields', async () => {
		const { spawn: put, post, digest: digestOf } = await startEngine();
		await put({ collider: BALL, physics_body: 'Static' });
		const before = await digestOf();
		const postSize = (size: number[]) =>
			post('/scenario', { entities: [{ components: { collider: { shape: 'Sphere', size } } }] });
		const answer = await postSize([1, 5, 0]);
		expect(answer).toMatchObject({ ok: false });
		expect(answer.error).toContain('Sphere: radius, 0, 0');
		expect(await digestOf()).toBe(before);
		expect(await postSize([1, 0, 0])).toMatchObject({ ok: true });
	});
});
