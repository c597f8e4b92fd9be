/**
 * Effects of the engine's own actions on the played entity.
 * Owns: the behaviour of each action when it is pressed or released. The system `apply-inputs` walks players on each tick
 * while an input is held.
 */

import type { Slot } from '../../../shared/components/abilities.ts';
import { Ai } from '../../../shared/components/ai.ts';
import { Combat } from '../../../shared/components/combat.ts';
import { CombatState } from '../../../shared/components/combat-state.ts';
import { LocalTransform } from '../../../shared/components/local-transform.ts';
import { type PLAYER_ORDERS, PlayerOrder } from '../../../shared/components/player-order.ts';
import { Velocity } from '../../../shared/components/velocity.ts';
import type { EntityHandle } from '../../../shared/contract/component.ts';
import type { PlayerAction, QueuedInput } from '../../../shared/documents/input.ts';
import { CastFailed } from '../../../shared/events/cast-failed.ts';
import { queueCast } from '../abilities/ability.ts';
import { setGoal } from '../ai/goal.ts';
import { steer } from '../ai/walk.ts';
import { DT } from '../core/clock.ts';
import { slotOf } from '../core/entities.ts';
import { emit } from '../core/events.ts';
import { add, get, has, read, remove, type World, write } from '../core/world.ts';
import { cancelPath, setPath } from '../navigation/path.ts';
import { attempt } from '../rules/actions/action.ts';
import { parentOf } from '../transform/hierarchy.ts';
import { tuning } from '../tuning/tuning.ts';

type OrderAim = Pick<QueuedInput, 'target' | 'point'>;
type Order = (typeof PLAYER_ORDERS)[number];

/** Effects of an action. */
interface Behaviour {
	pressed?(world: World, player: EntityHandle, aim: OrderAim): void;
	released?(world: World, player: EntityHandle): void;
}

/** Returns the walking speed without effects (m/s): the fighter's own, otherwise the tuned speed of players. */
export function playerSpeed(world: World, slot: number): number {
	return has(world, slot, Combat) ? read(world, Combat, 'speed')[slot]! : tuning(world).players.speed;
}

/** Returns the order of a player. */
export const orderOf = (world: World, slot: number): Order => get(world, slot, PlayerOrder)?.order ?? 'none';

/** Sets the order of a player. */
export function setOrder(world: World, { id }: EntityHandle, order: Order): void {
	if (order !== 'none') add(world, id, PlayerOrder, { order });
	else if (has(world, id, PlayerOrder)) remove(world, id, PlayerOrder);
}

/** Removes the goal and the path of a player. */
export function clearGoal(world: World, { id }: EntityHandle): void {
	if (has(world, id, Ai)) remove(world, id, Ai);
	cancelPath(world, id);
}

/** Returns the nearest point within the bounds of players. */
function clampPoint(world: World, [x, y, z]: readonly [number, number, number]): [number, number, number] {
	const { bounds } = tuning(world).players;
	if (bounds == null) return [x, y, z];
	const { min_x, max_x, min_z, max_z } = bounds;
	return [Math.min(max_x, Math.max(min_x, x)), y, Math.min(max_z, Math.max(min_z, z))];
}

/** Returns a velocity (m/s) that does not lead out of the bounds of players. An entity outside may return. */
export function clampVelocity(
	world: World,
	slot: number,
	[vx, vz]: readonly [number, number],
): readonly [number, number] {
	const { bounds } = tuning(world).players;
	if (bounds == null || parentOf(world, slot) !== null) return [vx, vz];
	const position = read(world, LocalTransform, 'position');
	const clampSpeed = (coordinate: number, velocity: number, min: number, max: number): number =>
		velocity > 0
			? Math.min(velocity, Math.max(0, (max - coordinate) / DT))
			: Math.max(velocity, Math.min(0, (min - coordinate) / DT));
	return [
		clampSpeed(position[slot * 3]!, vx, bounds.min_x, bounds.max_x),
		clampSpeed(position[slot * 3 + 2]!, vz, bounds.min_z, bounds.max_z),
	];
}

/** Makes a player walk to a point. */
function goTo(world: World, player: EntityHandle, point: readonly [number, number, number]): void {
	const [x, y, z] = clampPoint(world, point);
	const speed = playerSpeed(world, player.id);
	clearGoal(world, player);
	// An entity that cannot use a path walks straight.
	const goal = { goal: [x, y, z], speed, partial: true } as const;
	if (tuning(world).players.paths && attempt(() => setPath(world, player, goal)) === null) return;
	setGoal(world, player, { behavior: 'patrol', waypoints: [[x, y, z]], next: 0, speed });
}

/** Returns the aim, without a target that is gone. */
const aimOf = (world: World, { target, point }: OrderAim): OrderAim =>
	target !== null && slotOf(world, target) < 0 ? { target: null, point } : { target, point };

const castBehaviour = (slot: Slot): Behaviour => ({
	pressed: (world, player, { target, point }) => {
		const refusal = attempt(() => queueCast(world, player, slot, { target, point }));
		if (refusal !== null) emit(world, CastFailed, { entity: player, slot, reason: refusal.code });
	},
});

/** Behaviour of each action. Actions with an empty behaviour only walk, which the system does. */
export const behaviours: Readonly<Record<PlayerAction, Behaviour>> = {
	move_forward: {},
	move_back: {},
	move_left: {},
	move_right: {},
	move_x: {},
	move_z: {},
	attack: {
		pressed: (world, player) => setOrder(world, player, 'attack'),
		released: (world, player) => {
			if (orderOf(world, player.id) === 'attack') setOrder(world, player, 'none');
		},
	},
	attack_move: {
		pressed: (world, player, { point }) => {
			setOrder(world, player, 'attack_move');
			if (point !== null) goTo(world, player, point);
		},
	},
	move_or_attack: {
		pressed: (world, player, aim) => {
			const { target, point } = aimOf(world, aim);
			if (target !== null && target.id !== player.id) {
				setOrder(world, player, 'attack_move');
				if (has(world, player.id, CombatState))
					write(world, CombatState, 'target').set([target.id + 1, target.generation], player.id * 2);
				clearGoal(world, player);
				setGoal(world, player, { behavior: 'chase', target, speed: playerSpeed(world, player.id) });
			} else if (point !== null) {
				setOrder(world, player, 'none');
				goTo(world, player, point);
			}
		},
	},
	stop: {
		pressed: (world, player) => {
			setOrder(world, player, 'none');
			clearGoal(world, player);
			if (has(world, player.id, Velocity)) steer(world, player.id, 0, 0);
		},
	},
	ability_q: castBehaviour('Q'),
	ability_w: castBehaviour('W'),
	ability_e: castBehaviour('E'),
	ability_r: castBehaviour('R'),
};
