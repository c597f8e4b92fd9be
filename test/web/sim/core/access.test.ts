/**
 * Systems and verbs access only names that they declare: in random histories, in worlds of chance, in the scenes, and with
 * every verb.
 * Owns: the recording of the accesses of each system and verb, and the list of declared names that these worlds do not use.
 */

import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { Health } from '../../../../shared/components/health.ts';
import { PhysicsBody } from '../../../../shared/components/physics-body.ts';
import type { RuleDocument } from '../../../../shared/rules/rule.ts';
import {
	PLACE_READ,
	ROOM_READ,
	STATS_READ,
	STATS_WRITTEN,
	TELEPORT_READ,
	type VerbAccess,
} from '../../../../shared/verbs/access.ts';
import { ACTIONS, type Action, accessOf, actionKind } from '../../../../shared/verbs/actions/index.ts';
import {
	CONDITIONS,
	conditionKind,
	type InnerCondition,
	readsOf,
} from '../../../../shared/verbs/conditions/index.ts';
import { TARGETS, type Target, targetParts } from '../../../../shared/verbs/targets/index.ts';
import { checkDeath } from '../../../../web/sim/combat/check-death.system.ts';
import { clone, dispose } from '../../../../web/sim/core/clone.ts';
import { add, spawn, type World } from '../../../../web/sim/core/world.ts';
import { targetAccess } from '../../../../web/sim/peek/footprint.ts';
import { parseFilter } from '../../../../web/sim/rules/conditions/filter.ts';
import type { Occurrence } from '../../../../web/sim/rules/conditions/occurrence.ts';
import { schedule } from '../../../../web/sim/schedule.ts';
import { bodyHistories, histories, relive } from '../../../support/arbitraries.ts';
import { beings, presses, rules, SETTING, shots, zones } from '../../../support/chance-worlds.ts';
import { DeclaredAccess, Findings, type Has } from '../../../support/declared-access.ts';
import { clientOf, freshWorld, startEngine } from '../../../support/engine.ts';
import { EVERY_VERB, RARELY_SEEN } from '../../../support/every-verb.ts';
import { cases, SEED, times } from '../../../support/property.ts';
import { isRecording, withListener } from '../../../support/recorder.ts';
import { openScene, sceneNames } from '../../../support/scenes.ts';

const watching = vi.hoisted(() => ({
	/** The original `has`, which records nothing. */
	has: undefined as Has | undefined,
	/** Runs a system or a verb, and records its accesses. */
	run: (<T>(_: string, __: unknown, run: () => T) => run()) as <T>(
		who: string,
		access: VerbAccess,
		run: () => T,
	) => T,
	/** The rule whose condition is currently tested. */
	rule: undefined as RuleDocument | undefined,
}));

vi.mock('../../../../web/sim/core/world.ts', async (original) => {
	const real = await original<typeof import('../../../../web/sim/core/world.ts')>();
	watching.has = real.has;
	return (await import('../../../support/recorder.ts')).watchedWorld(real);
});
vi.mock('../../../../web/sim/core/bits.ts', async (original) =>
	(await import('../../../support/recorder.ts')).watchedBits(await original()),
);
vi.mock('../../../../web/sim/core/events.ts', async (original) =>
	(await import('../../../support/recorder.ts')).watchedEvents(await original()),
);
vi.mock('../../../../web/sim/core/resource.ts', async (original) =>
	(await import('../../../support/recorder.ts')).watchedResources(await original()),
);
// The cache of crowds must not hide reads, so each check for room is recorded as a read of all its names.
vi.mock('../../../../web/sim/physics/crowding.ts', async (original) => {
	const real = await original<typeof import('../../../../web/sim/physics/crowding.ts')>();
	const { note, withoutRecording } = await import('../../../support/recorder.ts');
	const noteReads = (world: World) => {
		for (const name of ROOM_READ) note('read', name, world, [PhysicsBody]);
	};
	const crowding: typeof real = {
		...real,
		cachedCrowd: (world) => withoutRecording(() => real.cachedCrowd(world)),
		updateCrowd: (...given) => withoutRecording(() => real.updateCrowd(...given)),
		hasRoom: (world, ...given) => {
			noteReads(world);
			return withoutRecording(() => real.hasRoom(world, ...given));
		},
		requireRoom: (world, ...given) => {
			noteReads(world);
			withoutRecording(() => real.requireRoom(world, ...given));
		},
	};
	return crowding;
});
vi.mock('../../../../web/sim/schedule.ts', async (original) => {
	const { schedule: systems } = await original<typeof import('../../../../web/sim/schedule.ts')>();
	return {
		schedule: systems.map((system) => ({
			...system,
			run: (world: World) => watching.run(system.name, system.access, () => system.run(world)),
		})),
	};
});
vi.mock('../../../../web/sim/rules/rule-firing.ts', async (original) => {
	const real = await original<typeof import('../../../../web/sim/rules/rule-firing.ts')>();
	const firingsOf: typeof real.firingsOf = (...given) => {
		const [, , document] = given;
		watching.rule = document;
		return watching.run('a rule', conditionReads(document.when), () => real.firingsOf(...given));
	};
	return { ...real, firingsOf };
});
vi.mock('../../../../web/sim/rules/targets/index.ts', async (original) => {
	const real = await original<typeof import('../../../../web/sim/rules/targets/index.ts')>();
	const resolveTarget = (world: World, target: Target, occurrence: Occurrence) =>
		watching.run(`target ${targetParts(target).kind}`, targetAccess(target), () =>
			real.resolveTarget(world, target, occurrence),
		);
	return { ...real, resolveTarget };
});

/** Cache of accesses by condition and filter. */
const readsCache = new WeakMap<InnerCondition, Map<unknown, VerbAccess>>();

/** Returns the declared reads of a condition of the current rule. */
function conditionReads(condition: InnerCondition): VerbAccess {
	const filter = watching.rule?.filter ?? 'any';
	const cache = readsCache.get(condition) ?? new Map<unknown, VerbAccess>();
	readsCache.set(condition, cache);
	let access = cache.get(filter);
	if (access === undefined) {
		access = { reads: readsOf(condition, ['entities', ...readsOf(parseFilter(filter))]) };
		cache.set(filter, access);
	}
	return access;
}

type Call = (...given: never[]) => unknown;

/** Replaces the functions of every action and condition by functions that record their accesses. */
function watchVerbs(): void {
	const modules = {
		...import.meta.glob<Record<string, unknown>>('../../../../web/sim/rules/{actions,conditions}/*.ts', {
			eager: true,
		}),
	};
	// Two kinds may share one object, so a set prevents watching it twice.
	const behaviours = new Set(Object.values(modules).flatMap((module) => Object.values(module)));
	for (const behaviour of behaviours) {
		if (typeof behaviour !== 'object' || behaviour === null) continue;
		const verb = behaviour as Record<string, Call | undefined>;
		const { act } = verb;
		if (act !== undefined)
			verb.act = ((world: World, action: Action, ...more: never[]) =>
				watching.run(`action ${actionKind(action).kind}`, accessOf(action), () =>
					(act as (...all: unknown[]) => unknown)(world, action, ...more),
				)) as Call;
		for (const part of ['test', 'holds', 'find', 'carries']) {
			const original = verb[part];
			if (typeof original !== 'function') continue;
			verb[part] = ((condition: InnerCondition, ...more: never[]) => {
				if (!isRecording()) return (original as (...all: unknown[]) => unknown)(condition, ...more);
				const access = conditionReads(condition);
				const user = `condition ${conditionKind(condition).name}`;
				const result = watching.run(user, access, () =>
					(original as (...all: unknown[]) => unknown)(condition, ...more),
				);
				if (typeof result !== 'function') return result;
				return (argument: unknown) =>
					watching.run(user, access, () => (result as (one: unknown) => unknown)(argument));
			}) as Call;
		}
	}
}

const findings = new Findings();
watching.run = (who, access, run) =>
	withListener(new DeclaredAccess(who, access, watching.has!, findings), run);
watchVerbs();

/** Declared accesses that do not occur in these worlds, each with the reason. */
const UNUSED_REASONS: Readonly<Record<string, string>> = {
	'action emit_particles: action_failed': 'the world has the maximum number of emitters, a thousand',
	'advance-animations: animation': 'a system that may read anything is not watched',
	'action spawn: agent_id': 'only servers with sign-in have entities with owners',
	'action spawn: particles': 'a template or a rule spawns an emitter, and a world has at most a thousand',
	'action spawn: decal': 'a template or a rule spawns a decal, and a world has a maximum number of decals',
	'action spawn: water': 'as above, for water',
	'action spawn: terrain': 'a template or a rule spawns ground, and a world has a maximum number of points',
	'run-fighters: global_transform.rotation': 'a fighter with a parent looks for a target',
	'run-fighters: global_transform.scale': 'as above: a pose is read as a whole',
	'note-moments: backdoor': 'a building with a closed back door is hit',
	'guard-buildings: backdoor.restore_to': 'as above',
	'action text: action_failed': 'the HUD has the maximum number of elements, hundreds',
	'cast-abilities: cast_failed': 'a valid order becomes invalid before the tick',
};
const SHARED_NAMES = new Set([
	...PLACE_READ,
	...ROOM_READ,
	...STATS_READ,
	...STATS_WRITTEN,
	...TELEPORT_READ,
]);

/** Returns the systems and verbs that never ran. */
function unwatchedNames(): string[] {
	const names = [
		...schedule.map(({ name }) => name),
		...ACTIONS.map(({ kind }) => `action ${kind}`),
		...CONDITIONS.map(({ name }) => `condition ${name}`),
		...TARGETS.map(({ kind }) => `target ${kind}`),
	];
	return names.filter((who) => !findings.watched.includes(who));
}

/**
 * Returns declared names that were never accessed. A name in a shared declaration needs only one access by any of its users.
 */
function unusedAccesses(): string[] {
	return Object.entries(findings.idle).flatMap(([who, names]) =>
		// Scripts may write anything, so they declare everything.
		/^(condition|target|a rule|run-scripts)/.test(who)
			? []
			: names
					.filter((name) => !SHARED_NAMES.has(name) && !name.startsWith('rule:'))
					.map((name) => `${who}: ${name}`)
					.filter((name) => !Object.hasOwn(UNUSED_REASONS, name)),
	);
}

/** Minimum and maximum number of worlds of chance. Between them, the test stops when every access has occurred. */
const MIN_WORLDS = 10;
const MAX_WORLDS = 100;

describe(`every access is declared (seed ${SEED})`, () => {
	test('in random histories', async () => {
		for (const history of [...cases(histories(20), 2), ...cases(bodyHistories, 3)]) {
			const engine = await startEngine();
			await relive(engine, history);
			await engine.call('POST', '/step', { ticks: 10 });
			engine.engine.close();
		}
	});

	test.for(sceneNames())('in %s', async (name) => {
		const engine = await openScene(name, SEED);
		await clientOf(engine.handle).call('POST', '/step', { ticks: 20 });
		engine.close();
	});

	test('in a world where a player changes targets, and a kill is paid', async () => {
		const { engine, must, step } = await startEngine();
		const fighter = { health: 500, combat: true, combat_damage: 40, combat_range: 3, combat_cooldown: 0.1 };
		await must('POST', '/spawn', { ...fighter, team: 1, position: [0, 0, 0], gold: 1, player: true });
		for (const x of [1, 2])
			await must('POST', '/spawn', { ...fighter, health: 60, team: 2, position: [x, 0, 0], gold_bounty: 7 });
		await step(10);
		await must('POST', '/input/press', { key: 'MouseRight', entity_id: 0, target_id: 2 });
		await step(40);
		engine.close();
	});

	test('in a world where a killer gets loot, and a key moves a player on a navmesh', async () => {
		const { engine, must, step } = await startEngine();
		await must('POST', '/item/define', { id: 1, name: 'thing' });
		await must('POST', '/tuning', { players: { paths: true } });
		await must('POST', '/navmesh/generate', { min_x: -3, min_z: -3, max_x: 3, max_z: 3 });
		const loot = [{ label: 'item', weight: 1, item: { item_id: 1, count: 1 } }];
		const walker = { physics_body: 'Kinematic', grounded: 0.5, player: true, position: [0, 0.5, 0] };
		await must('POST', '/spawn', { ...walker, health: 9, inventory: [{ item_id: 1 }] });
		await must('POST', '/spawn', { health: 1, position: [2, 0, 0], loot });
		await must('POST', '/entity/damage', { entity_id: 1, amount: 5, source: 0 });
		await must('POST', '/input/press', { key: 'ArrowRight', entity_id: 0, hold: true });
		await step(4);
		engine.close();
	});

	test.each([
		['every verb occurs', EVERY_VERB],
		['rare cases occur', RARELY_SEEN],
	])('in a world where %s', async (_, calls) => {
		const { engine, must, step } = await startEngine();
		for (const [path, body] of calls) await must('POST', path, body);
		await step(6);
		engine.close();
	});

	test('in worlds of chance', async () => {
		// Many themes in one world cover all accesses sooner than one world for each theme.
		const crowded = fc.array(rules, { minLength: 4, maxLength: 4 }).map((lists) => lists.flat());
		const worlds = cases(fc.tuple(beings, crowded, shots, zones, presses), MAX_WORLDS);
		for (const [i, [documents, list, launches, triggers, pressed]] of worlds.entries()) {
			if (i >= times(MIN_WORLDS) && i % 5 === 0 && unwatchedNames().length + unusedAccesses().length === 0)
				break;
			const { engine, call } = await startEngine();
			const calls = [
				...SETTING,
				...documents.map((document) => ['/spawn', document] as const),
				...list.map((document) => ['/rule/create', document] as const),
				...launches.map((document) => ['/projectile/spawn', document] as const),
				...triggers.map((document) => ['/trigger/create', document] as const),
				...pressed,
				['/view-filter/set', { entity_id: 0, rules: ['not:tag:c', 'not:zone:0', 'not:same-team'] }] as const,
			];
			for (const [path, body] of calls) {
				const answer = (await call('POST', path, body)).body;
				expect(answer.ok, `${path} ${JSON.stringify(body)}: ${JSON.stringify(answer)}`).toBe(true);
			}
			// Entities with the ability cast it, on the spot.
			for (const entity_id of documents.keys()) await call('POST', '/ability/use', { entity_id, slot: 'Q' });
			await call('POST', '/step', { ticks: 8 });
			engine.close();
		}
	});

	test('in a world of scripts', async () => {
		const { engine, must, step } = await startEngine();
		const source = `
			function on_event(e) if e.type == "death" then engine.set_health(e.subject, 5) end end
			function on_update(me)
				engine.set_position(me, engine.tick(), 0, 0)
				engine.set(me, "health.current", engine.chance("c", { a = 1, b = 2 }) == "a" and 1 or 2)
				engine.change(me, { tags = { "x" }, gold = 3 })
				engine.act("damage this 1", me)
				engine.emit("hello", me)
				local other = engine.spawn({ mesh = "cube", position = { 1, 2, 3 } })
				engine.set_velocity(other, 1, 0, 0)
				if engine.tick() % 2 == 0 then engine.despawn(other) end
				error("here")
			end`;
		await must('POST', '/spawn', { health: 9, position: [0, 0, 0] });
		await must('POST', '/script/load', { source, entity_id: 0 });
		await step(6);
		engine.close();
	});

	test('no access is undeclared', () => {
		expect(findings.missing).toEqual({});
	});

	test('every system and every verb ran', () => expect(unwatchedNames()).toEqual([]));

	test('every declared access occurs, or has a reason', () => expect(unusedAccesses()).toEqual([]));

	test('a system with an incomplete declaration is reported', async () => {
		const world = await freshWorld();
		const { id } = spawn(world);
		add(world, id, Health, { current: 0, max: 5 });
		const declaration = checkDeath.access;
		const findingsWith = (access: VerbAccess) => {
			const copyFindings = new Findings();
			const copy = clone(world);
			withListener(new DeclaredAccess('check-death', access, watching.has!, copyFindings), () =>
				checkDeath.run(copy),
			);
			dispose(copy);
			return copyFindings.missing['check-death'] ?? [];
		};
		expect(findingsWith(declaration)).toEqual([]);
		const { emits: _, ...withoutEvents } = declaration;
		expect(findingsWith(withoutEvents)).toEqual(['emit death']);
		expect(findingsWith({ ...declaration, queries: [] })).toEqual([
			'read last_attacker of one entity',
			'read last_attacker.entity of one entity',
			'write dead of one entity',
		]);
		expect(findingsWith({ ...declaration, reads: ['dead'] })).toContain('read health.current of one entity');
		const otherQueries = [{ with: ['team'], reads: ['last_attacker'], writes: ['dead'] }];
		expect(findingsWith({ ...declaration, queries: otherQueries })).toContain('write dead of one entity');
	});
});
