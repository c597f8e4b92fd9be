/**
 * System that records the moments of a tick for the picture, while combat effects are enabled.
 * Owns: the choice of the events that become moments. Never: changes digested state, or marks events as read.
 */

import { Color } from '../../../shared/components/color.ts';
import { CombatState } from '../../../shared/components/combat-state.ts';
import { Dead } from '../../../shared/components/dead.ts';
import { Health } from '../../../shared/components/health.ts';
import { LocalTransform } from '../../../shared/components/local-transform.ts';
import { isMeshFile, Mesh } from '../../../shared/components/mesh.ts';
import { Projectile } from '../../../shared/components/projectile.ts';
import { RespawnTimer } from '../../../shared/components/respawn-timer.ts';
import { Stance } from '../../../shared/components/stance.ts';
import { Team } from '../../../shared/components/team.ts';
import type { EntityHandle } from '../../../shared/contract/component.ts';
import {
	type FeedbackMoment,
	MAX_MOMENTS,
	MOMENT_TICKS,
	type MomentKind,
	type Moments,
} from '../../../shared/documents/feedback.ts';
import { DamageDealt } from '../../../shared/events/damage.ts';
import { Death } from '../../../shared/events/death.ts';
import { LevelUp } from '../../../shared/events/level-up.ts';
import { RuleSpawn } from '../../../shared/events/rule-spawn.ts';
import { PLACE_READ } from '../../../shared/verbs/access.ts';
import { damageTaken } from '../combat/damage.ts';
import { handleOf, slotOf } from '../core/entities.ts';
import { newEventsOf } from '../core/events.ts';
import { clearResource, setResource } from '../core/resource.ts';
import type { System } from '../core/system.ts';
import { count, each, get, has, type World } from '../core/world.ts';
import { findModel } from '../models/model.ts';
import { globalPosition } from '../space/global-position.ts';
import { Feedback, feedbackOf, ShownMoments, shownMomentsOf } from './feedback.ts';

/** A blow from at least this distance between the edges of both entities was a shot (m). */
const MIN_SHOT_DISTANCE = 1.6;
/** Maximum number of events of a kind that become moments. The last ones are used, because the newest are shown. */
const MAX_EVENTS_OF_KIND = MAX_MOMENTS / 2;
/** Number of moments by which each tick advances their numbering. It is more than a tick can have. */
const NUMBERS_PER_TICK = 1024;

export const noteMoments: System = {
	name: 'note-moments',
	awaits: [Feedback],
	access: {
		reads: [
			'feedback',
			'moments',
			'mesh',
			'stance',
			'color',
			'dead',
			'team',
			'health',
			'combat_state',
			'projectile',
			'respawn_timer',
			'backdoor',
			'building',
			'defense',
			'modifiers',
			'tuning',
			'local_transform',
			...PLACE_READ,
		],
		writes: ['moments'],
	},
	run,
};

function run(world: World): void {
	if (!feedbackOf(world).enabled) return;
	const shownMoments = shownMomentsOf(world);
	const nextTick = world.tick + 1;
	const newMoments: Omit<FeedbackMoment, 'number'>[] = [];
	const flights = updateFlights(world, shownMoments, nextTick);
	addHurtMoments(world, nextTick, landedOwners(shownMoments, flights), newMoments);
	const addMoments = (kind: MomentKind, type: { kind: string }) => {
		for (const { data } of newEventsOf(world, type.kind).slice(-MAX_EVENTS_OF_KIND)) {
			const moment = momentOf(world, kind, data.entity as EntityHandle, nextTick);
			if (moment !== null) newMoments.push(moment);
		}
	};
	addMoments('death', Death);
	addMoments('appear', RuleSpawn);
	addMoments('level', LevelUp);
	const waiting = waitingEntities(world);
	for (const entity of shownMoments.waiting) {
		const slot = slotOf(world, entity);
		if (slot < 0 || has(world, slot, RespawnTimer) || has(world, slot, Dead)) continue;
		const moment = momentOf(world, 'appear', entity, nextTick);
		if (moment !== null) newMoments.push(moment);
	}
	const remaining = shownMoments.moments.filter(({ kind, tick }) => tick + MOMENT_TICKS[kind] > nextTick);
	const isUnchanged =
		newMoments.length === 0 &&
		remaining.length === shownMoments.moments.length &&
		flights.length + shownMoments.flights.length + waiting.length + shownMoments.waiting.length === 0;
	if (isUnchanged) return;
	const moments = [
		...remaining,
		...newMoments.map(
			(moment, i): FeedbackMoment => ({ ...moment, number: nextTick * NUMBERS_PER_TICK + i }),
		),
	].slice(-MAX_MOMENTS);
	if (moments.length + flights.length + waiting.length === 0) clearResource(world, ShownMoments);
	else setResource(world, ShownMoments, { moments, flights, waiting });
}

/** Returns the moment of an entity; null for one without a position. */
function momentOf(
	world: World,
	kind: MomentKind,
	entity: EntityHandle,
	tick: number,
): Omit<FeedbackMoment, 'number'> | null {
	const slot = slotOf(world, entity);
	if (slot < 0 || !has(world, slot, LocalTransform)) return null;
	const { middle, size } = boxOf(world, slot);
	return {
		kind,
		tick,
		entity,
		place: middle,
		size,
		team: get(world, slot, Team)?.team ?? null,
		color: get(world, slot, Color)?.color ?? null,
		amount: 0,
		share: 0,
		shooter: null,
	};
}

/** Returns the middle and the largest edge (m) of a drawn entity, as if it were not turned. */
function boxOf(world: World, slot: number): { middle: [number, number, number]; size: number } {
	const [x, y, z] = globalPosition(world, slot);
	const { scale } = get(world, slot, LocalTransform)!;
	const mesh = get(world, slot, Mesh)?.mesh;
	const model = mesh !== undefined && isMeshFile(mesh) ? findModel(world, mesh) : null;
	const edges = scale.map((part, axis) =>
		Math.abs(part * (model === null ? 1 : model.high[axis]! - model.low[axis]!)),
	);
	const middleHeight = model === null ? 0 : ((model.low[1] + model.high[1]) / 2) * scale[1];
	const up = middleHeight + (get(world, slot, Stance)?.offset[1] ?? 0);
	return { middle: [x, y + up, z], size: Math.max(...edges) };
}

/** Adds a moment to `newMoments` for each entity that was hurt on this tick. `owners`: owners of landed projectiles. */
function addHurtMoments(
	world: World,
	tick: number,
	owners: readonly (EntityHandle | null)[],
	newMoments: Omit<FeedbackMoment, 'number'>[],
): void {
	const dying = new Set(newEventsOf(world, Death.kind).map(({ data }) => (data.entity as EntityHandle).id));
	for (const { data } of newEventsOf(world, DamageDealt.kind).slice(-MAX_EVENTS_OF_KIND)) {
		const { target, amount, source, category } = data as {
			target: EntityHandle;
			amount: number;
			source: EntityHandle | null;
			category?: 'physical' | 'magical' | 'pure';
		};
		const slot = slotOf(world, target);
		if (slot < 0 || !has(world, slot, Health)) continue;
		// An entity that the damage killed died on this tick. Entities that were dead before cannot be hurt.
		if (has(world, slot, Dead) && !dying.has(slot)) continue;
		const damage = damageTaken(world, slot, amount, source, category ?? 'physical');
		const moment = damage > 0 ? momentOf(world, 'hurt', target, tick) : null;
		if (moment === null) continue;
		const share = damage / Math.max(get(world, slot, Health)!.max, 1);
		const shooter = source === null || hasEntity(owners, source) ? null : shooterOf(world, source, moment);
		newMoments.push({ ...moment, amount: damage, share, shooter });
	}
}

/** Returns the position and team of a shooter: the source of damage that fights the target from afar; otherwise null. */
function shooterOf(
	world: World,
	source: EntityHandle,
	{ entity, place, size }: Omit<FeedbackMoment, 'number'>,
): FeedbackMoment['shooter'] {
	const slot = slotOf(world, source);
	if (slot < 0) return null;
	const { target, override } = get(world, slot, CombatState) ?? { target: null, override: null };
	if (target?.id !== entity.id && override?.id !== entity.id) return null;
	const sourceBox = boxOf(world, slot);
	const sourceMiddle = sourceBox.middle;
	const offset = sourceMiddle.map((part, axis) => part - place[axis]!);
	const distance = Math.sqrt(offset[0]! * offset[0]! + offset[2]! * offset[2]!);
	if (distance < MIN_SHOT_DISTANCE + (size + Math.min(sourceBox.size, 1.5)) / 2) return null;
	return { place: sourceMiddle, team: get(world, slot, Team)?.team ?? null };
}

const isEqual = (a: EntityHandle, b: EntityHandle) => a.id === b.id && a.generation === b.generation;
const hasEntity = (owners: readonly (EntityHandle | null)[], entity: EntityHandle) =>
	owners.some((owner) => owner !== null && isEqual(owner, entity));

/** Returns the projectiles that fly at the end of this tick, each with the first tick of its flight. */
function updateFlights(world: World, { flights }: Moments, tick: number): Moments['flights'] {
	if (count(world, Projectile) === 0) return [];
	const flightOf = new Map(flights.map((flight) => [flight.entity.id, flight]));
	const current: Moments['flights'][number][] = [];
	each(world, [Projectile, LocalTransform], (slot) => {
		const entity = handleOf(world, slot);
		const flight = flightOf.get(slot);
		if (flight !== undefined && isEqual(flight.entity, entity)) current.push(flight);
		else if (current.length < MAX_MOMENTS)
			current.push({ entity, owner: get(world, slot, Projectile)!.owner, since: tick });
	});
	return current;
}

/** Returns the owners of the projectiles that no longer fly. */
function landedOwners({ flights }: Moments, current: Moments['flights']): (EntityHandle | null)[] {
	const flying = new Set(current);
	return flights.filter((flight) => !flying.has(flight)).map(({ owner }) => owner);
}

/** Returns the entities that wait to respawn. */
function waitingEntities(world: World): EntityHandle[] {
	const entities: EntityHandle[] = [];
	if (count(world, RespawnTimer) === 0) return entities;
	each(world, [RespawnTimer], (slot) => {
		if (entities.length < MAX_MOMENTS) entities.push(handleOf(world, slot));
	});
	return entities;
}
