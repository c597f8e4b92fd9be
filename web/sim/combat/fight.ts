/**
 * The data that fighters read on one tick.
 * Owns: the columns as arrays, because requesting a column costs more than a decision. Columns for writing are requested
 * when the first fighter writes.
 */

import { Ai } from '../../../shared/components/ai.ts';
import { Building } from '../../../shared/components/building.ts';
import { Combat } from '../../../shared/components/combat.ts';
import { CombatState } from '../../../shared/components/combat-state.ts';
import { CrowdControl } from '../../../shared/components/crowd-control.ts';
import { Dead } from '../../../shared/components/dead.ts';
import { Health } from '../../../shared/components/health.ts';
import { LocalTransform } from '../../../shared/components/local-transform.ts';
import { March } from '../../../shared/components/march.ts';
import { Modifiers } from '../../../shared/components/modifiers.ts';
import { Path } from '../../../shared/components/path.ts';
import { Player } from '../../../shared/components/player.ts';
import { PlayerOrder } from '../../../shared/components/player-order.ts';
import { Role } from '../../../shared/components/role.ts';
import { Shot } from '../../../shared/components/shot.ts';
import { Team } from '../../../shared/components/team.ts';
import { Velocity } from '../../../shared/components/velocity.ts';
import { hasBit } from '../core/bits.ts';
import { presence, read, type World, write } from '../core/world.ts';
import { globalPositions } from '../space/global-position.ts';
import type { ProjectileSpec } from './projectile.ts';
import { indexTargets, type TargetIndex } from './target-index.ts';

/** Returns the union of sets of slots. */
function union(words: number, ...sets: readonly Uint32Array[]): Uint32Array {
	const result = new Uint32Array(words);
	for (const set of sets) for (let i = 0; i < set.length; i++) result[i] = result[i]! | set[i]!;
	return result;
}

/** Collects the data that all decisions of one tick read. */
export function gatherFight(world: World) {
	const positions = globalPositions(world);
	const dead = presence(world, Dead);
	const healthy = presence(world, Health);
	const players = presence(world, Player);
	const modified = presence(world, Modifiers);
	const crowdControlled = presence(world, CrowdControl);
	const withAi = presence(world, Ai);
	const withPath = presence(world, Path);
	const { length } = world.entities.alive.data;
	const buildings = presence(world, Building);
	const isLiving = (slot: number) => hasBit(healthy, slot) && !hasBit(dead, slot);
	let index: TargetIndex | null = null;
	let velocity: Float32Array | null = null;
	const linear = read(world, Velocity, 'linear') as Float32Array;
	let targets: Uint32Array | null = null;
	const target = read(world, CombatState, 'target') as Uint32Array;
	const writeReadyAt = () => write(world, CombatState, 'ready_at');
	let readyAt: ReturnType<typeof writeReadyAt> | null = null;
	const ready = read(world, CombatState, 'ready_at');
	return {
		positions: positions,
		dead,
		isLiving: isLiving,
		/** Returns true if an entity can fight: it has health, or it is a building, even an indestructible one. */
		canFight: (slot: number) => hasBit(healthy, slot) || hasBit(buildings, slot),
		teams: presence(world, Team),
		withPose: presence(world, LocalTransform),
		team: read(world, Team, 'team'),
		roles: presence(world, Role),
		role: read(world, Role, 'role'),
		shooters: presence(world, Shot),
		/** Projectiles of this tick. */
		shots: [] as ProjectileSpec[],
		/** Fighters that are dead, controlled by a player, modified or crowd-controlled. Most are not. */
		special: union(length, dead, players, modified, crowdControlled),
		players,
		withOrder: presence(world, PlayerOrder),
		order: read(world, PlayerOrder, 'order'),
		marching: presence(world, March),
		/** Fighters with an AI or a path. */
		withAiOrPath: union(length, withAi, withPath),
		guided: withAi,
		withPath: withPath,
		pathState: read(world, Path, 'state'),
		modified: modified,
		crowdControlled: crowdControlled,
		moving: presence(world, Velocity),
		direction: read(world, March, 'direction'),
		damage: read(world, Combat, 'damage'),
		range: read(world, Combat, 'range'),
		speed: read(world, Combat, 'speed'),
		cooldown: read(world, Combat, 'cooldown'),
		detectRange: read(world, Combat, 'detect_range'),
		style: read(world, Combat, 'style'),
		generations: world.entities.generations.data,
		alive: world.entities.alive.data,
		override: read(world, CombatState, 'override'),
		/** Current targets, for reading. */
		targets: () => targets ?? target,
		writableTargets: () => {
			targets ??= write(world, CombatState, 'target');
			return targets;
		},
		/** Ticks from which blows are possible, for reading. */
		readyAt: () => readyAt ?? ready,
		writableReadyAt: () => {
			readyAt ??= writeReadyAt();
			return readyAt;
		},
		index: () => {
			index ??= indexTargets(world, positions);
			return index;
		},
		/** Current velocities, for reading. */
		linear: () => velocity ?? linear,
		/** Velocities for writing. */
		writableLinear: () => {
			velocity ??= write(world, Velocity, 'linear');
			return velocity;
		},
	};
}

export type Fight = ReturnType<typeof gatherFight>;
