/**
 * Random spawn documents and commands for property tests, derived from the declarations of routes.
 * Owns: the ranges of the numbers, which are small enough that bodies meet.
 */

import fc from 'fast-check';
import { type JsonSchema, jsonSchema } from '../../shared/contract/json-schema.ts';
import type { ExampleCall } from '../../shared/contract/route.ts';
import { hasLength } from '../../shared/contract/values.ts';
import { routes } from '../../shared/routes/index.ts';
import { patchComponents, spawn } from '../../shared/routes/world.ts';
import type { Json, Reply, TestEngine } from './engine.ts';
import { withoutRecursion } from './json-samples.ts';

const coordinate = (spread: number) => fc.integer({ min: -spread * 8, max: spread * 8 }).map((n) => n / 8);
const size = fc.integer({ min: 2, max: 10 }).map((n) => n / 8);

/** Fields of a collider of size `s`, for each solid shape. Random points alone would not give valid shapes. */
const colliders: Readonly<Record<string, (s: number) => Json>> = {
	Aabb: (s) => ({ hx: s, hy: s / 2 + 0.125, hz: s }),
	Sphere: (s) => ({ radius: s / 2 }),
	Capsule: (s) => ({ radius: s / 2, half_height: s / 2 }),
	Cylinder: (s) => ({ radius: s / 2, half_height: s / 2 }),
	ConvexHull: (s) => ({
		points: [
			[s, 0, 0],
			[-s, 0, s],
			[-s, 0, -s],
			[0, s, 0],
			[0, -s, 0],
		],
	}),
};
const surfaces: Readonly<Record<string, (s: number) => Json>> = {
	TriMesh: (s) => ({
		points: [
			[-s, 0, -s],
			[s, s, -s],
			[0, 0, s],
		],
		triangles: [[0, 2, 1]],
	}),
	HeightField: (s) => ({
		heights: [
			[0, s, 0],
			[s, 0, -s],
		],
		size: [s, 2 * s],
	}),
};
const colliderOf = (of: typeof colliders) =>
	fc.tuple(fc.constantFrom(...Object.keys(of)), size).map(([shape, s]) => ({ shape, ...of[shape]!(s) }));
const solidCollider = colliderOf(colliders);
const surfaceCollider = colliderOf(surfaces);

const slot = fc.integer({ min: 0, max: 8 });
const item = fc.constantFrom(1, 2, 3);

/** Values that replace those of the schema, by name of the field. */
const FIELD_VALUES: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
	position: fc.tuple(
		coordinate(2),
		fc.integer({ min: 0, max: 40 }).map((n) => n / 8),
		coordinate(2),
	),
	rotation: fc.tuple(coordinate(1), coordinate(1), coordinate(1), fc.constant(1)),
	linear: fc.tuple(coordinate(4), coordinate(4), coordinate(4)),
	angular: fc.tuple(coordinate(4), coordinate(4), coordinate(4)),
	parent: slot,
	// There are no assets in these worlds.
	texture: fc.constant(undefined),
	normal_texture: fc.constant(undefined),
	occlusion_texture: fc.constant(undefined),
	sound: fc.record(
		{
			clip: fc.constant(''),
			name: fc.constantFrom('wind', 'fire'),
			spatial: fc.boolean(),
			playing: fc.boolean(),
			loop: fc.boolean(),
			volume: fc.constantFrom(0, 0.5, 2),
			bus: fc.constantFrom('music', 'ui'),
			fade_in: fc.constantFrom(0, 60),
		},
		{ requiredKeys: ['clip'] },
	),
	generation: fc.constant(undefined),
	agent_id: fc.constantFrom(undefined, undefined, undefined, 7),
	health: fc.constantFrom(0, 1, 30.25, 100),
	mana: fc.constantFrom(0, 50, 1000),
	chance: fc.constantFrom(0, 0.5, '1/4', 1),
	equipment: fc.dictionary(fc.constantFrom('weapon', 'head'), item, { maxKeys: 2 }),
	...Object.fromEntries(
		['base_stats', 'stat_growth', 'properties'].map((key) => [
			key,
			fc.dictionary(fc.constantFrom('attack_damage', 'max_health', 'move_speed', 'armor'), coordinate(20), {
				maxKeys: 3,
			}),
		]),
	),
	collider: solidCollider,
};

/** Numbers from small sets, so that they refer to each other, by name of the field. Used only for number fields. */
const NUMBERS: Readonly<Record<string, fc.Arbitrary<number>>> = {
	...Object.fromEntries(
		['entity_id', 'entity', 'target', 'target_entity', 'source', 'owner'].map((key) => [key, slot]),
	),
	...Object.fromEntries(
		['duration', 'interval', 'cooldown', 'lifetime', 'combat_cooldown', 'fade_time'].map((key) => [
			key,
			fc.constantFrom(0, 0.05, 0.1, 1),
		]),
	),
	...Object.fromEntries(
		['amount', 'damage', 'combat_damage', 'threshold'].map((key) => [key, fc.constantFrom(0, 0.5, 12, 40)]),
	),
	...Object.fromEntries(['width', 'height'].map((key) => [key, fc.constantFrom(2, 3, 8)])),
	item_id: item,
	weight: fc.constantFrom(1, 2.5, 3),
	count: fc.constantFrom(1, 2),
	every: fc.constantFrom(1, 3),
	team: fc.constantFrom(0, 1, 2),
};

/** Texts with a grammar that the schema does not contain, by name of the field. */
const TEXTS: Readonly<Record<string, fc.Arbitrary<string>>> = {
	// Names of materials, because not every text is valid.
	material: fc.constantFrom('brass', 'constructor'),
	...Object.fromEntries(
		['filter', 'nearest', 'all'].map((key) => [
			key,
			fc.constantFrom('any', 'team:1', 'entity:0', 'tag:a', 'role:minion', 'component:Health'),
		]),
	),
	...Object.fromEntries(
		['do', 'actions'].map((key) => [
			key,
			fc.constantFrom(
				'damage this 12',
				'heal this 5',
				'despawn this',
				'score source 1',
				'teleport this 1,2,1',
			),
		]),
	),
	...Object.fromEntries(
		// A hill of four points, and paint of one point.
		['heights', 'paint'].map((key) => [key, fc.constantFrom('', 'AACAPwAAAEAAAIA/AAAAAA==', '/wAAAA==')]),
	),
	...Object.fromEntries(
		['name', 'hero_name', 'template', 'prefab', 'label'].map((key) => [key, fc.constantFrom('a', 'Knight')]),
	),
	when: fc.constantFrom('death', 'timer:0.05', 'tick:2', 'health-below:50', 'score:1', 'event:damage'),
	event: fc.constantFrom('damage', 'death', 'collision', 'signal', 'cast', 'effect_expired'),
	field: fc.constantFrom('health.current', 'velocity.linear.y', 'gold.amount', 'amount'),
	weight: fc.constantFrom('1/3', '0.25', '2'),
	modifiers: fc.constantFrom('attack_damage:add:5', 'move_speed:mul:0.5', 'max_health:add:20', 'armor:set:3'),
	alpha_mode: fc.constantFrom('opaque', 'blend', 'mask', 'mask:0.25'),
	stack_policy: fc.constantFrom('replace', 'refresh', 'stack', 'stack:2', 'stack:2:refresh'),
	tick_effect: fc.constantFrom('dps:10', 'hps:5.5', 'custom:a'),
	tag: fc.constantFrom('a', 'b', 'poison'),
	rules: fc.constantFrom('always', 'same-team', 'within:5', 'tag:a', 'not:same-team'),
	action: fc.constantFrom('damage:12', 'heal:1.5', 'teleport:1,2,3'),
};

/** Removes entries with a repeated slot from a list. */
const onePerSlot = (list: unknown) =>
	Array.isArray(list) ? [...new Map(list.map((entry) => [(entry as Json).slot, entry])).values()] : list;

/** Returns random values of a JSON Schema, for the field `key`. Optional fields occur half of the time. */
export function valuesOf(schema: JsonSchema, key = ''): fc.Arbitrary<unknown> {
	const fieldValues = FIELD_VALUES[key];
	if (fieldValues !== undefined) return fieldValues;
	const alternatives = (schema.anyOf ?? schema.oneOf) as JsonSchema[] | undefined;
	if (alternatives !== undefined) {
		const real = alternatives.filter(({ type }) => type !== 'null');
		return fc.oneof(...real.map((alternative) => valuesOf(alternative, key)));
	}
	if ('const' in schema) return fc.constant(schema.const);
	if (Array.isArray(schema.enum)) return fc.constantFrom(...schema.enum);
	const { minimum = -1e9, maximum = 1e9 } = schema as { minimum?: number; maximum?: number };
	const clamped = (n: number) => Math.min(maximum, Math.max(minimum, n));
	switch (schema.type) {
		case 'integer':
			return (
				NUMBERS[key]?.map(clamped) ??
				fc.oneof(
					fc.integer({ min: Math.max(minimum, -20), max: Math.min(maximum, 20) }),
					fc.maxSafeInteger().map(clamped),
				)
			);
		case 'number':
			return (
				NUMBERS[key]?.map(clamped) ??
				fc.oneof(coordinate(10).map(clamped), fc.float({ noNaN: true, noDefaultInfinity: true }).map(clamped))
			);
		case 'string': {
			const { minLength = 0 } = schema as { minLength?: number };
			return (
				TEXTS[key] ??
				fc.oneof(
					fc.constantFrom('cube', 'Sphere', 'gold', '0.25,0.5,1', 'a', 'b'),
					fc.string({ minLength, maxLength: minLength + 12, unit: 'grapheme' }),
				)
			);
		}
		case 'boolean':
			return fc.boolean();
		case 'array': {
			const fixed = schema.prefixItems as JsonSchema[] | undefined;
			if (fixed !== undefined) {
				const vector = fc.tuple(...fixed.map((part) => valuesOf(part)));
				return 'not' in schema ? vector.filter((parts) => hasLength(parts as number[])) : vector;
			}
			const { minItems: minLength = 0 } = schema as { minItems?: number };
			const list = fc.array(valuesOf((schema.items ?? {}) as JsonSchema, key), { minLength, maxLength: 4 });
			return key === 'abilities' ? list.map(onePerSlot) : list;
		}
		case 'object': {
			const properties = Object.entries((schema.properties ?? {}) as Record<string, JsonSchema>);
			const required = (schema.required ?? []) as string[];
			const members = properties.map(([name, member]) => [name, valuesOf(member, name)] as const);
			return fc.record(Object.fromEntries(members), { requiredKeys: required }).map((value) => {
				// Removes undefined fields, as JSON does on the wire.
				return JSON.parse(JSON.stringify(value)) as unknown;
			});
		}
		default:
			// A schema without a type stands for a nested effect.
			return fc.constantFrom({ Heal: { amount: 5 } }, { Damage: { amount: 12 } });
	}
}

/** Bodies of POST /spawn. Every field of the document occurs. */
export const spawnDocuments = valuesOf(
	withoutRecursion(jsonSchema(spawn.body!, 'input')),
) as fc.Arbitrary<Json>;

/** Bodies of POST /spawn that always have a body and a collider. */
export const bodyDocuments = fc
	.tuple(
		spawnDocuments,
		fc.constantFrom('Dynamic', 'Dynamic', 'Dynamic', 'Static', 'Kinematic'),
		solidCollider,
		surfaceCollider,
	)
	.map(([document, physics_body, solid, surface]): Json => {
		const { parent: _, ...rest } = document;
		return { ...rest, physics_body, collider: physics_body === 'Static' ? surface : solid };
	});

/** Entities with a collider of any shape. Their body is set, or follows from fighting or walking. */
export const anyBodyDocuments = fc
	.tuple(
		fc.oneof(fc.constant({ health: 100, team: 1 }), spawnDocuments),
		fc.constantFrom(
			{},
			{ combat: true },
			{
				ai_patrol: [
					[0, 0, 0],
					[2, 0, 0],
				],
			},
			{ physics_body: 'Static' },
			{ physics_body: 'Kinematic' },
			{ physics_body: 'Dynamic' },
		),
		fc.oneof(solidCollider, surfaceCollider),
	)
	.map(([document, activity, collider]): Json => {
		const { parent: _, physics_body: __, combat: ___, ai_patrol: ____, ...rest } = document as Json;
		return { ...rest, ...activity, collider };
	});

const patches = valuesOf(withoutRecursion(jsonSchema(patchComponents.body!, 'input'))) as fc.Arbitrary<Json>;
const id = slot;
const post = (path: string, body: fc.Arbitrary<unknown>) =>
	body.map((sent): Command => ({ path, body: sent }));

/** A call that changes a world. A despawn has only the id; `make` adds the current generation. */
export interface Command {
	readonly method?: ExampleCall['method'];
	readonly path: string;
	readonly body: unknown;
	/** Calls to make before it. */
	readonly given?: readonly ExampleCall[];
	/** True if its body may be invalid for a reason that is not in the JSON Schema. */
	readonly mayBeInvalid?: true;
}

/** Routes that change only the world of the query. Play and pause are excluded, because they use the clock. */
const worldRoutes = routes.filter(
	({ effect, world, examples, id }) =>
		['write', 'step', 'replace'].includes(effect) &&
		world !== false &&
		examples.every(({ needs }) => needs === undefined) &&
		!['simulation.play', 'simulation.pause'].includes(id),
);

/** Every example of these routes, with the calls that it needs before. */
const exampleCommands = fc.constantFrom(
	...worldRoutes.flatMap(({ method, path, examples }) =>
		examples
			.filter(({ given = [] }) => given.every((call) => !call.path.startsWith('/fork')))
			.map((example): Command => {
				const { given = [], body } = example;
				return { method, path: example.path ?? path, body, given };
			}),
	),
);

/** Bodies that fit the schemas of these routes, except routes with their own commands below. */
const otherCommands = fc.oneof(
	...worldRoutes
		.filter(
			({ id, method, params, body, effect }) =>
				method === 'POST' &&
				params === undefined &&
				body !== undefined &&
				effect === 'write' &&
				!['world.spawn', 'world.despawn', 'scenes.load_level'].includes(id),
		)
		.map(({ path, body }) =>
			valuesOf(withoutRecursion(jsonSchema(body!, 'input'))).map(
				(sent): Command => ({ path, body: sent, mayBeInvalid: true }),
			),
		),
);

/** An entity that fights, casts, falls and drops loot. */
const fighters = fc
	.record({
		position: FIELD_VALUES.position!,
		team: fc.constantFrom(1, 2),
		health: fc.constantFrom(12, 40, 100),
		combat_style: fc.constantFrom('melee', 'stationary'),
		crit: fc.constant({ chance: '1/4', multiplier: 2 }),
		gold: fc.constant(100),
		role: fc.constantFrom('hero', 'minion'),
		physics_body: fc.constantFrom('Dynamic', 'Kinematic'),
		xp_bounty: fc.constant(150),
	})
	.map(
		(given): Command => ({
			path: '/spawn',
			body: {
				...given,
				combat: true,
				combat_damage: 12,
				combat_range: 3,
				combat_cooldown: 0.1,
				collider: { shape: 'Sphere', radius: 0.375 },
				mana: 1000,
				abilities: [
					{ slot: 'Q', name: 'Mend', cooldown: 0.05, mana_cost: 1, effect: { Heal: { amount: 5 } } },
					{
						slot: 'W',
						name: 'Daze',
						cooldown: 0.05,
						mana_cost: 1,
						effect: { AreaEffect: { radius: 3, effect: { ApplyCc: { cc_type: 'Stun', duration: 0.1 } } } },
					},
				],
				loot: [
					{ label: 'gold', weight: '1/3', gold: 5 },
					{ label: 'blade', weight: 1, item: { item_id: 1 } },
					{ label: 'imp', weight: 1, spawn: { mesh: 'cube', health: 1, team: 3 } },
				],
			},
		}),
	);

const actions = fc.array(fc.oneof(TEXTS.do!, fc.constant('spawn cube 1,1,1')), {
	minLength: 1,
	maxLength: 2,
});

/** Rules in short form, with and without outcomes. */
const shortRules = fc
	.record({
		when: TEXTS.when!,
		filter: TEXTS.filter!,
		chosen: fc.oneof(
			actions.map((done) => ({ actions: done })),
			fc.tuple(actions, actions).map(([item, other]) => ({
				outcomes: [
					{ label: 'one', weight: 1, do: item },
					{ label: 'other', weight: '2/3', do: other },
				],
			})),
		),
	})
	.map(
		({ when, filter, chosen }): Command => ({
			path: '/rule/create',
			body: { when, filter, ...chosen },
			mayBeInvalid: true,
		}),
	);

/** Scripts that keep state, resume coroutines, draw, spawn and fail. */
const SCRIPTS = {
	counting: `local n = 0
function on_update(me)
  n = n + math.random(5)
  engine.emit("n", n)
  if n % 3 == 0 then error("n is " .. n) end
end`,
	resuming: `local step = coroutine.wrap(function()
  local seen = {}
  while true do
    seen[#seen + 1] = engine.tick()
    if #seen > 9 then seen = {} end
    coroutine.yield(#seen)
  end
end)
function on_update(me) engine.set(me, "health.current", step() + 1) end`,
	drawing: `function on_update(me)
  local x, y, z = engine.get_position(me)
  if engine.chance("way", { left = 1, right = 2 }) == "left" then x = x - 0.25 else x = x + 0.25 end
  engine.set_position(me, x, y, z)
end`,
	making: `local last
function on_start(me)
  engine.every(0.1, function()
    if last and engine.exists(last) then engine.despawn(last) end
    last = engine.spawn({ mesh = "cube", tags = { "made" }, health = 5 })
  end)
end`,
} as const;

/** Calls that give otherwise rare components. Entity 0 exists, because fighters are spawned before. */
const RARE: readonly Command[] = [
	...Object.entries(SCRIPTS).map(([script_name, source]) => ({
		path: '/script/load',
		body: { script_name, source, entity_id: 0 },
	})),
	{
		given: [{ path: '/assert/create', body: { name: 'lives', condition: 'alive', filter: 'team:1' } }],
		path: '/assert/evaluate',
		body: {},
	},
	...['A', 'F', 'ArrowUp', 'Q'].map((key) => ({
		given: [{ path: '/entities/0/components', body: { player: true } }],
		path: '/input/press',
		body: { key, entity_id: 0, ticks: 20 },
	})),
	{
		given: [{ path: '/hero/define', body: { name: 'Knight', health: 80 } }],
		path: '/hero/select',
		body: { entity_id: 0, hero_name: 'Knight' },
	},
	{ path: '/projectile/spawn', body: { direction: [1, 0, 0], spread: { cone: 0.1, rays: 7 } } },
	{
		path: '/trigger/create',
		body: { zone: [9, 9, 9], action: 'effect', effect: { tag: 'zone', duration: 0.05 } },
	},
	{ path: '/view-filter/set', body: { entity_id: 0, rules: ['within:20'] } },
	{ path: '/effect/apply', body: { entity_id: 0, tag: 'short', duration: 0.02 } },
	{
		given: [{ path: '/ui/button', body: { id: 'start', text: 'Start' } }],
		path: '/ui/press',
		body: { id: 'start' },
	},
	{
		given: [{ path: '/rule/create', body: { when: 'tick:1', once: true, do: ['spawn cube 1,1,1'] } }],
		path: '/step',
		body: { ticks: 1 },
	},
	{
		given: [50, 50.5].map((x) => ({
			path: '/spawn',
			body: {
				position: [x, 50, 0],
				physics_body: 'Dynamic',
				collider: { shape: 'Sphere', radius: 0.5 },
			},
		})),
		path: '/step',
		body: { ticks: 1 },
	},
];
const seldom = fc.constantFrom(...RARE);

/** Any call that changes a world. */
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
					// A key that no object may have is refused.
					data: fc.jsonValue().filter((value) => !JSON.stringify(value).includes('__proto__')),
				}),
				fc.record({ type: fc.constant('DamageEvent'), target: id, amount: fc.constantFrom(1, 2.5) }),
			),
		),
	},
	{
		weight: 4,
		arbitrary: post('/step', fc.record({ ticks: fc.oneof(fc.constant(1), fc.integer({ min: 0, max: 20 })) })),
	},
	{ weight: 1, arbitrary: post('/camera/view', fc.constant({ view: 'top' })) },
	{ weight: 4, arbitrary: exampleCommands },
	{ weight: 2, arbitrary: seldom },
	{ weight: 8, arbitrary: otherCommands },
	{
		weight: 3,
		arbitrary: fc.oneof(
			{
				weight: 2,
				arbitrary: post(
					'/ability/use',
					fc.record({ entity_id: fc.integer({ min: 0, max: 3 }), slot: fc.constantFrom('Q', 'W') }),
				),
			},
			{ weight: 1, arbitrary: shortRules },
		),
	},
);

/** Definitions of the items in spawn documents. */
export const itemDefinitions: readonly Command[] = [1, 2, 3].map((id) => ({
	path: '/item/define',
	body: { id, name: `item ${id}`, properties: { attack_damage: id, cost: 10 } },
}));

/** Histories of a world: item definitions, some fighters, a few rare calls, then up to `max` random calls. */
export const histories = (max: number): fc.Arbitrary<Command[]> =>
	fc
		.tuple(
			fc.array(fighters, { minLength: 3, maxLength: 6, size: 'max' }),
			fc.shuffledSubarray([...RARE], { minLength: 6, maxLength: 6 }),
			fc.array(commands, { minLength: Math.ceil(max / 3), maxLength: max, size: 'max' }),
		)
		.map(([crowd, rare, history]) => [...itemDefinitions, ...crowd, ...rare, ...history]);

/** Makes the calls that come before a command. */
export async function prepare({ call }: TestEngine, { given = [] }: Command, world = 'main'): Promise<void> {
	for (const { method, path, body } of given)
		await call(method ?? (body === undefined ? 'GET' : 'POST'), inWorld(path, world), body);
}

const inWorld = (path: string, world: string) => `${path}${path.includes('?') ? '&' : '?'}world=${world}`;

/** Makes the calls of a command. They may be refused, but must not cause an internal error. */
export async function perform(engine: TestEngine, command: Command, world = 'main'): Promise<Reply> {
	await prepare(engine, command, world);
	return make(engine, command, world);
}

const MINUS_ZERO = '-0 as it is';

/** Returns the JSON of a body, with -0 preserved. JSON.stringify alone would write 0. */
function withZeros(body: unknown): Uint8Array {
	const text = JSON.stringify(body ?? {}, (_, value) => (Object.is(value, -0) ? MINUS_ZERO : value));
	return new TextEncoder().encode(text.replaceAll(JSON.stringify(MINUS_ZERO), '-0'));
}

/** Makes the call of a command, without the calls before it. */
export async function make(
	{ engine, call }: TestEngine,
	{ method = 'POST', path, body, mayBeInvalid }: Command,
	world = 'main',
): Promise<Reply> {
	let content = body;
	if (path === '/despawn' && !('entity_generation' in (body as Json))) {
		const { entity_id } = body as { entity_id: number };
		const { entities } = engine.worlds.find(world)!.world;
		content = { entity_id, entity_generation: entities.generations.data[entity_id] ?? 0, agent_id: 7 };
	}
	const reply = await call(method, inWorld(path, world), method === 'POST' ? withZeros(content) : content);
	// A body of the wrong shape means a fault of the generator.
	if ((reply.body.code === 'invalid_body' && !mayBeInvalid) || reply.status >= 500)
		throw new Error(`${path} ${JSON.stringify(content)}: ${JSON.stringify(reply.body)}`);
	return reply;
}

/** Runs a history in a world. */
export async function relive(engine: TestEngine, history: readonly Command[], world = 'main'): Promise<void> {
	for (const command of history) await perform(engine, command, world);
}

/** Positions (m), among them extreme but valid ones. */
const metres = fc.constantFrom(0, 0, 0.001, 0.5, 1, -1, 5, 1e3, 1e6, -1e6);
const lengths = fc.constantFrom(1e-3, 0.01, 0.5, 1, 10, 1e3, 1e4);
const upTo = (max: number) => fc.constantFrom(0, -0, 1, -1, max, -max, max / 3);
const triple = <T>(part: fc.Arbitrary<T>) => fc.tuple(part, part, part);

const extremeCollider = fc
	.tuple(fc.constantFrom('Aabb', 'Sphere', 'Capsule', 'Cylinder'), triple(lengths))
	.map(([shape, [a, b, c]]) =>
		shape === 'Aabb'
			? { shape, hx: a, hy: b, hz: c }
			: { shape, radius: a, ...(shape === 'Sphere' ? {} : { half_height: b }) },
	);
const extremeVelocity = fc.record({ linear: triple(upTo(1e4)), angular: triple(upTo(1e3)) });
const bodyKind = fc.constantFrom('Dynamic', 'Dynamic', 'Dynamic', 'Kinematic', 'Static');
const rotations = fc.constantFrom([0, 0, 0, 1], [1, 0, 0, 0], [0.1, -0.7, 0.3, 0.2], [0, 0, -1, 1]);

const extremeBody = fc.record(
	{
		position: triple(metres),
		rotation: rotations,
		scale: triple(fc.constantFrom(1, 1e4, 0)),
		physics_body: bodyKind,
		collider: extremeCollider,
		velocity: extremeVelocity,
	},
	{ requiredKeys: ['position', 'physics_body'] },
);

const bodySlot = fc.integer({ min: 0, max: 5 });

/**
 * Histories of a few bodies: spawns, despawns, reused slots, changed components, parents, tuning of physics, and steps.
 */
export const bodyHistories: fc.Arbitrary<Command[]> = fc
	.tuple(
		fc.array(post('/spawn', extremeBody), { minLength: 2, maxLength: 5, size: 'max' }),
		fc.array(
			fc.oneof(
				{ weight: 3, arbitrary: post('/spawn', extremeBody) },
				{ weight: 3, arbitrary: post('/despawn', fc.record({ entity_id: bodySlot })) },
				{
					weight: 3,
					arbitrary: fc
						.tuple(
							bodySlot,
							fc.record(
								{
									transform: fc.record(
										{ position: triple(metres), rotation: rotations },
										{ requiredKeys: [] },
									),
									physics_body: bodyKind,
									collider: extremeCollider,
									velocity: extremeVelocity,
									parent: bodySlot,
									remove: fc.subarray(['collider', 'physics_body', 'velocity', 'parent']),
								},
								{ requiredKeys: [] },
							),
						)
						.map(
							([id, body]): Command => ({
								path: `/entities/${id}/components`,
								body: { ...body, agent_id: 7 },
							}),
						),
				},
				{
					weight: 2,
					arbitrary: post(
						'/tuning',
						fc.record({
							physics: fc.record(
								{
									gravity: triple(upTo(1e3)),
									restitution: fc.constantFrom(0, 0.6, 1),
									friction: fc.constantFrom(0, 0.6, 100),
								},
								{ requiredKeys: [] },
							),
						}),
					),
				},
				{ weight: 4, arbitrary: post('/step', fc.record({ ticks: fc.integer({ min: 0, max: 5 }) })) },
			),
			{ minLength: 6, maxLength: 25, size: 'max' },
		),
	)
	.map(([bodies, more]) => [...bodies, ...more]);
