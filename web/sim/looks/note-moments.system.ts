/**
 * Notices what the picture will show of this tick, while a world wants it shown.
 * Owns: which events become moments. Never: changes what a digest covers; events stay unread for all others.
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
import { modelNamed } from '../models/model.ts';
import { globalPosition } from '../space/global-position.ts';
import { Feedback, feedback, MomentsShown, momentsShown } from './feedback.ts';

/** A blow from farther than this (m), beyond the edges of its target, was a shot. */
const ARM = 1.6;
/** Fewer events of a kind are looked at than this, the last ones: the newest moments are shown. */
const MAX_EVENTS = MAX_MOMENTS / 2;
/** More moments than a tick can have. */
const MAX_OF_A_TICK = 1024;

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
	if (!feedback(world).enabled) return;
	const before = momentsShown(world);
	const now = world.tick + 1;
	const fresh: Omit<FeedbackMoment, 'number'>[] = [];
	const flights = flightsNow(world, before, now);
	hurt(world, now, landed(before, flights), fresh);
	const about = (kind: MomentKind, type: { kind: string }) => {
		for (const { data } of newEventsOf(world, type.kind).slice(-MAX_EVENTS)) {
			const found = momentOf(world, kind, data.entity as EntityHandle, now);
			if (found !== null) fresh.push(found);
		}
	};
	about('death', Death);
	about('appear', RuleSpawn);
	about('level', LevelUp);
	const waiting = waitingNow(world);
	for (const entity of before.waiting) {
		const slot = slotOf(world, entity);
		if (slot < 0 || has(world, slot, RespawnTimer) || has(world, slot, Dead)) continue;
		const found = momentOf(world, 'appear', entity, now);
		if (found !== null) fresh.push(found);
	}
	const staying = before.moments.filter(({ kind, tick }) => tick + MOMENT_TICKS[kind] > now);
	const isSame =
		fresh.length === 0 &&
		staying.length === before.moments.length &&
		flights.length + before.flights.length + waiting.length + before.waiting.length === 0;
	if (isSame) return;
	const moments = [
		...staying,
		...fresh.map((moment, i): FeedbackMoment => ({ ...moment, number: now * MAX_OF_A_TICK + i })),
	].slice(-MAX_MOMENTS);
	if (moments.length + flights.length + waiting.length === 0) clearResource(world, MomentsShown);
	else setResource(world, MomentsShown, { moments, flights, waiting });
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

/** Middle and largest edge of what is drawn of an entity, as if it were not turned. */
function boxOf(world: World, slot: number): { middle: [number, number, number]; size: number } {
	const [x, y, z] = globalPosition(world, slot);
	const { scale } = get(world, slot, LocalTransform)!;
	const mesh = get(world, slot, Mesh)?.mesh;
	const model = mesh !== undefined && isMeshFile(mesh) ? modelNamed(world, mesh) : null;
	const edges = scale.map((part, axis) =>
		Math.abs(part * (model === null ? 1 : model.high[axis]! - model.low[axis]!)),
	);
	const own = model === null ? 0 : ((model.low[1] + model.high[1]) / 2) * scale[1];
	const up = own + (get(world, slot, Stance)?.offset[1] ?? 0);
	return { middle: [x, y + up, z], size: Math.max(...edges) };
}

/** Adds a moment to `fresh` for each entity hurt since the last tick. */
function hurt(
	world: World,
	tick: number,
	landed: readonly (EntityHandle | null)[],
	fresh: Omit<FeedbackMoment, 'number'>[],
): void {
	const dying = new Set(newEventsOf(world, Death.kind).map(({ data }) => (data.entity as EntityHandle).id));
	for (const { data } of newEventsOf(world, DamageDealt.kind).slice(-MAX_EVENTS)) {
		const { target, amount, source, category } = data as {
			target: EntityHandle;
			amount: number;
			source: EntityHandle | null;
			category?: 'physical' | 'magical' | 'pure';
		};
		const slot = slotOf(world, target);
		if (slot < 0 || !has(world, slot, Health)) continue;
		// An entity that died of it died on this tick; the dead cannot be hurt.
		if (has(world, slot, Dead) && !dying.has(slot)) continue;
		const damage = damageTaken(world, slot, amount, source, category ?? 'physical');
		const found = damage > 0 ? momentOf(world, 'hurt', target, tick) : null;
		if (found === null) continue;
		const share = damage / Math.max(get(world, slot, Health)!.max, 1);
		const shooter = source === null || isOf(landed, source) ? null : shooterOf(world, source, found);
		fresh.push({ ...found, amount: damage, share, shooter });
	}
}

/** Returns the source of a shot: the entity that fights the target from afar. */
function shooterOf(
	world: World,
	source: EntityHandle,
	{ entity, place, size }: Omit<FeedbackMoment, 'number'>,
): FeedbackMoment['shooter'] {
	const slot = slotOf(world, source);
	if (slot < 0) return null;
	const { target, override } = get(world, slot, CombatState) ?? { target: null, override: null };
	if (target?.id !== entity.id && override?.id !== entity.id) return null;
	const own = boxOf(world, slot);
	const from = own.middle;
	const way = from.map((part, axis) => part - place[axis]!);
	const far = Math.sqrt(way[0]! * way[0]! + way[2]! * way[2]!);
	if (far < ARM + (size + Math.min(own.size, 1.5)) / 2) return null;
	return { place: from, team: get(world, slot, Team)?.team ?? null };
}

const isEqual = (a: EntityHandle, b: EntityHandle) => a.id === b.id && a.generation === b.generation;
const isOf = (owners: readonly (EntityHandle | null)[], entity: EntityHandle) =>
	owners.some((owner) => owner !== null && isEqual(owner, entity));

/** Returns the projectiles that fly at the end of this tick, each with since when. */
function flightsNow(world: World, { flights }: Moments, tick: number): Moments['flights'] {
	if (count(world, Projectile) === 0) return [];
	const flightOf = new Map(flights.map((flight) => [flight.entity.id, flight]));
	const found: Moments['flights'][number][] = [];
	each(world, [Projectile, LocalTransform], (slot) => {
		const entity = handleOf(world, slot);
		const before = flightOf.get(slot);
		if (before !== undefined && isEqual(before.entity, entity)) found.push(before);
		else if (found.length < MAX_MOMENTS)
			found.push({ entity, owner: get(world, slot, Projectile)!.owner, since: tick });
	});
	return found;
}

/** Owners of the projectiles that fly no more. */
function landed({ flights }: Moments, now: Moments['flights']): (EntityHandle | null)[] {
	const flying = new Set(now);
	return flights.filter((flight) => !flying.has(flight)).map(({ owner }) => owner);
}

function waitingNow(world: World): EntityHandle[] {
	const found: EntityHandle[] = [];
	if (count(world, RespawnTimer) === 0) return found;
	each(world, [RespawnTimer], (slot) => {
		if (found.length < MAX_MOMENTS) found.push(handleOf(world, slot));
	});
	return found;
}
