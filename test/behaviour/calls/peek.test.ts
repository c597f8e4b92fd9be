/**
 * Correctness of peek: the next tick has exactly the announced outcomes and odds, and peek changes nothing.
 * Owns: random worlds whose rules affect each other. ORRERY_SEED selects other worlds.
 */

import fc from 'fast-check';
import { afterEach, describe, expect, test, vi } from 'vitest';
import {
	addFractions,
	type Fraction,
	fraction,
	multiplyFractions,
	toNumber,
} from '../../../shared/contract/fraction.ts';
import { createEngine, type Engine } from '../../../web/host/engine.ts';
import { canonicalJson } from '../../../web/sim/core/canonical-json.ts';
import { clone, dispose } from '../../../web/sim/core/clone.ts';
import { encodeWorld } from '../../../web/sim/core/codec.ts';
import { digest } from '../../../web/sim/core/digest.ts';
import { partState, spawn } from '../../../web/sim/core/world.ts';
import { showChoice } from '../../../web/sim/peek/distribution.ts';
import { overridingChoosers } from '../../../web/sim/peek/overrides.ts';
import { MAX_CROWD } from '../../../web/sim/physics/crowding.ts';
import { Physics } from '../../../web/sim/physics/physics.part.ts';
import { step } from '../../../web/sim/step.ts';
import { beings, falling, presses, rules, SETTING, shots, zones } from '../../support/chance-worlds.ts';
import { clientOf } from '../../support/engine.ts';
import { check, SEED, times } from '../../support/property.ts';

const RUNS = 12;

interface Choice {
	readonly rule: number | string;
	readonly entity: number | null;
	readonly outcome: number;
	readonly label: string;
}
interface PeekedChoice {
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
	readonly distribution: readonly (PeekedChoice & { readonly state_digest: string })[];
	readonly factors: readonly { readonly exact: boolean; readonly outcomes: readonly PeekedChoice[] }[];
	readonly distribution_digest: string;
}

const engines: Engine[] = [];
afterEach(() => {
	for (const engine of engines.splice(0)) engine.close();
});

/** Returns an engine with shortcuts for its calls. */
async function start(seed = 7) {
	const engine = await createEngine({ seed });
	engines.push(engine);
	const post = async (path: string, body: unknown = {}) =>
		(await clientOf(engine.handle).call('POST', path, body)).body;
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
const sum = (choices: readonly PeekedChoice[]) =>
	choices.reduce((total, { probability }) => addFractions(total, read(probability)), fraction(0n));
const ONE = fraction(1n);

/** Returns a text for choices that does not depend on the order of different sites. */
function keyOf(choices: readonly Choice[]): string {
	const site = ({ rule, entity }: Choice) => `${rule}/${entity}`;
	const ordered = choices.map((choice, at) => ({ choice, at }));
	ordered.sort((a, b) => {
		const [x, y] = [site(a.choice), site(b.choice)];
		return x < y ? -1 : x > y ? 1 : a.at - b.at;
	});
	return ordered.map(({ choice }) => `${site(choice)}=${choice.outcome}`).join(' ');
}

function tally(shown: readonly PeekedChoice[]): Map<string, Fraction> {
	const odds = new Map<string, Fraction>();
	for (const { probability, choices } of shown) {
		const key = keyOf(choices);
		odds.set(key, addFractions(odds.get(key) ?? fraction(0n), read(probability)));
	}
	return odds;
}

/** Returns the joint outcomes of independent factors. */
function product(factors: Peek['factors']): PeekedChoice[] {
	let all: PeekedChoice[] = [{ probability: { num: '1', den: '1' }, p: 1, choices: [] }];
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

const toText = (odds: Map<string, Fraction>) =>
	Object.fromEntries([...odds].sort().map(([key, { num, den }]) => [key, `${num}/${den}`]));

/** Checks one peek and the step after it. Advances the world. Returns the peek. */
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
		expect(toText(tally(product(peeked.factors)))).toEqual(toText(joint));
	}

	// Each announced branch can be forced, and leads to the announced state.
	const stride = Math.max(1, Math.floor(peeked.distribution.length / 24));
	peeked.distribution.forEach((leaf, i) => {
		if (i % stride !== 0) return;
		const copy = clone(world);
		const choices = step(copy, undefined, overridingChoosers(copy, leaf.choices)());
		expect(choices.map(showChoice)).toEqual(leaf.choices);
		expect(digest(copy)).toBe(leaf.state_digest);
		dispose(copy);
	});

	const stepped = await game.step();
	expect(stepped.distribution_digest).toBe(peeked.distribution_digest);
	const sampled = stepped.sampled as (Choice & PeekedChoice)[];
	const odds = sampled.reduce((left, { probability }) => multiplyFractions(left, read(probability)), ONE);
	const choices = sampled.map(({ rule, entity, outcome, label }) => ({ rule, entity, outcome, label }));
	const leaf = peeked.distribution.find((way) => canonicalJson(way.choices) === canonicalJson(choices));
	if (peeked.exact) expect(leaf, 'what was sampled was announced').toBeDefined();
	if (leaf !== undefined) {
		expect(stepped.state_digest).toBe(leaf.state_digest);
		expect(read(leaf.probability)).toEqual(odds);
	}
	return peeked;
}

type Game = Awaited<ReturnType<typeof start>>;

async function build(
	seed: number,
	documents: readonly object[],
	ruleDocuments: readonly object[],
	launches: readonly object[] = [],
	triggers: readonly object[] = [],
): Promise<Game> {
	const game = await start(seed);
	for (const [path, body] of SETTING) expect((await game.post(path, body)).ok).toBe(true);
	for (const document of documents) await game.spawn(document);
	for (const document of ruleDocuments) await game.rule(document);
	for (const trigger of triggers) expect((await game.post('/trigger/create', trigger)).ok).toBe(true);
	for (const launch of launches) expect((await game.post('/projectile/spawn', launch)).ok).toBe(true);
	return game;
}

async function proveTicks(
	game: Game,
	ticks: number,
	counts: { exact: number; drawn: number; entangled: number },
) {
	for (let i = 0; i < ticks; i++) {
		const { exact, factors } = await proveNextTick(game);
		if (exact) counts.exact++;
		if (factors.length > 0) counts.drawn++;
		if (factors.some(({ outcomes }) => outcomes.some(({ choices }) => choices.length > 1)))
			counts.entangled++;
	}
}

describe(`random worlds and rules (seed ${SEED})`, () => {
	test('rules that affect each other', async () => {
		const counts = { exact: 0, drawn: 0, entangled: 0 };
		await check(
			RUNS,
			[fc.nat(1000), beings, rules, shots, zones, presses],
			async (seed, documents, ruleDocuments, launches, triggers, pressed) => {
				const game = await build(seed, documents, ruleDocuments, launches, triggers);
				for (const [path, body] of pressed) expect((await game.post(path, body)).ok).toBe(true);
				await proveTicks(game, 3, counts);
				game.engine.close();
			},
		);
		// Many of the random worlds must have draws, or the test proves little.
		expect(counts.drawn).toBeGreaterThan(times(RUNS));
		expect(counts.entangled).toBeGreaterThan(times(RUNS) / 8);
		expect(counts.exact).toBeGreaterThan(times(RUNS) * 2);
	});

	test('bodies that fall on each other', async () => {
		const counts = { exact: 0, drawn: 0, entangled: 0 };
		const floor = {
			physics_body: 'Static',
			position: [0, -0.5, 0],
			collider: { shape: 'Aabb', hx: 10, hy: 0.5, hz: 10 },
		};
		const bodies = fc.array(falling, { minLength: 2, maxLength: 5 });
		await check(RUNS / 3, [bodies, fc.nat(40), rules], async (documents, ticks, ruleDocuments) => {
			const game = await build(3, [floor, ...documents], []);
			await game.step(ticks + 1);
			for (const document of ruleDocuments) await game.rule(document);
			await proveTicks(game, 2, counts);
			game.engine.close();
		});
		expect(counts.drawn).toBeGreaterThan(times(RUNS) / 8);
	});

	test('a peeked world has the same future', () =>
		check(RUNS / 4, [fc.nat(1000), beings, rules], async (seed, documents, ruleDocuments) => {
			const peeked = await build(seed, documents, ruleDocuments);
			const unpeeked = await build(seed, documents, ruleDocuments);
			for (let i = 0; i < 3; i++) {
				await peeked.peek({ max_branches: 64 });
				const [a, b] = [await peeked.step(2), await unpeeked.step(2)];
				expect(a).toEqual(b);
			}
			expect(encodeWorld(peeked.world())).toEqual(encodeWorld(unpeeked.world()));
		}));
});

const tick = { kind: 'tick', every: 1 };
const coin = (...effects: object[]) => [
	{ label: 'heads', weight: 1, do: effects },
	{ label: 'tails', weight: 1 },
];
/** Returns the maximum number of draws of each factor, sorted. */
const sizes = ({ factors }: Peek) =>
	factors.map(({ outcomes }) => Math.max(...outcomes.map(({ choices }) => choices.length))).sort();

describe('draws that influence each other are one factor', () => {
	async function factorSizes(
		first: object,
		between: readonly object[],
		second: object,
		beings: readonly object[] = [],
	) {
		const game = await start();
		for (const document of beings.length > 0 ? beings : [{ gold: 0, health: 5, team: 1, tags: ['a'] }])
			await game.spawn(document);
		await game.rule({ when: tick, outcomes: coin(first), priority: 3 });
		for (const [i, document] of between.entries())
			await game.rule({ priority: 2 - i / 10 > 1 ? 2 : 1, ...document });
		await game.rule({ outcomes: coin(), ...second });
		return sizes(await proveNextTick(game));
	}
	const gold = { kind: 'field', field: 'gold', op: '>', value: 0, edge: 'level' };

	test('through a field', async () => {
		const give = { action: 'add_field', target: { entity: 0 }, field: 'gold', value: 1 };
		expect(await factorSizes(give, [], { when: gold })).toEqual([2]);
		expect(await factorSizes({ ...give, field: 'level' }, [], { when: { ...gold, op: '>=' } })).toEqual([
			1, 1,
		]);
	});

	test('a step that reports them takes no snapshot of its bodies', async () => {
		const game = await start();
		const body = { physics_body: 'Dynamic', collider: { shape: 'Sphere', radius: 0.5 } };
		await game.spawn({ gold: 0, position: [0, 100, 0], ...body });
		const give = { action: 'add_field', target: { entity: 0 }, field: 'gold', value: 1 };
		await game.rule({ when: tick, outcomes: coin(give), priority: 1 });
		await game.rule({ when: gold, outcomes: coin() });
		await game.step();
		const takeSnapshot = vi.spyOn(partState(game.world(), Physics).live!, 'takeSnapshot');
		for (let i = 0; i < 5; i++) expect((await game.step()).sampled).not.toEqual([]);
		expect(takeSnapshot).not.toHaveBeenCalled();
		expect(sizes(await game.peek())).toEqual([2]);
	});

	test('through a rule that draws nothing between them', async () => {
		const pay = { when: { ...gold, field: 'level', op: '>', value: 4 }, actions: ['add_field this gold 1'] };
		const give = { action: 'set_field', target: { entity: 0 }, field: 'level', value: 5 };
		expect(await factorSizes(give, [pay], { when: gold })).toEqual([2]);
	});

	test("through the entity that another rule's action targets", async () => {
		const pay = { when: tick, actions: ['add_field team:2 gold 1'] };
		const give = { action: 'set_field', target: { entity: 0 }, field: 'team', value: 2 };
		expect(await factorSizes(give, [pay], { when: gold })).toEqual([2]);
	});

	test('through the nearest entity', async () => {
		const there = [
			{ position: [0, 0, 0], tags: ['me'], gold: 0 },
			{ position: [1, 0, 0], gold: 0, team: 1 },
			{ position: [3, 0, 0], gold: 0, team: 1 },
		];
		const pay = {
			when: { ...gold, op: '>=', value: 0 },
			filter: 'tag:me',
			actions: ['add_field nearest:team:1 gold 1'],
		};
		const move = { action: 'teleport', target: { entity: 1 }, position: [9, 0, 0] };
		expect(await factorSizes(move, [pay], { when: gold, filter: 'entity:2' }, there)).toEqual([2]);
	});

	test('through the room for a spawn', async () => {
		const body = { physics_body: 'Dynamic', collider: { shape: 'Sphere', radius: 0.5 } };
		const crowd = Array.from({ length: MAX_CROWD - 1 }, () => ({ ...body, position: [9, 0, 0] }));
		const come = { action: 'teleport', target: { entity: 0 }, position: [9, 0, 0] };
		const appear = { action: 'spawn', mesh: 'cube', tags: ['a'], position: [9, 0, 0], ...body };
		const there = [{ ...body, tags: ['b'] }, ...crowd];
		const between = [{ when: tick, do: [appear] }];
		expect(
			await factorSizes(
				come,
				between,
				{ when: { kind: 'not', of: { kind: 'field', field: 'mana', op: '>', value: 9 } }, filter: 'tag:a' },
				there,
			),
		).toEqual([2]);
	});

	test('through health that keeps dying entities alive', async () => {
		const mend = { action: 'set_field', target: { entity: 0 }, field: 'health.current', value: 5 };
		const game = await start();
		await game.spawn({ health: 5, gold: 1 });
		await game.rule({
			when: tick,
			once: true,
			do: [{ action: 'damage', target: { entity: 0 }, amount: 99 }],
		});
		await game.step(3);
		await game.rule({ when: tick, outcomes: coin(mend), priority: 3 });
		await game.rule({ when: gold, filter: 'component:dead', outcomes: coin() });
		expect(sizes(await proveNextTick(game))).toEqual([2]);
	});

	test('through an effect that lowers health', async () => {
		const weaken = {
			action: 'apply_effect',
			target: { entity: 0 },
			tag: 'w',
			modifiers: ['max_health:set:1'],
		};
		expect(await factorSizes(weaken, [], { when: { kind: 'health_below', threshold: 3 } })).toEqual([2]);
	});

	test('through tags and teams of spawned entities, and through removed ones', async () => {
		const appear = { action: 'spawn', mesh: 'cube', position: [0, 0, 0], health: 1, team: 2 };
		expect(
			await factorSizes(appear, [], { when: { kind: 'health_below', threshold: 3 }, filter: 'team:2' }),
		).toEqual([2]);
		const go = { action: 'despawn', target: { entity: 0 } };
		expect(await factorSizes(go, [], { when: { ...gold, op: '>=' } })).toEqual([2]);
	});

	test('through the entities of a filter', async () => {
		const when = { ...gold, op: '>=' };
		const paint = { action: 'color', target: { entity: 0 }, color: 'red' };
		expect(await factorSizes(paint, [], { when, filter: 'component:color' })).toEqual([2]);
		expect(await factorSizes(paint, [], { when, filter: 'component:inventory' })).toEqual([1]);
		const game = await start();
		await game.spawn({ gold: 0 });
		await game.post('/item/define', { id: 1, name: 'thing', properties: {} });
		const give = { action: 'give_item', target: { entity: 0 }, item_id: 1 };
		await game.rule({ when: tick, outcomes: coin(give), priority: 1 });
		await game.rule({ when, filter: 'component:inventory', outcomes: coin() });
		expect(sizes(await proveNextTick(game))).toEqual([2]);
		const join = { action: 'set_field', target: { entity: 0 }, field: 'team', value: 2 };
		expect(await factorSizes(join, [], { when, filter: 'team:2' })).toEqual([2]);
	});

	test('through the match', async () => {
		const game = await start();
		await game.spawn({ team: 1 });
		await game.post('/game/create');
		await game.rule({
			when: tick,
			outcomes: coin({ action: 'score', target: { entity: 0 }, points: 1 }),
			priority: 1,
		});
		await game.rule({ when: { kind: 'score', threshold: 1 }, outcomes: coin() });
		expect(sizes(await proveNextTick(game))).toEqual([2]);
	});

	test('when a draw removes the other, or its source', async () => {
		const go = { action: 'despawn', target: { entity: 2 } };
		expect(await factorSizes(go, [], { when: tick })).toEqual([2]);
		const feed = { when: tick, actions: ['add_field entity:0 gold 1'], priority: 2 };
		expect(await factorSizes(go, [feed], { when: gold })).toEqual([2]);
	});

	test('when a rule removes itself between its firings', async () => {
		const game = await start();
		for (let i = 0; i < 3; i++) await game.spawn({ gold: 1 });
		await game.rule({ when: gold, outcomes: coin({ action: 'despawn', target: { entity: 3 } }) });
		const peeked = await proveNextTick(game);
		expect(peeked.factors).toHaveLength(1);
		expect(peeked.distribution.map(({ p }) => p).sort()).toEqual([0.125, 0.125, 0.25, 0.5]);
	});

	test('a rule removes another rule by id only', async () => {
		const game = await start();
		const refused = await game.post('/rule/create', {
			when: { kind: 'field', field: 'rule.created', op: '>=', value: 0 },
			actions: ['despawn this'],
		});
		expect(refused).toMatchObject({ ok: false, code: 'invalid_rule' });
		const rule = await game.rule({
			when: tick,
			actions: ['despawn all:any', 'despawn this', 'despawn source'],
		});
		await game.post(`/entities/${rule}/components`, { health: 1, transform: { position: [0, 0, 0] } });
		await game.rule({ when: { kind: 'health_below', threshold: 5 }, actions: ['despawn this'] });
		await game.step(3);
		expect((await clientOf(game.engine.handle).call('GET', '/rule/list')).body.count).toBe(2);
	});

	test('events are visible on the next tick only, so they do not bind', async () => {
		const tell = { action: 'emit', name: 's' };
		expect(await factorSizes(tell, [], { when: tick })).toEqual([1, 1]);
		expect(
			await factorSizes({ action: 'damage', target: { entity: 0 }, amount: 1 }, [], { when: tick }),
		).toEqual([1, 1]);
	});
});

describe('draws of the engine', () => {
	const blow = {
		health: 100,
		team: 1,
		combat: true,
		combat_cooldown: 0,
		combat_damage: 10,
		crit: { chance: '1/4', multiplier: 3 },
	};
	const victim = { health: 100, team: 2, position: [1, 0, 0] };
	const hard = { kind: 'event', event: 'damage', where: [{ field: 'amount', op: '>', value: 20 }] };

	test('critical hits are listed with their odds, each separately', async () => {
		const game = await start();
		await game.spawn(blow);
		await game.spawn(blow);
		await game.spawn(victim);
		await game.step(2);
		const peeked = await proveNextTick(game);
		expect(sizes(peeked)).toEqual([1, 1]);
		expect(peeked.factors[0]!.outcomes.map(({ p, choices }) => [choices[0], p])).toEqual([
			[{ rule: 'crit', entity: 0, outcome: 0, label: 'crit' }, 0.25],
			[{ rule: 'crit', entity: 0, outcome: 1, label: 'hit' }, 0.75],
		]);
	});

	test('a rule that reads the blow is bound to it', async () => {
		const game = await start();
		await game.spawn(blow);
		await game.spawn(victim);
		await game.rule({ when: hard, outcomes: coin() });
		await game.rule({ when: tick, outcomes: coin() });
		await game.step(2);
		const peeked = await proveNextTick(game);
		expect(sizes(peeked)).toEqual([1, 2]);
		expect(peeked.distribution.map(({ p }) => p).sort()).toEqual([
			1 / 16,
			1 / 16,
			1 / 16,
			1 / 16,
			3 / 8,
			3 / 8,
		]);
	});

	const ways = [
		{ label: 'hit', weight: '1/3', angle: 0 },
		{ label: 'miss', weight: '2/3', angle: 1 },
	];
	const shoot = { from: [0, 0, 9], direction: [1, 0, 0], speed: 6000, spread: ways };

	test('shots that may go astray are separate, and not bound to critical hits', async () => {
		const game = await start();
		await game.spawn(blow);
		await game.spawn({ ...victim, health: 1000 });
		await game.spawn({ health: 5, team: 2, position: [3, 0, 9] });
		await game.step(2);
		await game.post('/projectile/spawn', shoot);
		await game.post('/projectile/spawn', { ...shoot, mesh: 'sphere', color: 'red' });
		const peeked = await proveNextTick(game);
		expect(sizes(peeked)).toEqual([1, 1, 1]);
		expect(peeked.factors.map(({ outcomes }) => outcomes[0]!.choices[0]!.rule)).toEqual([
			'spread',
			'spread',
			'crit',
		]);
	});

	test('shots are not bound to critical hits through an entity that runs to a goal', async () => {
		const game = await start();
		const runner = { ...blow, combat_speed: 2, ai_patrol: [[9, 0, 0]] };
		for (const document of [blow, runner, { ...victim, health: 1000 }]) await game.spawn(document);
		await game.step(2);
		await game.post('/projectile/spawn', shoot);
		expect(sizes(await proveNextTick(game))).toEqual([1, 1, 1]);
	});

	test('a rule that reads hits, projectiles or their position is bound to them', async () => {
		const game = await start();
		await game.spawn({ health: 5, team: 2, position: [3, 0, 9] });
		await game.rule({ when: { kind: 'event', event: 'damage' }, outcomes: coin() });
		await game.rule({ when: { kind: 'enter', zone: { center: [54, 0, -75], radius: 9 } }, outcomes: coin() });
		await game.rule({ when: tick, outcomes: coin() });
		await game.step();
		await game.post('/projectile/spawn', shoot);
		const peeked = await proveNextTick(game);
		expect(sizes(peeked)).toEqual([1, 2]);
		// If the shot hits, the first rule draws; if it misses, the second one does.
		expect(peeked.factors.map(({ outcomes }) => outcomes.length).sort()).toEqual([2, 4]);
	});

	test('a drawn fighter is bound to its attackers', async () => {
		const game = await start();
		await game.spawn({ ...blow, combat_style: 'stationary', combat_range: 3 });
		await game.step(2);
		const { entity_id } = await game.post('/projectile/spawn', {
			...shoot,
			from: [0, 0, 2],
			speed: 60,
			spread: ways,
		});
		await game.peek();
		await game.post(`/entities/${entity_id}/components`, { health: 50, team: 2 });
		const peeked = await proveNextTick(game);
		expect(sizes(peeked)).toEqual([2]);
	});

	test('loot is bound to rules that read its gold, and to nothing else', async () => {
		const game = await start();
		const killer = await game.spawn({ gold: 0, team: 1, health: 9 });
		const table = [
			{ label: 'gold', weight: 1, gold: 5 },
			{ label: 'nothing', weight: 3 },
		];
		const dead = await game.spawn({ health: 1, team: 2, loot: table });
		await game.rule({ when: { kind: 'field', field: 'gold', op: '>', value: 3 }, outcomes: coin() });
		await game.rule({ when: tick, outcomes: coin() });
		await game.post('/entity/damage', { entity_id: dead, amount: 5, source: killer });
		const peeked = await proveNextTick(game);
		expect(sizes(peeked)).toEqual([1, 2]);
		expect(peeked.factors[1]!.outcomes.map(({ p }) => p)).toEqual([1 / 8, 1 / 8, 3 / 4]);
	});

	test('spawned loot can be struck in the same tick: bound to critical hits', async () => {
		const game = await start();
		const killer = await game.spawn({ ...blow, combat_range: 3 });
		const thug = { label: 'thug', weight: 1, spawn: { health: 50, team: 2 } };
		const dead = await game.spawn({ ...victim, health: 1, loot: [thug, { label: 'nothing', weight: 1 }] });
		await game.post('/step', { ticks: 1 });
		await game.post('/entity/damage', { entity_id: dead, amount: 50, source: killer });
		const peeked = await proveNextTick(game);
		expect(peeked.distribution.map(({ p }) => p).sort()).toEqual([1 / 8, 3 / 8, 1 / 2]);
		expect(peeked.factors).toHaveLength(1);
	});

	describe('a fighter that can strike only from the next tick on is included:', () => {
		const plain = { ...blow, crit: undefined, combat_range: 5 };
		const lucky = { tag: 'luck', duration: 1, modifiers: ['crit_chance:add:0.5'] };

		test('one that loot spawns', async () => {
			const game = await start();
			const thug = { label: 'thug', weight: 1, spawn: { ...blow, team: 2 } };
			for (const loot of [[thug], [thug, { label: 'nothing', weight: 1 }]]) {
				await game.post('/reset');
				await game.spawn({ ...victim, team: 1 });
				const dead = await game.spawn({ health: 1, team: 2, loot });
				await game.post('/entity/damage', { entity_id: dead, amount: 50 });
				const { factors } = await proveNextTick(game);
				const drawn = factors.flatMap(({ outcomes }) => outcomes.flatMap(({ choices }) => choices));
				expect(drawn.some(({ rule }) => rule === 'crit')).toBe(true);
			}
		});

		test('one that walks into an effect', async () => {
			const game = await start();
			await game.spawn(plain);
			await game.spawn(victim);
			await game.step(2);
			await game.post('/trigger/create', { zone: [3, 3, 3], action: 'effect', effect: lucky });
			expect(sizes(await proveNextTick(game))).toEqual([1]);
		});

		test('one whose lasting effect works again', async () => {
			const game = await start();
			const fighter = await game.spawn(plain);
			await game.spawn(victim);
			await game.post('/effect/apply', { ...lucky, entity_id: fighter, permanent: true });
			const effect = { ApplyCc: { cc_type: 'Break', duration: 0.05 } };
			await game.post('/ability/set', {
				entity_id: fighter,
				abilities: [{ slot: 'Q', name: 'Break', cooldown: 9, mana_cost: 0, effect }],
			});
			await game.post('/ability/use', { entity_id: fighter, slot: 'Q' });
			const drawing: number[] = [];
			for (let i = 0; i < 6; i++) drawing.push((await proveNextTick(game)).factors.length);
			expect(drawing.slice(1)).toContain(0);
			expect(drawing.at(-1)).toBe(1);
		});
	});

	test('a child of a shot that may hit moves when the shot is gone: bound to critical hits', async () => {
		const game = await start();
		const shot = await game.post('/projectile/spawn', {
			...shoot,
			from: [50, 0, 0],
			speed: 600,
			radius: 1,
			spread: [{ weight: 1 }, { weight: 1, angle: 3 }],
		});
		await game.spawn({ ...blow, position: [0, 0, 20], combat_style: 'stationary', parent: shot.entity_id });
		await game.spawn({ ...victim, position: [0, 0, 19] });
		await game.spawn({ health: 5, team: 2, position: [54, 0, 0] });
		expect(sizes(await proveNextTick(game))).toEqual([2]);
	});
});

describe('many dice', () => {
	const die = {
		when: tick,
		outcomes: [
			{ label: 'a', weight: '1/3' },
			{ label: 'b', weight: 0.5 },
		],
	};

	test('twenty independent dice do not explode', async () => {
		const game = await start();
		for (let i = 0; i < 20; i++) await game.rule(die);
		const peeked = await game.peek({ max_branches: 100 });
		expect(peeked).toMatchObject({ exact: false });
		expect(peeked.distribution).toHaveLength(100);
		expect(peeked.covered).toBeGreaterThan(0);
		expect(peeked.covered).toBeLessThan(1);
		expect(peeked.factors).toHaveLength(20);
		for (const { exact, outcomes } of peeked.factors) {
			expect(exact).toBe(true);
			expect(outcomes.map(({ probability }) => probability)).toEqual([
				{ num: '2', den: '5' },
				{ num: '3', den: '5' },
			]);
		}
		const stepped = await game.step();
		expect(stepped.distribution_digest).toBe(peeked.distribution_digest);
		expect(stepped.sampled).toHaveLength(20);
	});

	test('a thousand dice have all their factors, but not all their joint outcomes', async () => {
		const game = await start();
		for (let i = 0; i < 1000; i++) await game.rule(die);
		const peeked = await game.peek({ max_branches: 20 });
		expect(peeked.exact).toBe(false);
		expect(peeked.factors).toHaveLength(1000);
		expect((await game.step()).distribution_digest).toBe(peeked.distribution_digest);
	});

	test('a group of more than 4096 outcomes reports that it is cut off, the same in peek and step', async () => {
		const game = await start();
		const always = { kind: 'field', field: 'gold', op: '>=', value: 0, edge: 'level' };
		for (let i = 0; i < 14; i++) await game.spawn({ gold: 1 });
		const add = { action: 'add_field', target: 'this', field: 'gold', value: 1 };
		for (let i = 0; i < 14; i++)
			await game.rule({ when: always, filter: `entity:${i}`, outcomes: coin(add) });
		const peeked = await game.peek({ max_branches: 1 });
		expect(peeked.factors).toHaveLength(1);
		expect(peeked.factors[0]).toMatchObject({ exact: false, covered_fraction: { num: '1', den: '4' } });
		expect(peeked.factors[0]!.outcomes).toHaveLength(4096);
		expect((await game.step()).distribution_digest).toBe(peeked.distribution_digest);
	});

	test('a group of far more outcomes lists its first one only, so that a step stays fast', async () => {
		const game = await start();
		const always = { kind: 'field', field: 'gold', op: '>=', value: 0, edge: 'level' };
		const add = { action: 'add_field', target: 'this', field: 'gold', value: 1 };
		for (let i = 0; i < 40; i++) await game.spawn({ gold: 1 });
		await game.rule({ when: always, filter: 'any', outcomes: coin(add) });
		await game.rule({ when: always, filter: 'any', outcomes: coin(add) });
		const peeked = await game.peek({ max_branches: 3 });
		expect(peeked.distribution).toHaveLength(3);
		expect(peeked.factors).toHaveLength(1);
		const most = { num: '1', den: (2n ** 80n).toString() };
		expect(peeked.factors[0]).toMatchObject({ exact: false, covered_fraction: most });
		expect(peeked.factors[0]!.outcomes).toHaveLength(1);
		expect(peeked.factors[0]!.outcomes[0]!.choices).toHaveLength(80);
		expect((await game.step()).distribution_digest).toBe(peeked.distribution_digest);
	});

	test('in a large world a group lists only the outcomes that can be computed soon', async () => {
		const game = await start();
		const always = { kind: 'field', field: 'gold', op: '>=', value: 0, edge: 'level' };
		const add = { action: 'add_field', target: { tag: 'x' }, field: 'gold', value: 1 };
		await game.spawn({ gold: 1, tags: ['x'] });
		for (let i = 0; i < 12; i++) await game.rule({ when: always, filter: 'tag:x', outcomes: coin(add) });
		const small = await game.peek({ max_branches: 1 });
		expect(small.factors[0]).toMatchObject({ exact: true });
		expect(small.factors[0]!.outcomes).toHaveLength(4096);
		for (let i = 0; i < 4100; i++) spawn(game.world());
		const large = await game.peek({ max_branches: 1 });
		expect(large.factors[0]).toMatchObject({ exact: false });
		expect(large.factors[0]!.outcomes).toHaveLength(Math.floor(2 ** 22 / (4100 + 1 + 12)));
		expect((await game.step()).distribution_digest).toBe(large.distribution_digest);
	});

	test('merge sums the outcomes with one digest', async () => {
		const game = await start();
		await game.spawn({ gold: 0 });
		const add = { action: 'add_field', target: { entity: 0 }, field: 'gold', value: 1 };
		for (let i = 0; i < 4; i++) await game.rule({ when: tick, outcomes: coin(add) });
		await game.step();
		const merged = await game.peek({ merge: true });
		expect(merged.exact).toBe(true);
		expect(merged.distribution.map(({ p }) => p * 16)).toEqual([1, 4, 6, 4, 1]);
		expect(new Set(merged.distribution.map(({ state_digest }) => state_digest)).size).toBe(5);
		expect(sum(merged.distribution)).toEqual(ONE);
		const all = await game.peek();
		expect(all.distribution).toHaveLength(16);
		expect(new Set(all.distribution.map(({ state_digest }) => state_digest)).size).toBe(5);
	});

	test('outcomes without weight never occur', async () => {
		const game = await start();
		const outcomes = [
			{ label: 'never', weight: 0 },
			{ label: 'always', weight: 2 },
		];
		await game.rule({ when: tick, outcomes });
		const peeked = await proveNextTick(game);
		expect(peeked.distribution).toHaveLength(1);
		expect(peeked.distribution[0]!.choices[0]).toMatchObject({ label: 'always', outcome: 1 });
		expect(peeked.distribution[0]!.p).toBe(1);
	});

	test('a tick without draws has one outcome', async () => {
		const game = await start();
		const peeked = await proveNextTick(game);
		expect(peeked).toMatchObject({ exact: true, covered: 1, factors: [] });
		expect(peeked.distribution).toHaveLength(1);
		expect(peeked.distribution[0]!.choices).toEqual([]);
	});
});

describe('streams', () => {
	test('four thousand seeds fit the odds (chi-square, 0.1 %)', async () => {
		const game = await start();
		await game.spawn({ gold: 0 });
		const add = (value: number) => [{ action: 'add_field', target: { entity: 0 }, field: 'gold', value }];
		await game.rule({
			when: tick,
			outcomes: [
				{ label: 'one', weight: '1/3', do: add(1) },
				{ label: 'two', weight: 0.25, do: add(2) },
				{ label: 'none', weight: '5/12' },
			],
		});
		const rich = { kind: 'field', field: 'gold', op: '>', value: 0, edge: 'level' };
		await game.rule({
			when: rich,
			outcomes: [
				{ label: 'x', weight: 1 },
				{ label: 'y', weight: 6 },
			],
		});
		await game.rule({
			when: tick,
			outcomes: [
				{ label: 'p', weight: 3 },
				{ label: 'q', weight: 7 },
			],
		});
		const { distribution } = await game.peek();
		expect(distribution).toHaveLength(10);
		const drawn = new Map(distribution.map(({ choices }) => [keyOf(choices), 0]));
		const announced = new Map(
			distribution.map(({ choices, state_digest }) => [keyOf(choices), state_digest]),
		);
		const SEEDS = 4_000;
		for (let seed = 0; seed < SEEDS; seed++) {
			const copy = clone(game.world());
			copy.seed = seed;
			const key = keyOf(step(copy).map(showChoice));
			drawn.set(key, drawn.get(key)! + 1);
			expect(digest(copy)).toBe(announced.get(key));
			dispose(copy);
		}
		let chi = 0;
		for (const { p, choices } of distribution)
			chi += (drawn.get(keyOf(choices))! - SEEDS * p) ** 2 / (SEEDS * p);
		// 27.88 is the 99.9th percentile for 9 degrees of freedom.
		expect(chi).toBeLessThan(27.88);
	});

	test('a new rule does not change the draws of the others', async () => {
		const outcomes = Array.from({ length: 6 }, (_, i) => ({ label: `${i + 1}`, weight: 1 }));
		const labels = async (extra: boolean) => {
			const game = await start(11);
			const die = await game.rule({ when: tick, outcomes });
			if (extra) await game.rule({ when: tick, outcomes, priority: 9 });
			const { trace } = await game.post('/step', { ticks: 40, trace: true });
			return trace.flatMap(({ sampled }: { sampled: Choice[] }) =>
				sampled.filter(({ rule }) => rule === die).map(({ label }) => label),
			);
		};
		const alone = await labels(false);
		expect(alone).toHaveLength(40);
		expect(new Set(alone).size).toBe(6);
		expect(await labels(true)).toEqual(alone);
	});

	test('trace lists every tick, with its draws and the digest before them', async () => {
		const game = await start();
		await game.rule({ when: { kind: 'tick', every: 3 }, outcomes: coin() });
		const { trace, sampled } = await game.post('/step', { ticks: 10, trace: true });
		const drawing = trace.filter((row: { sampled: Choice[] }) => row.sampled.length > 0);
		expect(drawing.map((row: { tick: number }) => row.tick)).toEqual([2, 5, 8]);
		expect(sampled).toEqual([]);
		const twin = await start();
		await twin.rule({ when: { kind: 'tick', every: 3 }, outcomes: coin() });
		for (let i = 0; i < 10; i++) {
			const { distribution_digest } = await twin.peek();
			const { sampled: drawn } = await twin.step();
			expect(trace[i]).toEqual({ tick: i, sampled: drawn, distribution_digest });
		}
	});
});

describe('forks', () => {
	test('answer peek with ?world=, and take one of the listed outcomes', async () => {
		const game = await start();
		await game.spawn({ gold: 0 });
		const add = { action: 'add_field', target: { entity: 0 }, field: 'gold', value: 100 };
		await game.rule({
			when: tick,
			outcomes: [
				{ label: 'gold', weight: 1, do: [add] },
				{ label: 'empty', weight: 3 },
			],
		});
		const main = await game.peek();
		const reached = new Set<string>();
		for (let i = 0; i < 8; i++) {
			const id = `f${i}`;
			await game.post('/fork', { fork_id: id, seed: i });
			expect(await game.peek({}, id)).toEqual(main);
			const stepped = await game.step(1, id);
			const way = main.distribution.find(({ state_digest }) => state_digest === stepped.state_digest);
			expect(way?.choices[0]).toMatchObject({ label: stepped.sampled[0].label });
			reached.add(stepped.sampled[0].label);
		}
		expect(reached).toEqual(new Set(['gold', 'empty']));
		expect(await game.peek()).toEqual(main);
	});
});

describe('probabilities that are too long to write', () => {
	const rich = { kind: 'field', field: 'gold', op: '>=', value: 0, edge: 'level' };

	/** Returns a world of rules that all add to one field. The denominator of each rule's odds has some 250 bits. */
	async function gameOf(count: number, when: object) {
		const game = await start();
		await game.spawn({ gold: 0, tags: ['hero'] });
		let den = 10n ** 37n + 1n;
		for (let i = 0; i < count; i++)
			await game.rule({
				when,
				filter: 'any',
				outcomes: [1, 2, 3].map((gold) => {
					den += 2n;
					return { label: `${gold}`, weight: `1/${den}`, do: [`add_field tag:hero gold ${gold}`] };
				}),
			});
		return game;
	}

	test.each([
		['each by itself', tick, 300, true],
		['all together', rich, 1, false],
	] as const)(
		'are not listed, and the answer claims nothing about them: %s',
		async (_, when, factors, exact) => {
			const game = await gameOf(300, when);
			const peeked = await game.peek();
			const none = { num: '0', den: '1' };
			expect(peeked).toMatchObject({ exact: false, covered: 0, covered_fraction: none, distribution: [] });
			// Independent factors are exact, even if the joint probabilities are too long.
			expect(peeked.factors.map((factor) => factor.exact)).toEqual(Array(factors).fill(exact));
			if (!exact) expect(peeked.factors[0]).toMatchObject({ covered_fraction: none, outcomes: [] });
			const { condition } = await game.post('/peek', { condition: 'field:gold>=1' });
			const all = { num: '1', den: '1' };
			const reading = 'any entity: gold ≥ 1';
			expect(condition).toEqual({ exact: false, probability: none, p: null, at_most: all, reading });
			expect(await game.step()).toMatchObject({ ok: true, new_tick: 1 });
		},
	);

	test('end a list that becomes too long, and the listed part is exact', async () => {
		const game = await gameOf(200, tick);
		const { exact, distribution, covered } = await game.peek();
		expect(exact).toBe(false);
		expect(distribution.length).toBeGreaterThan(10);
		expect(distribution.length).toBeLessThan(4096);
		const listed = distribution.reduce((total, { p }) => total + p, 0);
		expect(Math.abs(listed - covered)).toBeLessThanOrEqual(covered * 1e-12);
		expect(read(distribution[0]!.probability).den.toString(16).length * 4).toBeGreaterThan(20_000);
	});
});
