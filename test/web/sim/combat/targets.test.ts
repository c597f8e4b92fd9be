/**
 * The fast choice of a target equals a search of all entities, in random crowds with many equal positions.
 * Owns: the slow search. ORRERY_SEED selects other crowds.
 */

import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { CombatState } from '../../../../shared/components/combat-state.ts';
import { spawnDocument } from '../../../../shared/documents/spawn.ts';
import {
	buildTree,
	NEARER_OR_EQUAL,
	type NearestTarget,
	nearestEnemy,
	STRICTLY_NEARER,
} from '../../../../web/sim/combat/target-tree.ts';
import { read } from '../../../../web/sim/core/world.ts';
import { createWorld } from '../../../../web/sim/create-world.ts';
import { loadParts } from '../../../../web/sim/parts.ts';
import { spawnEntity } from '../../../../web/sim/spawn/spawn-entity.ts';
import { step } from '../../../../web/sim/step.ts';
import { check, SEED } from '../../../support/property.ts';

beforeAll(() => loadParts());

type Point3 = readonly [number, number, number];

const coordinate = fc.float({ min: -60, max: 60, noNaN: true });
const smallInteger = fc.integer({ min: -2, max: 2 });
/** Positions: two shared spots, a lattice with many equal distances, or any position. */
const positions: fc.Arbitrary<Point3> = fc.oneof(
	{ weight: 4, arbitrary: fc.constantFrom<Point3>([0, 0, 0], [3, 0, 4]) },
	{ weight: 3, arbitrary: fc.tuple(smallInteger, smallInteger, smallInteger) },
	{ weight: 2, arbitrary: fc.tuple(coordinate, coordinate, coordinate) },
);
const teams = fc.constantFrom(2, 3, 4, 5, 12, 200);
const crowd = <T extends object>(fighterFields: fc.Arbitrary<T>) =>
	teams.chain((maxTeam) => {
		const placement = fc.record({ position: positions, team: fc.integer({ min: 1, max: maxTeam }) });
		const item = fc.tuple(placement, fighterFields).map(([place, fields]) => ({ ...place, ...fields }));
		return fc.array(item, { minLength: 1, maxLength: 160, size: 'max' });
	});

function squareDistance([ax, ay, az]: Point3, [bx, by, bz]: Point3): number {
	return (ax - bx) ** 2 + (ay - by) ** 2 + (az - bz) ** 2;
}

/** Returns the nearest candidate within reach, the first among equals; -1 if there is none. */
function nearestOf(
	from: Point3,
	candidates: readonly number[],
	positionOf: (slot: number) => Point3,
	reach: number,
	inclusive: boolean,
): number {
	let best = -1;
	let leastSquare = Number.POSITIVE_INFINITY;
	for (const slot of candidates) {
		const square = squareDistance(positionOf(slot), from);
		const isNear = inclusive ? square <= reach * reach : square < reach * reach;
		if (isNear && square < leastSquare) [best, leastSquare] = [slot, square];
	}
	return best;
}

test(`the nearest enemy equals a full search (seed ${SEED})`, () =>
	check(
		300,
		[crowd(fc.constant({})), positions, fc.constantFrom(0, 1, 5, 40, 1e4), fc.boolean()],
		(entities, from, reach, inclusive) => {
			const slots = entities.map((_, slot) => slot);
			const coordinates = Float32Array.from(entities.flatMap(({ position }) => position));
			const tree = buildTree(
				slots,
				coordinates,
				entities.map(({ team }) => team),
			);
			for (const ownTeam of [...new Set(entities.map(({ team }) => team)), 0]) {
				const nearest: NearestTarget = {
					slot: inclusive ? NEARER_OR_EQUAL : STRICTLY_NEARER,
					square: reach * reach,
					visitedNodes: 0,
				};
				nearestEnemy(nearest, tree, ...from, ownTeam);
				const enemies = slots.filter((slot) => entities[slot]!.team !== ownTeam);
				expect(nearest.slot === NEARER_OR_EQUAL ? -1 : nearest.slot).toBe(
					nearestOf(from, enemies, (slot) => entities[slot]!.position, reach, inclusive),
				);
			}
		},
	));

/** Roles of targets in order of priority, by the role of the attacker. */
const ROLE_PRIORITIES = {
	hero: [['hero'], ['minion'], ['tower'], ['structure']],
	minion: [['minion'], ['hero'], ['tower'], ['structure']],
	tower: [['minion'], ['hero'], ['structure'], ['tower']],
	structure: [['hero', 'minion', 'tower', 'structure']],
} as const;
type Role = keyof typeof ROLE_PRIORITIES;

const fighter = fc.record({
	role: fc.constantFrom<Role | undefined>('hero', 'minion', 'tower', 'structure', undefined),
	health: fc.constantFrom(0, 10, 10, 10, 10),
	combat_range: fc.constantFrom(0, 1, 5, 40),
	combat_style: fc.constantFrom('melee', 'stationary'),
});

test(`the target of every fighter in a crowd equals a full search (seed ${SEED})`, () =>
	check(150, [crowd(fighter)], (fighters) => {
		const world = createWorld();
		for (const fields of fighters) spawnEntity(world, spawnDocument.parse({ ...fields, combat: true }));
		step(world);
		const targets = read(world, CombatState, 'target');
		const living = fighters.map((_, slot) => slot).filter((slot) => fighters[slot]!.health > 0);
		const roleOf = (slot: number) => fighters[slot]!.role ?? 'hero';
		for (const slot of living) {
			const { position, team, combat_range: range, combat_style } = fighters[slot]!;
			const isStationary = combat_style === 'stationary';
			let expected = -1;
			for (const roles of ROLE_PRIORITIES[roleOf(slot)]) {
				const targetRoles: readonly Role[] = roles;
				const enemies = living.filter(
					(other) => fighters[other]!.team !== team && targetRoles.includes(roleOf(other)),
				);
				const reach = isStationary ? range : Math.max(20, range);
				expected = nearestOf(position, enemies, (other) => fighters[other]!.position, reach, isStationary);
				if (expected >= 0) break;
			}
			expect(targets[slot * 2]! - 1, `target of ${slot}`).toBe(expected);
		}
	}));
