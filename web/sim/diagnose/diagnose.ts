/** Looking for things in a world that cannot work as meant. */

import { Color } from '../../../shared/components/color.ts';
import { Combat } from '../../../shared/components/combat.ts';
import { Dead } from '../../../shared/components/dead.ts';
import { Health } from '../../../shared/components/health.ts';
import { LocalTransform } from '../../../shared/components/local-transform.ts';
import { Mesh } from '../../../shared/components/mesh.ts';
import { BODY_KINDS, PhysicsBody } from '../../../shared/components/physics-body.ts';
import { SpawnPoint } from '../../../shared/components/spawn-point.ts';
import { Team } from '../../../shared/components/team.ts';
import { Velocity } from '../../../shared/components/velocity.ts';
import { assertions } from '../assertions/assertion.ts';
import { pending } from '../core/events.ts';
import { each, get, has, read, type World } from '../core/world.ts';

export interface Diagnosis {
	/** What looks wrong; an entity is written E<id>. */
	readonly warnings: string[];
	readonly info: string[];
}

/** Metres: drawn entities closer than this lie in each other. */
const SAME_PLACE = 0.01;

export function diagnose(world: World): Diagnosis {
	const warnings: string[] = [];
	each(world, [Combat], (slot) => {
		if (!has(world, slot, Velocity) && get(world, slot, PhysicsBody)?.kind !== 'Static')
			warnings.push(`E${slot} fights but has no velocity, so it cannot move`);
	});
	each(world, [Velocity], (slot) => {
		if (!has(world, slot, PhysicsBody))
			warnings.push(`E${slot} has a velocity but no physics_body, so it does not move`);
	});
	each(world, [Health], (slot) => {
		if (!has(world, slot, LocalTransform)) warnings.push(`E${slot} has health but no place in the world`);
		if (read(world, Health, 'current')[slot]! <= 0 && !has(world, slot, Dead))
			warnings.push(`E${slot} has no health left but is not dead; the next step marks it`);
	});
	each(world, [Mesh], (slot) => {
		if (!has(world, slot, Color)) warnings.push(`E${slot} has a mesh but no color`);
	});
	warnings.push(...teamsWithoutSpawn(world), ...samePlace(world));
	return { warnings, info: info(world) };
}

function teamsWithoutSpawn(world: World): string[] {
	const teams = new Set<number>();
	const homes = new Set<number>();
	const team = read(world, Team, 'team');
	const home = read(world, SpawnPoint, 'team');
	each(world, [Team], (slot) => teams.add(team[slot]!));
	each(world, [SpawnPoint], (slot) => homes.add(home[slot]!));
	return [...teams]
		.filter((number) => !homes.has(number))
		.sort((a, b) => a - b)
		.map((number) => `team ${number} has members but no spawn point`);
}

/** Drawn entities in the same place, found with a grid so that all pairs need not be compared. */
function samePlace(world: World): string[] {
	const found: string[] = [];
	const cells = new Map<string, number[]>();
	const position = read(world, LocalTransform, 'position');
	each(world, [Mesh, LocalTransform], (slot) => {
		const at = [position[slot * 3]!, position[slot * 3 + 1]!, position[slot * 3 + 2]!] as const;
		const [cx, cy, cz] = at.map((p) => Math.floor(p / SAME_PLACE)) as [number, number, number];
		for (let dx = -1; dx <= 1; dx++)
			for (let dy = -1; dy <= 1; dy++)
				for (let dz = -1; dz <= 1; dz++)
					for (const other of cells.get(`${cx + dx},${cy + dy},${cz + dz}`) ?? []) {
						let apart = 0;
						for (let i = 0; i < 3; i++) {
							const d = at[i]! - position[other * 3 + i]!;
							apart += d * d;
						}
						if (apart < SAME_PLACE * SAME_PLACE)
							found.push(`E${other} and E${slot} are drawn in the same place`);
					}
		const key = `${cx},${cy},${cz}`;
		cells.set(key, [...(cells.get(key) ?? []), slot]);
	});
	return found;
}

function info(world: World): string[] {
	const kinds = read(world, PhysicsBody, 'kind');
	const tally = [0, 0, 0];
	each(world, [PhysicsBody], (slot) => {
		tally[kinds[slot]!] = tally[kinds[slot]!]! + 1;
	});
	const lines = [`bodies: ${BODY_KINDS.map((kind, i) => `${tally[i]} ${kind}`).join(', ')}`];
	const events = pending(world).length;
	if (events > 0) lines.push(`${events} events are readable`);
	const defined = assertions(world);
	if (defined.length > 0) {
		const evaluated = defined.flatMap(({ last }) => (last === null ? [] : [last.passed]));
		const passed = evaluated.filter(Boolean).length;
		lines.push(
			`assertions: ${defined.length} defined, ${evaluated.length} evaluated, ${passed} passed, ${evaluated.length - passed} failed`,
		);
	}
	return lines;
}
