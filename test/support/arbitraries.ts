/**
 * Random spawn documents and commands for property tests, read off the route declarations.
 * Owns: the seed, and how far the numbers spread: near enough to each other that bodies meet.
 */

import fc from 'fast-check';
import { type JsonSchema, jsonSchema } from '../../shared/contract/json-schema.ts';
import { patchComponents, spawn } from '../../shared/routes/world.ts';
import type { Json, Reply, TestEngine } from './engine.ts';

/** The seed of every property test; ORRERY_SEED chooses another. It stands in the names of the tests. */
export const SEED = Number(process.env.ORRERY_SEED ?? 20_261_120);

/** Checks a property with the fixed seed, so that a failure can be seen again. */
export function check<T extends [unknown, ...unknown[]]>(
	runs: number,
	arbitraries: { [K in keyof T]: fc.Arbitrary<T[K]> },
	property: (...values: T) => Promise<void> | void,
): Promise<void> {
	const tested = fc.asyncProperty<T>(...arbitraries, async (...values) => {
		await property(...values);
	});
	return fc.assert(tested, { seed: SEED, numRuns: runs });
}

const near = (spread: number) => fc.integer({ min: -spread * 8, max: spread * 8 }).map((n) => n / 8);
const size = fc.integer({ min: 2, max: 10 }).map((n) => n / 8);

/** Values in place of what the schema alone would give, by name of the field. */
const CLOSER: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
	position: fc.tuple(
		near(2),
		fc.integer({ min: 0, max: 40 }).map((n) => n / 8),
		near(2),
	),
	rotation: fc.tuple(near(1), near(1), near(1), fc.constant(1)),
	linear: fc.tuple(near(4), near(4), near(4)),
	angular: fc.tuple(near(4), near(4), near(4)),
	parent: fc.integer({ min: 0, max: 8 }),
	generation: fc.constant(undefined),
	agent_id: fc.constantFrom(undefined, undefined, undefined, 7),
	health: fc.constantFrom(0, 1, 30.25, 100),
	...Object.fromEntries(['hx', 'hy', 'hz', 'radius', 'half_height'].map((key) => [key, size])),
};

/** Values of a JSON Schema; optional fields are there half of the time. */
export function valuesOf(schema: JsonSchema): fc.Arbitrary<unknown> {
	const alternatives = (schema.anyOf ?? schema.oneOf) as JsonSchema[] | undefined;
	if (alternatives !== undefined) {
		const real = alternatives.filter(({ type }) => type !== 'null');
		return fc.oneof(...real.map(valuesOf));
	}
	if ('const' in schema) return fc.constant(schema.const);
	if (Array.isArray(schema.enum)) return fc.constantFrom(...schema.enum);
	const { minimum = -1e9, maximum = 1e9 } = schema as { minimum?: number; maximum?: number };
	switch (schema.type) {
		case 'integer':
			return fc.oneof(
				fc.integer({ min: Math.max(minimum, -20), max: Math.min(maximum, 20) }),
				fc.maxSafeInteger().map((n) => Math.min(maximum, Math.max(minimum, n))),
			);
		case 'number':
			return fc
				.float({ noNaN: true, noDefaultInfinity: true })
				.map((n) => Math.min(maximum, Math.max(minimum, n)));
		case 'string':
			return fc.oneof(
				fc.constantFrom('cube', 'Sphere', 'gold', '0.25,0.5,1', 'a', 'b'),
				fc.string({ maxLength: 12, unit: 'grapheme' }),
			);
		case 'boolean':
			return fc.boolean();
		case 'array': {
			const fixed = schema.prefixItems as JsonSchema[] | undefined;
			if (fixed !== undefined) return fc.tuple(...fixed.map(valuesOf));
			const { minItems: minLength = 0 } = schema as { minItems?: number };
			return fc.array(valuesOf((schema.items ?? {}) as JsonSchema), { minLength, maxLength: 4 });
		}
		case 'object': {
			const properties = Object.entries((schema.properties ?? {}) as Record<string, JsonSchema>);
			const required = (schema.required ?? []) as string[];
			const members = properties.map(([key, member]) => [key, CLOSER[key] ?? valuesOf(member)] as const);
			return fc.record(Object.fromEntries(members), { requiredKeys: required }).map((value) => {
				// A field that is there and undefined is not there on the wire.
				return JSON.parse(JSON.stringify(value)) as unknown;
			});
		}
		default:
			return fc.constant(null);
	}
}

/** Bodies of POST /spawn: every field of the document occurs. */
export const spawnDocuments = valuesOf(jsonSchema(spawn.body!, 'input')) as fc.Arbitrary<Json>;

/** The same, but always a body that collides. */
export const bodyDocuments = fc
	.tuple(
		spawnDocuments,
		fc.constantFrom('Dynamic', 'Dynamic', 'Dynamic', 'Static', 'Kinematic'),
		fc.constantFrom('Aabb', 'Sphere', 'Capsule'),
		size,
	)
	.map(([document, physics_body, shape, s]): Json => {
		const colliders = {
			Aabb: { shape, hx: s, hy: s / 2 + 0.125, hz: s },
			Sphere: { shape, radius: s / 2 },
			Capsule: { shape, radius: s / 2, half_height: s / 2 },
		};
		const { parent: _, ...rest } = document;
		return { ...rest, physics_body, collider: colliders[shape as keyof typeof colliders] };
	});

const patches = valuesOf(jsonSchema(patchComponents.body!, 'input')) as fc.Arbitrary<Json>;
const id = fc.integer({ min: 0, max: 8 });
const post = (path: string, body: fc.Arbitrary<unknown>) =>
	body.map((sent): Command => ({ path, body: sent }));

/** A call that changes a world. A despawn says only who; the generation is looked up when it is made. */
export interface Command {
	readonly path: string;
	readonly body: unknown;
}

/** One of the calls that change a world. */
export const commands: fc.Arbitrary<Command> = fc.oneof(
	{ weight: 5, arbitrary: post('/spawn', fc.oneof(spawnDocuments, bodyDocuments)) },
	{ weight: 2, arbitrary: post('/despawn', fc.record({ entity_id: id })) },
	{
		weight: 3,
		arbitrary: fc
			.tuple(id, patches)
			.map(([slot, body]): Command => ({ path: `/entities/${slot}/components`, body })),
	},
	{
		weight: 2,
		arbitrary: post(
			'/entity/damage',
			fc.record({ entity_id: id, amount: fc.constantFrom(0, 0.5, 40), source: id }),
		),
	},
	{
		weight: 1,
		arbitrary: post('/entity/heal', fc.record({ entity_id: id, amount: fc.constantFrom(0, 5.5) })),
	},
	{
		weight: 1,
		arbitrary: post(
			'/tag',
			fc.record({ entity_id: id, add: fc.array(fc.string({ maxLength: 3 }), { maxLength: 3 }) }),
		),
	},
	{
		weight: 1,
		arbitrary: post(
			'/events',
			fc.oneof(
				fc.record({
					type: fc.constant('SignalEvent'),
					name: fc.string({ maxLength: 5 }),
					data: fc.jsonValue(),
				}),
				fc.record({ type: fc.constant('DamageEvent'), target: id, amount: fc.constantFrom(1, 2.5) }),
			),
		),
	},
	{ weight: 4, arbitrary: post('/step', fc.record({ ticks: fc.integer({ min: 0, max: 8 }) })) },
	{ weight: 1, arbitrary: post('/camera/view', fc.constant({ view: 'top' })) },
);

/** What happened to a world so far. */
export const histories = (most: number): fc.Arbitrary<Command[]> =>
	fc.array(commands, { minLength: Math.ceil(most / 3), maxLength: most, size: 'max' });

/** Makes a call on a world; main unless another is named. It may be refused, but never by a fault of the engine. */
export async function perform(
	{ engine, call }: TestEngine,
	{ path, body }: Command,
	world = 'main',
): Promise<Reply> {
	let sent = body;
	if (path === '/despawn') {
		const { entity_id } = body as { entity_id: number };
		const { entities } = engine.worlds.find(world)!.world;
		sent = { entity_id, entity_generation: entities.generations.data[entity_id] ?? 0, agent_id: 7 };
	}
	const reply = await call('POST', `${path}?world=${world}`, sent);
	if (reply.status === 422 || reply.status >= 500)
		throw new Error(`${path} ${JSON.stringify(sent)}: ${JSON.stringify(reply.body)}`);
	return reply;
}

/** Makes a world with a history. The caller closes the engine. */
export async function relive(engine: TestEngine, history: readonly Command[], world = 'main'): Promise<void> {
	for (const command of history) await perform(engine, command, world);
}
