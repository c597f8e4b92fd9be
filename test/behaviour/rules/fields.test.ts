/** set_field and add_field reach every number of every component. */

import { describe, expect, test } from 'vitest';
import { components } from '../../../shared/components/index.ts';
import type { NumberField } from '../../../shared/contract/component.ts';
import { pay, playing } from '../../support/playing.ts';

const { post, get, spawn, rule, step, entity, ledger } = playing();

interface SchemaField {
	readonly name: string;
	readonly kind: string;
	readonly initial?: readonly number[];
}
interface SchemaComponent {
	readonly name: string;
	readonly scope: string;
	readonly fields: readonly SchemaField[];
}

const NUMBERS = ['f32', 'u32', 'i32', 'u8'];
/** Components that rules cannot write: rules, verdicts, owners, and the computed pose. */
const READ_ONLY = ['agent_id', 'rule', 'rule_tally', 'assertion', 'assertion_verdict', 'global_transform'];
/** Excluded fields: internal ones of the engine, and numbers that are only 0 or 1. */
const EXCLUDED = [
	'effects.next',
	'backdoor.active',
	'respawns.returns',
	'light.shadows',
	'trigger_zone.once',
	'trigger_zone.spent',
	'sound.loop',
	'sound.spatial',
	'sound.playing',
	'animation.looping',
	'animation.playing',
	'path.mesh',
	'script.enabled',
	'path.near',
	'path.partial',
	'animation.montage_elapsed',
];
/** Other components and values with which the tick does not change a component itself. */
const STABILIZERS: Readonly<Record<string, object>> = {
	combat_state: { combat: {} },
	respawn_timer: { dead: {}, respawn_timer: { at: 1000 } },
	corpse_timer: { dead: {}, corpse_timer: { at: 1000 } },
	health: { health: { current: 5, max: 5 } },
	collider: { collider: { shape: 'Aabb', size: [1, 1, 1] } },
	projectile: { projectile: { speed: 0, ends_at: 1000 } },
};
const COMPONENTS = new Map(components.map((component) => [component.name, component]));
const AXES = ['x', 'y', 'z', 'w'];

/** Returns a number within the declared range of a field. */
function clamped(component: string, field: string, value: number): number {
	const { range = [-Infinity, Infinity] } = COMPONENTS.get(component)!.fields[field] as NumberField;
	return Math.min(Math.max(value, range[0]), range[1]);
}

/** Returns every writable number of every component: its path, component, field, lane, and a test value. */
async function everyNumber() {
	const { component_schemas: schemas } = (await get('/schema')) as {
		component_schemas: SchemaComponent[];
	};
	return schemas
		.filter(({ name, scope }) => scope !== 'derived' && !READ_ONLY.includes(name))
		.flatMap(({ name: component, fields }) =>
			fields
				.filter(({ name, kind }) => NUMBERS.includes(kind) && !EXCLUDED.includes(`${component}.${name}`))
				.flatMap(({ name: field, kind, initial = [] }) =>
					initial.map((_, lane) => ({
						path: `${component}.${field}${initial.length > 1 ? `.${AXES[lane]}` : ''}`,
						component,
						field,
						lane,
						value: clamped(component, field, { f32: 12.5, u32: 1e6, i32: -77, u8: 200 }[kind]! + lane),
					})),
				),
		);
}
type Numbers = Awaited<ReturnType<typeof everyNumber>>;

/** Creates one entity for each component, far from the others. The id is the index in the returned list. */
async function spawnAll(numbers: Numbers): Promise<string[]> {
	const names = [...new Set(numbers.map(({ component }) => component))];
	const entities = names.map((name, id) => ({
		id,
		position: [id * 100, 0, 0],
		components: { [name]: {}, ...STABILIZERS[name] },
	}));
	expect(await post('/scenario', { entities })).toMatchObject({ ok: true, entities_spawned: names.length });
	return names;
}

/** Runs a rule of many actions for a tick in a fork. Returns the changed values, by component and field. */
async function changesAfter(names: readonly string[], actions: readonly object[]) {
	await post('/fork', { fork_id: 'f' });
	await post('/step', {});
	await post('/rule/create?world=f', { when: 'tick:1', actions });
	await post('/step?world=f', {});
	const { changed } = await get('/fork/f/diff?limit=1000');
	const changes = new Map<string, unknown>();
	for (const { id, fields } of changed)
		for (const { field, to } of fields) if (field.startsWith(`${names[id]}.`)) changes.set(field, to);
	return changes;
}

describe('every number of every component', () => {
	test('is set, exactly', async () => {
		const numbers = (await everyNumber()).filter(({ field }) => field !== 'rotation');
		expect(numbers.length).toBeGreaterThan(60);
		const names = await spawnAll(numbers);
		const found = await changesAfter(
			names,
			numbers.map(({ path, component, value }) => ({
				action: 'set_field',
				target: { entity: names.indexOf(component) },
				field: path,
				value,
			})),
		);
		for (const { component, field, lane, value, path } of numbers) {
			const now = found.get(`${component}.${field}`);
			const shown = Array.isArray(now) ? now[lane] : now;
			expect(shown, path).toBe(value);
		}
	});

	test('is added to', async () => {
		const numbers = (await everyNumber()).filter(({ field }) => field !== 'rotation');
		const names = await spawnAll(numbers);
		const before = new Map<string, unknown>();
		const { component_schemas: schemas } = (await get('/schema')) as {
			component_schemas: SchemaComponent[];
		};
		for (const { name, fields } of schemas)
			for (const { name: field, initial } of fields) before.set(`${name}.${field}`, initial);
		const found = await changesAfter(
			names,
			numbers.map(({ path, component }) => ({
				action: 'add_field',
				target: { entity: names.indexOf(component) },
				field: path,
				value: 2,
			})),
		);
		for (const { component, field, lane, path } of numbers) {
			const given = (STABILIZERS[component] as Record<string, Record<string, unknown>> | undefined)?.[
				component
			]?.[field];
			const start = given ?? before.get(`${component}.${field}`);
			const now = found.get(`${component}.${field}`);
			const at = (value: unknown) => (Array.isArray(value) ? value[lane] : value);
			expect(at(now), path).toBe(clamped(component, field, at(start) + 2));
		}
	});
});

describe('a written value', () => {
	test('in a rotation leaves a unit quaternion, and no rotation without a length', async () => {
		const id = await spawn();
		const turn = (part: string, value: number) =>
			`set_field entity:${id} local_transform.rotation.${part} ${value}`;
		const rotation = async () => (await entity(id)).local_transform.rotation;
		await rule({ when: 'tick:1', once: true, actions: [turn('y', 1)] });
		await step();
		for (const [lane, part] of (await rotation()).entries())
			expect(part).toBeCloseTo([0, Math.SQRT1_2, 0, Math.SQRT1_2][lane]!, 6);
		await rule({ when: 'tick:1', once: true, actions: [turn('y', 0)] });
		await step();
		expect(await rotation()).toEqual([0, 0, 0, 1]);
		await rule({ when: 'tick:1', once: true, actions: [turn('w', 0)] });
		await step();
		expect(await rotation()).toEqual([0, 0, 0, 1]);
	});

	test('is limited to the range of the field, and whole numbers are rounded', async () => {
		const id = await spawn({ team: 3, gold: 5, health: 10, collider: { shape: 'Sphere', radius: 1 } });
		const set = (field: string, value: number) => ({
			action: 'set_field',
			target: { entity: id },
			field,
			value,
		});
		await rule({
			when: 'tick:1',
			once: true,
			do: [set('team', 900), set('gold', 1.5), set('collider.size.x', -4)],
		});
		await step();
		expect(await entity(id)).toMatchObject({ team: 255, gold: 2, collider: { radius: 0.001 } });
		await rule({ when: 'tick:1', once: true, do: [set('team', -1)] });
		await step();
		expect((await entity(id)).team).toBe(0);
	});

	test('with a short name changes the same number', async () => {
		const id = await spawn({ health: 10, mana: 10, mana_regen: 0, gold: 0, position: [1, 2, 3] });
		const names = ['health', 'mana', 'gold', 'x', 'pos.y', 'position.z'];
		await rule({
			when: 'tick:1',
			once: true,
			actions: names.map((name) => `add_field entity:${id} ${name} -1`),
		});
		await step();
		expect(await entity(id)).toMatchObject({
			health: [9, 10],
			mana: [9, 10],
			gold: -1,
			local_transform: { position: [0, 1, 2] },
		});
	});

	test('does not add a missing component', async () => {
		const id = await spawn({ gold: 0 });
		await rule({ when: 'tick:1', actions: [`set_field entity:${id} health 5`, pay({ entity: id })] });
		expect(await ledger(id, 2)).toEqual([1, 2]);
		expect((await entity(id)).health).toBeUndefined();
	});
});
