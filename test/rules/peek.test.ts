/**
 * Soundness of peek: what it announces is what a tick does, with exactly those odds, and it changes nothing.
 * Owns: random worlds whose rules meddle with each other. ORRERY_SEED chooses other ones.
 */

import fc from 'fast-check';
import { afterEach, describe, expect, test } from 'vitest';
import { createEngine, type Engine } from '../../web/host/engine.ts';
import { canonicalJson } from '../../web/sim/core/canonical-json.ts';
import { scripted } from '../../web/sim/core/chance.ts';
import { clone, dispose } from '../../web/sim/core/clone.ts';
import { encodeWorld } from '../../web/sim/core/codec.ts';
import { digest } from '../../web/sim/core/digest.ts';
import {
	addFractions,
	type Fraction,
	fraction,
	multiplyFractions,
	toNumber,
} from '../../web/sim/core/fraction.ts';
import { showChoice } from '../../web/sim/peek/distribution.ts';
import { step } from '../../web/sim/step.ts';
import { call } from '../support/play.ts';

const SEED = Number(process.env.ORRERY_SEED ?? 20_261_120);
const RUNS = Number(process.env.ORRERY_RUNS ?? 120);

interface Choice {
	readonly rule: number | string;
	readonly entity: number | null;
	readonly outcome: number;
	readonly label: string;
}
interface Shown {
	readonly probability: { readonly num: string; readonly den: string };
	readonly p: number;
	readonly choices: readonly Choice[];
}
interface Peek {
	readonly tick: number;
	readonly next_tick: number;
	readonly state_digest: string;
	readonly exact: boolean;
	readonly covered: number;
	readonly covered_fraction: { readonly num: string; readonly den: string };
	readonly distribution: readonly (Shown & { readonly state_digest: string })[];
	readonly factors: readonly { readonly exact: boolean; readonly outcomes: readonly Shown[] }[];
	readonly distribution_digest: string;
}

const engines: Engine[] = [];
afterEach(() => {
	for (const engine of engines.splice(0)) engine.close();
});

/** An engine and short ways to call it. */
async function start(seed = 7) {
	const engine = await createEngine({ seed });
	engines.push(engine);
	const post = async (path: string, body: unknown = {}) => (await call(engine, 'POST', path, body)).body;
	return {
		engine,
		post,
		spawn: async (document: object): Promise<number> => (await post('/spawn', document)).id,
		rule: async (document: object): Promise<number> => {
			const answer = await post('/rule/create', document);
			expect(answer.ok, JSON.stringify(answer)).toBe(true);
			return answer.rule_id;
		},
		peek: (body: object = {}, world = 'main'): Promise<Peek> => post(`/peek?world=${world}`, body),
		step: (ticks = 1, world = 'main') => post(`/step?world=${world}`, { ticks }),
		world: () => engine.worlds.main.world,
	};
}

const read = ({ num, den }: { num: string; den: string }): Fraction => fraction(BigInt(num), BigInt(den));
const sum = (shown: readonly Shown[]) =>
	shown.reduce((total, { probability }) => addFractions(total, read(probability)), fraction(0n));
const ONE = fraction(1n);

/** Choices as a text that does not depend on the order of different sites. */
function keyOf(choices: readonly Choice[]): string {
	const site = ({ rule, entity }: Choice) => `${rule}/${entity}`;
	const ordered = choices.map((choice, at) => ({ choice, at }));
	ordered.sort((a, b) => {
		const [x, y] = [site(a.choice), site(b.choice)];
		return x < y ? -1 : x > y ? 1 : a.at - b.at;
	});
	return ordered.map(({ choice }) => `${site(choice)}=${choice.outcome}`).join(' ');
}

function tally(shown: readonly Shown[]): Map<string, Fraction> {
	const odds = new Map<string, Fraction>();
	for (const { probability, choices } of shown) {
		const key = keyOf(choices);
		odds.set(key, addFractions(odds.get(key) ?? fraction(0n), read(probability)));
	}
	return odds;
}

/** The product of factors, as one list. */
function product(factors: Peek['factors']): Shown[] {
	let all: Shown[] = [{ probability: { num: '1', den: '1' }, p: 1, choices: [] }];
	for (const { outcomes } of factors)
		all = all.flatMap((left) =>
			outcomes.map((right) => {
				const { num, den } = multiplyFractions(read(left.probability), read(right.probability));
				return {
					probability: { num: `${num}`, den: `${den}` },
					p: left.p * right.p,
					choices: [...left.choices, ...right.choices],
				};
			}),
		);
	return all;
}

const plain = (odds: Map<string, Fraction>) =>
	Object.fromEntries([...odds].sort().map(([key, { num, den }]) => [key, `${num}/${den}`]));

/** Everything that must be so of one peek and the step after it. Changes the world by that step. */
async function proveNextTick(game: Awaited<ReturnType<typeof start>>): Promise<Peek> {
	const world = game.world();
	const bytes = encodeWorld(world);
	const before = digest(world);
	const peeked = await game.peek({ max_branches: 2048 });
	expect(encodeWorld(world)).toEqual(bytes);
	expect(digest(world)).toBe(before);
	expect(peeked.state_digest).toBe(before);
	expect(peeked.next_tick).toBe(peeked.tick + 1);

	for (const { probability, p } of peeked.distribution) {
		expect(p).toBeGreaterThan(0);
		expect(p).toBeLessThanOrEqual(1);
		expect(p).toBe(toNumber(read(probability)));
	}
	const total = sum(peeked.distribution);
	expect(read(peeked.covered_fraction)).toEqual(total);
	if (peeked.exact) expect(total).toEqual(ONE);
	else expect(peeked.covered).toBeLessThan(1);
	const ways = peeked.distribution.map(({ choices }) => canonicalJson(choices));
	expect(new Set(ways).size).toBe(ways.length);

	for (const factor of peeked.factors) if (factor.exact) expect(sum(factor.outcomes)).toEqual(ONE);
	if (peeked.exact) {
		const size = peeked.factors.reduce((n, { outcomes }) => n * outcomes.length, 1);
		const joint = tally(peeked.distribution);
		expect(peeked.factors.every(({ exact }) => exact)).toBe(true);
		expect(size, 'ways of all factors together').toBe(joint.size);
		expect(plain(tally(product(peeked.factors)))).toEqual(plain(joint));
	}

	// Every announced way can be gone, and leads where it was said to lead.
	const stride = Math.max(1, Math.floor(peeked.distribution.length / 24));
	peeked.distribution.forEach((leaf, i) => {
		if (i % stride !== 0) return;
		const copy = clone(world);
		const made = step(copy, undefined, scripted(leaf.choices.map(({ outcome }) => outcome)));
		expect(made.map(showChoice)).toEqual(leaf.choices);
		expect(digest(copy)).toBe(leaf.state_digest);
		dispose(copy);
	});

	const stepped = await game.step();
	expect(stepped.distribution_digest).toBe(peeked.distribution_digest);
	const drawn = stepped.sampled as (Choice & Shown)[];
	const odds = drawn.reduce((left, { probability }) => multiplyFractions(left, read(probability)), ONE);
	const choices = drawn.map(({ rule, entity, outcome, label }) => ({ rule, entity, outcome, label }));
	const leaf = peeked.distribution.find((way) => canonicalJson(way.choices) === canonicalJson(choices));
	if (peeked.exact) expect(leaf, 'what was sampled was announced').toBeDefined();
	if (leaf !== undefined) {
		expect(stepped.state_digest).toBe(leaf.state_digest);
		expect(read(leaf.probability)).toEqual(odds);
	}
	return peeked;
}

/** Three or four beings come first, rules after them: so this names some of both. */
const someone = fc.integer({ min: 0, max: 7 });
const tag = fc.constantFrom('a', 'b');
const team = fc.integer({ min: 1, max: 2 });
const place = fc.constantFrom([0, 0, 0], [2, 0, 0], [4, 0, 0]);
const small = fc.integer({ min: -1, max: 3 });
const filter = fc.oneof(
	{ weight: 3, arbitrary: fc.constant('any') },
	{ weight: 2, arbitrary: someone.map((id) => `entity:${id}`) },
	{ weight: 2, arbitrary: tag.map((name) => `tag:${name}`) },
	{ weight: 2, arbitrary: team.map((number) => `team:${number}`) },
	{ weight: 1, arbitrary: fc.tuple(tag, team).map(([name, number]) => `tag:${name}+team:${number}`) },
);
const target = fc.oneof(
	fc.constantFrom('this', 'source'),
	someone.map((entity) => ({ entity })),
	tag.map((name) => ({ tag: name })),
	team.map((number) => ({ team: number })),
	filter.map((nearest) => ({ nearest })),
	filter.map((all) => ({ all })),
);
const always = fc.constant<object>({ kind: 'tick', every: 1 });
const zone = fc.oneof(
	fc.record({ center: place, radius: fc.constant(1) }),
	fc.record({ entity: someone, radius: fc.constant(1) }),
	fc.record({ center: place, half: fc.constant([1, 1, 1]) }),
);

const changing = (field: string) =>
	fc.record({
		action: fc.constantFrom('add_field', 'set_field'),
		target,
		field: fc.constant(field),
		value: small,
	});
const testing = (field: string) =>
	fc.record({
		kind: fc.constant('field'),
		field: fc.constant(field),
		op: fc.constantFrom('greater', 'less_equal', 'equal'),
		value: small,
		edge: fc.constantFrom('rising', 'level', 'level'),
	});
const did = (action: string, more: Record<string, fc.Arbitrary<unknown>> = {}) =>
	fc.record({ action: fc.constant(action), target, ...more });

/** What rules can have a say in each other through: ways to change it, and ways to look at it. */
interface Theme {
	readonly actions: fc.Arbitrary<object>;
	readonly conditions: fc.Arbitrary<object>;
	/** Filters that look at it. */
	readonly filter?: fc.Arbitrary<string>;
	/** Actions that are about somebody whom it decides. */
	readonly target?: fc.Arbitrary<object>;
}
const spawned = fc.record({
	action: fc.constant('spawn'),
	mesh: fc.constant('cube'),
	position: place,
	health: fc.constantFrom(1, 3),
	team,
	tags: fc.array(tag, { maxLength: 1 }),
	combat: fc.boolean(),
});
const signal = fc.constant({ action: 'emit', name: 's' });
const THEMES: Readonly<Record<string, Theme>> = {
	gold: { actions: changing('gold'), conditions: testing('gold') },
	health: {
		actions: fc.oneof(
			did('heal', { amount: fc.constantFrom(1, 2) }),
			changing('health.current'),
			did('apply_effect', {
				tag: fc.constant('e'),
				duration: fc.constant(1),
				modifiers: fc.constantFrom(['max_health:set:1'], ['crit_chance:add:0.5']),
			}),
		),
		conditions: fc.oneof(
			testing('health.current'),
			testing('health.max'),
			fc.record({ kind: fc.constant('health_below'), threshold: fc.constantFrom(2, 3) }),
		),
	},
	team: {
		actions: changing('team'),
		conditions: testing('level'),
		filter: team.map((number) => `team:${number}`),
		target: team.map((number) => ({ team: number })),
	},
	place: {
		actions: fc.oneof(did('teleport', { position: place }), changing('x')),
		conditions: fc.oneof(
			testing('x'),
			fc.record({ kind: fc.constantFrom('enter', 'leave'), zone }),
			fc.record({ kind: fc.constant('not'), of: fc.record({ kind: fc.constant('enter'), zone }) }),
		),
		target: filter.map((nearest) => ({ nearest })),
	},
	lives: {
		actions: fc.oneof(spawned, did('despawn')),
		conditions: fc.oneof(testing('level'), always),
	},
	rules: {
		actions: someone.map((entity) => ({ action: 'despawn', target: { entity } })),
		conditions: fc.oneof(testing('level'), always),
	},
	match: {
		actions: fc.oneof(
			did('score', { points: small }),
			fc.record({ action: fc.constant('endgame'), winner_team: team }),
		),
		conditions: fc.oneof(
			fc.record({ kind: fc.constant('score'), threshold: fc.constantFrom(1, 2) }),
			fc.record({ kind: fc.constant('phase'), phase: fc.constantFrom('playing', 'post_match') }),
		),
	},
	looks: {
		actions: fc.oneof(
			did('color', { color: fc.constant('red') }),
			did('give_item', { item_id: fc.constant(1) }),
		),
		conditions: fc.oneof(testing('level'), fc.record({ kind: fc.constant('not'), of: testing('level') })),
		filter: fc.constantFrom('component:color', 'component:inventory'),
		target: fc.constantFrom({ all: 'component:color' }, { all: 'component:inventory' }),
	},
	news: {
		actions: fc.oneof(did('damage', { amount: fc.constantFrom(1, 2, 50) }), signal),
		conditions: fc.oneof(
			fc.constant({ kind: 'death' }),
			fc.record({
				kind: fc.constant('event'),
				event: fc.constantFrom('damage', 'signal', 'score', 'rule_spawn', 'death'),
			}),
			fc.constant({ kind: 'event', event: 'damage', where: [{ field: 'amount', op: 'greater', value: 1 }] }),
		),
	},
};

/** Rules of a few themes, so that what one does is what another looks at. */
const rules = fc
	.uniqueArray(fc.constantFrom(...Object.values(THEMES)), { minLength: 1, maxLength: 2 })
	.chain((themes) => {
		const either = <T>(of: (theme: Theme) => fc.Arbitrary<T>) => fc.oneof(...themes.map(of));
		const simple = either(({ conditions }) => conditions);
		const when = fc.oneof(
			{ weight: 2, arbitrary: always },
			{ weight: 5, arbitrary: simple },
			{
				weight: 1,
				arbitrary: fc.record({
					kind: fc.constantFrom('all', 'any'),
					of: fc.array(simple, { minLength: 1, maxLength: 2 }),
				}),
			},
			{ weight: 1, arbitrary: fc.record({ kind: fc.constant('not'), of: simple }) },
		);
		const plainAction = either(({ actions }) => actions);
		const aimed = fc
			.tuple(
				plainAction,
				either((theme): fc.Arbitrary<unknown> => theme.target ?? target),
			)
			.map(([action, whom]) => ('target' in action ? { ...action, target: whom } : action));
		const effects = fc.array(fc.oneof(plainAction, aimed), { minLength: 1, maxLength: 2 });
		const frame = {
			when,
			filter: fc.oneof(
				filter,
				either((theme) => theme.filter ?? filter),
			),
			priority: fc.integer({ min: 0, max: 1 }),
			once: fc.constantFrom(false, false, false, true),
		};
		const share = fc.constantFrom<number | string>(1, 2, 0.5, '1/3', '2/7', 0);
		const outcome = (label: string, weight: fc.Arbitrary<number | string>, effect: fc.Arbitrary<unknown[]>) =>
			fc.record({ label: fc.constant(label), weight, do: effect });
		const outcomes = fc.tuple(
			outcome('x', fc.constantFrom<number | string>(1, '1/3'), effects),
			outcome('y', share, fc.oneof(fc.constant<object[]>([]), effects)),
		);
		const chanceRule = fc.record({ ...frame, outcomes });
		const sureRule = fc.record({ ...frame, do: effects });
		// Ids decide the order of rules of one kind, so the two sorts are mixed.
		return fc
			.tuple(
				fc.array(fc.oneof({ weight: 2, arbitrary: chanceRule }, { weight: 1, arbitrary: sureRule }), {
					maxLength: 3,
				}),
				chanceRule,
				fc.constantFrom(0, 1, 2),
			)
			.map(([some, sure, at]) => some.toSpliced(at, 0, sure) as object[]);
	});

const loot = fc.array(
	fc.oneof(
		fc.constant({ label: 'nothing', weight: 1 }),
		fc.constant({ label: 'gold', weight: 2, gold: 3 }),
		fc.constant({ label: 'item', weight: '1/2', item: { item_id: 1, count: 1 } }),
		fc.constant({
			label: 'ghost',
			weight: 1,
			spawn: { health: 2, team: 2, tags: ['a'], position: [1, 0, 0] },
		}),
		fc.constant({ label: 'thug', weight: 1, spawn: { health: 2, team: 2, combat: true } }),
	),
	{ minLength: 2, maxLength: 2 },
);
const optional = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });
const being = fc.record({
	position: place,
	health: fc.constantFrom(1, 2, 3),
	gold: fc.integer({ min: 0, max: 3 }),
	team,
	tags: fc.uniqueArray(tag, { maxLength: 2 }),
	role: optional(fc.constantFrom('hero', 'minion')),
});
const mortal = fc.tuple(being, loot).map(([document, table]) => ({ ...document, health: 1, loot: table }));
const fighter = fc.record({
	position: place,
	health: fc.constantFrom(2, 30),
	team,
	gold: fc.constant(1),
	combat: fc.constant(true),
	combat_cooldown: fc.constant(0),
	combat_damage: fc.constant(1),
	combat_range: fc.constant(5),
	crit: optional(
		fc.record({ chance: fc.constantFrom<number | string>('1/3', 0.5, 1), multiplier: fc.constant(2) }),
	),
});
const beings = fc.oneof(
	fc.array(being, { minLength: 3, maxLength: 3 }),
	fc.tuple(being, being, fighter, fighter),
	fc.tuple(mortal, fighter, fighter),
	fc.tuple(mortal, mortal, fighter, being),
);
const falling = fc.record({
	position: fc.tuple(fc.constantFrom(0, 0.25), fc.integer({ min: 1, max: 4 }), fc.constantFrom(0, 0.25)),
	physics_body: fc.constant('Dynamic'),
	collider: fc.constant({ shape: 'Sphere', radius: 0.5 }),
	tags: fc.uniqueArray(tag, { maxLength: 1 }),
	gold: fc.constant(1),
});

type Game = Awaited<ReturnType<typeof start>>;

async function build(
	seed: number,
	documents: readonly object[],
	ruleDocuments: readonly object[],
): Promise<Game> {
	const game = await start(seed);
	await game.post('/item/define', { id: 1, name: 'thing', properties: { max_health: 1 } });
	await game.post('/game/create', { score_limit: 3 });
	for (const document of documents) await game.spawn(document);
	for (const document of ruleDocuments) await game.rule(document);
	return game;
}

async function everyProperty(
	game: Game,
	ticks: number,
	seen: { exact: number; drawn: number; entangled: number },
) {
	for (let i = 0; i < ticks; i++) {
		const { exact, factors } = await proveNextTick(game);
		if (exact) seen.exact++;
		if (factors.length > 0) seen.drawn++;
		if (factors.some(({ outcomes }) => outcomes.some(({ choices }) => choices.length > 1))) seen.entangled++;
	}
}

describe(`random worlds and rules (seed ${SEED})`, () => {
	test('rules that meddle with each other', { timeout: 180_000 }, async () => {
		const seen = { exact: 0, drawn: 0, entangled: 0 };
		await fc.assert(
			fc.asyncProperty(fc.nat(1000), beings, rules, async (seed, documents, ruleDocuments) => {
				const game = await build(seed, documents, ruleDocuments);
				await everyProperty(game, 3, seen);
				game.engine.close();
			}),
			{ seed: SEED, numRuns: RUNS },
		);
		// The worlds are worth something only when chance is at work in many of them.
		expect(seen.drawn).toBeGreaterThan(RUNS);
		expect(seen.entangled).toBeGreaterThan(RUNS / 8);
		expect(seen.exact).toBeGreaterThan(RUNS * 2);
	});

	test('bodies that fall on each other', { timeout: 120_000 }, async () => {
		const seen = { exact: 0, drawn: 0, entangled: 0 };
		const floor = {
			physics_body: 'Static',
			position: [0, -0.5, 0],
			collider: { shape: 'Aabb', hx: 10, hy: 0.5, hz: 10 },
		};
		const bodies = fc.array(falling, { minLength: 2, maxLength: 5 });
		await fc.assert(
			fc.asyncProperty(bodies, fc.nat(40), rules, async (documents, ticks, ruleDocuments) => {
				const game = await build(3, [floor, ...documents], []);
				await game.step(ticks + 1);
				for (const document of ruleDocuments) await game.rule(document);
				await everyProperty(game, 2, seen);
				game.engine.close();
			}),
			{ seed: SEED, numRuns: Math.ceil(RUNS / 4) },
		);
		expect(seen.drawn).toBeGreaterThan(RUNS / 8);
	});

	test('a world that was peeked at has the same future', { timeout: 60_000 }, async () => {
		await fc.assert(
			fc.asyncProperty(fc.nat(1000), beings, rules, async (seed, documents, ruleDocuments) => {
				const peeked = await build(seed, documents, ruleDocuments);
				const left = await build(seed, documents, ruleDocuments);
				for (let i = 0; i < 3; i++) {
					await peeked.peek({ max_branches: 64 });
					const [a, b] = [await peeked.step(2), await left.step(2)];
					expect(a).toEqual(b);
				}
				expect(encodeWorld(peeked.world())).toEqual(encodeWorld(left.world()));
			}),
			{ seed: SEED, numRuns: Math.ceil(RUNS / 6) },
		);
	});
});
