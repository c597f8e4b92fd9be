/** Search for the parts of a world that cannot work as intended. */

import { Color } from '../../../shared/components/color.ts';
import { Combat } from '../../../shared/components/combat.ts';
import { CorpseTimer } from '../../../shared/components/corpse-timer.ts';
import { Dead } from '../../../shared/components/dead.ts';
import { Health } from '../../../shared/components/health.ts';
import { LocalTransform } from '../../../shared/components/local-transform.ts';
import { Mesh } from '../../../shared/components/mesh.ts';
import { Modifiers } from '../../../shared/components/modifiers.ts';
import { BODY_KINDS, PhysicsBody } from '../../../shared/components/physics-body.ts';
import { RespawnTimer } from '../../../shared/components/respawn-timer.ts';
import { SpawnPoint } from '../../../shared/components/spawn-point.ts';
import { Team } from '../../../shared/components/team.ts';
import { Velocity } from '../../../shared/components/velocity.ts';
import { fighterWarnings } from '../aspects/fighter.ts';
import { assertionsOf } from '../assertions/assertion.ts';
import { assertionWarnings } from '../assertions/assertion-warnings.ts';
import { buildingAt } from '../buildings/building-types.ts';
import { pendingEvents } from '../core/events.ts';
import type { SlicedWork } from '../core/sliced-work.ts';
import { each, get, has, read, type World } from '../core/world.ts';
import { inputMapOf } from '../input/input-map.ts';
import { bindingWarnings, unplayedWarnings } from '../input/input-warnings.ts';
import { inputsOf } from '../input/inputs.ts';
import { matchState } from '../match/match.ts';
import { statsWithoutComponent } from '../stats/stat.ts';
import { explainRules, type RuleExplanation } from './explain-rules.ts';

export interface Diagnosis {
	/** Suspicious findings; an entity is written E<id>. */
	readonly warnings: string[];
	readonly info: string[];
	readonly rules: readonly RuleExplanation[];
}

/** Drawn entities nearer to each other than this overlap (m). */
const MIN_SEPARATION = 0.01;

/** Diagnoses a world, in slices. */
export function* diagnoseWorld(world: World): SlicedWork<Diagnosis> {
	const warnings: string[] = [];
	each(world, [Combat], (slot) => {
		if (!has(world, slot, Velocity) && get(world, slot, PhysicsBody)?.kind !== 'Static')
			warnings.push(`E${slot} fights but has no velocity, so it cannot move`);
		warnings.push(...fighterWarnings(world, slot).map((warning) => `E${slot} ${warning}`));
	});
	each(world, [Velocity], (slot) => {
		if (!has(world, slot, PhysicsBody))
			warnings.push(`E${slot} has a velocity but no physics_body, so it does not move`);
	});
	each(world, [Dead, Team], (slot) => {
		if (has(world, slot, RespawnTimer) || has(world, slot, CorpseTimer)) return;
		if (buildingAt(world, slot)?.respawns === false) return;
		warnings.push(`E${slot} is dead and has a team but no respawn timer, so it does not return`);
	});
	each(world, [Health], (slot) => {
		if (!has(world, slot, LocalTransform)) warnings.push(`E${slot} has health but no position in the world`);
		if (read(world, Health, 'current')[slot]! <= 0 && !has(world, slot, Dead))
			warnings.push(`E${slot} has no health left but is not dead; the next step marks it as dead`);
	});
	each(world, [Mesh], (slot) => {
		if (!has(world, slot, Color)) warnings.push(`E${slot} has a mesh but no color`);
		if (!has(world, slot, LocalTransform)) warnings.push(`E${slot} has a mesh but no position in the world`);
	});
	yield;
	const rules = yield* explainRules(world);
	warnings.push(...spawnPointWarnings(world), ...(yield* overlapWarnings(world)));
	warnings.push(...idleStatWarnings(world), ...inputWarnings(world));
	for (const rule of rules) warnings.push(...rule.warnings.map((warning) => `rule ${rule.id}: ${warning}`));
	for (const { id, name, ...assertion } of assertionsOf(world)) {
		yield;
		warnings.push(
			...assertionWarnings(world, assertion).map((warning) => `assertion ${id} "${name}": ${warning}`),
		);
	}
	return { warnings, info: infoLines(world), rules };
}

/** Returns warnings about changed stats that have no effect, because the entity lacks a component. */
function idleStatWarnings(world: World): string[] {
	const warnings: string[] = [];
	each(world, [Modifiers], (slot) => {
		const stats = Object.keys(read(world, Modifiers, 'stats')[slot]!);
		for (const { stat, missing } of statsWithoutComponent(world, slot, stats))
			warnings.push(`E${slot} has a change of the stat "${stat}", which does nothing without ${missing}`);
	});
	return warnings;
}

/** Returns warnings about bindings that are nearly an action of the engine, and about inputs that move no entity. */
function inputWarnings(world: World): string[] {
	const warnings = inputMapOf(world).bindings.flatMap(({ key, action }) =>
		bindingWarnings(action).map((warning) => `${key} is bound to "${action}": ${warning}`),
	);
	const { held, queue } = inputsOf(world);
	const warningTexts = [...held, ...queue].flatMap((input) => unplayedWarnings(input));
	return [...warnings, ...new Set(warningTexts)];
}

function spawnPointWarnings(world: World): string[] {
	const teams = new Set<number>();
	const spawnTeams = new Set<number>();
	const team = read(world, Team, 'team');
	const spawnTeam = read(world, SpawnPoint, 'team');
	each(world, [Team], (slot) => teams.add(team[slot]!));
	each(world, [SpawnPoint], (slot) => spawnTeams.add(spawnTeam[slot]!));
	return [...teams]
		.filter((number) => !spawnTeams.has(number))
		.sort((a, b) => a - b)
		.map((number) => `team ${number} has members but no spawn point`);
}

/** Maximum number of entities that one warning names. */
const MAX_NAMED_ENTITIES = 5;

/** Returns one warning for each position at which several entities are drawn. */
function* overlapWarnings(world: World): SlicedWork<string[]> {
	const cells = new Map<string, number[][]>();
	const groups: number[][] = [];
	const position = read(world, LocalTransform, 'position');
	const squaredDistance = (a: number, b: number): number => {
		const [x, y, z] = [0, 1, 2].map((i) => position[a * 3 + i]! - position[b * 3 + i]!) as [
			number,
			number,
			number,
		];
		return x * x + y * y + z * z;
	};
	const drawn: number[] = [];
	each(world, [Mesh, LocalTransform], (slot) => drawn.push(slot));
	for (const slot of drawn) {
		yield;
		const cell = [0, 1, 2].map((i) => Math.floor(position[slot * 3 + i]! / MIN_SEPARATION));
		const group = itemsAround(cells, cell).find(
			([first]) => squaredDistance(first!, slot) < MIN_SEPARATION * MIN_SEPARATION,
		);
		if (group !== undefined) group.push(slot);
		else {
			const newGroup = [slot];
			groups.push(newGroup);
			const key = cell.join();
			cells.set(key, [...(cells.get(key) ?? []), newGroup]);
		}
	}
	return groups
		.filter(({ length }) => length > 1)
		.map((group) => {
			const names = group.slice(0, MAX_NAMED_ENTITIES).map((slot) => `E${slot}`);
			if (group.length > MAX_NAMED_ENTITIES) names.push(`${group.length - MAX_NAMED_ENTITIES} more`);
			return `${names.slice(0, -1).join(', ')} and ${names.at(-1)} are drawn at the same position`;
		});
}

/** Returns the items in a cell of a grid and in the cells that touch it. */
function itemsAround<T>(cells: ReadonlyMap<string, readonly T[]>, [x, y, z]: readonly number[]): T[] {
	const items: T[] = [];
	for (let dx = -1; dx <= 1; dx++)
		for (let dy = -1; dy <= 1; dy++)
			for (let dz = -1; dz <= 1; dz++) items.push(...(cells.get([x! + dx, y! + dy, z! + dz].join()) ?? []));
	return items;
}

function infoLines(world: World): string[] {
	const kinds = read(world, PhysicsBody, 'kind');
	const countByKind = [0, 0, 0];
	each(world, [PhysicsBody], (slot) => {
		countByKind[kinds[slot]!] = countByKind[kinds[slot]!]! + 1;
	});
	const lines = [`bodies: ${BODY_KINDS.map((kind, i) => `${countByKind[i]} ${kind}`).join(', ')}`];
	if (matchState(world) === null) lines.push('there is no match; create one with POST /game/create');
	const events = pendingEvents(world).length;
	if (events > 0) lines.push(`${events} events are readable`);
	const allAssertions = assertionsOf(world);
	if (allAssertions.length > 0) {
		const verdicts = allAssertions.flatMap(({ last }) => (last === null ? [] : [last.passed]));
		const passedCount = verdicts.filter(Boolean).length;
		lines.push(
			`assertions: ${allAssertions.length} defined, ${verdicts.length} evaluated, ${passedCount} passed, ${verdicts.length - passedCount} failed`,
		);
	}
	return lines;
}
