/** Handlers of the tag Gameplay that are about trigger zones, projectiles, movement goals and view filters. */

import { describeGoal, type WalkGoal } from '../../shared/components/ai.ts';
import { LocalTransform } from '../../shared/components/local-transform.ts';
import { NO_TEAM, Projectile } from '../../shared/components/projectile.ts';
import { Spread } from '../../shared/components/spread.ts';
import { ANY_TEAM, TriggerZone } from '../../shared/components/trigger-zone.ts';
import { parseViewRule, ViewFilter, type ViewRule } from '../../shared/components/view-filter.ts';
import { ZoneEffect } from '../../shared/components/zone-effect.ts';
import type { EntityHandle } from '../../shared/contract/component.ts';
import { ApiError } from '../../shared/contract/errors.ts';
import * as routes from '../../shared/routes/fighting.ts';
import { setGoal } from '../sim/ai/goal.ts';
import { spawnProjectile } from '../sim/combat/projectile.ts';
import { entityAt } from '../sim/core/entities.ts';
import { shortestFloat32 } from '../sim/core/float32.ts';
import { add, despawn, each, get, has, remove, type World } from '../sim/core/world.ts';
import { globalPosition } from '../sim/space/global-position.ts';
import { setColor, setMesh } from '../sim/spawn/spawn-entity.ts';
import { changeTrigger, createTrigger, parseTriggerAction, triggerText } from '../sim/triggers/trigger.ts';
import { givenFields } from './given-fields.ts';
import { handler } from './handler.ts';
import { requireNamedEntity } from './named-entity.ts';
import { warningsField } from './warnings-field.ts';

type Triple = [number, number, number];
const shortestVector = (vector: readonly number[]) => vector.map(shortestFloat32) as Triple;
const handleFields = ({ id, generation }: EntityHandle) => ({
	id,
	generation,
	entity_id: id,
	entity_generation: generation,
});

function effectView(world: World, id: number) {
	const effect = get(world, id, ZoneEffect)?.effect;
	return effect === undefined ? null : { ...effect, modifiers: [...effect.modifiers] };
}

function triggerView(world: World, id: number) {
	const { generation } = entityAt(world, id);
	const { half, action, amount, per, category, destination, team, once, spent } = get(
		world,
		id,
		TriggerZone,
	)!;
	return {
		id,
		generation,
		position: shortestVector(globalPosition(world, id)),
		zone: shortestVector(half),
		action: triggerText(action, shortestFloat32(amount), shortestVector(destination)),
		kind: action,
		amount: shortestFloat32(amount),
		per,
		category,
		target: shortestVector(destination),
		effect: effectView(world, id),
		team: team === ANY_TEAM ? null : team,
		once: once !== 0,
		spent: spent !== 0,
	};
}

function projectileView(world: World, id: number) {
	const { generation } = entityAt(world, id);
	const { direction, speed, damage, radius, team, ends_at, ...rest } = get(world, id, Projectile)!;
	const spread = get(world, id, Spread)?.ways ?? null;
	return {
		id,
		generation,
		position: shortestVector(globalPosition(world, id)),
		...rest,
		direction: shortestVector(direction),
		speed: shortestFloat32(speed),
		damage: shortestFloat32(damage),
		radius: shortestFloat32(radius),
		team: team === NO_TEAM ? null : team,
		spread: spread === null || 'cone' in spread ? spread : [...spread],
		ticks_left: Math.max(0, ends_at - world.tick),
	};
}

/** Returns the trigger zone that a rule tests; null if it tests none. */
function zoneOf(rule: ViewRule | null): number | null {
	if (rule?.kind === 'not') return zoneOf(rule.rule);
	return rule?.kind === 'zone' ? rule.zone : null;
}

/** Returns warnings about settings of a trigger zone that have no effect. */
function zoneWarnings({
	zone,
	kind,
	per,
	category,
}: Pick<ReturnType<typeof triggerView>, 'zone' | 'kind' | 'per' | 'category'>): string[] {
	return [
		...(zone.some((extent) => extent <= 0) ? ['an extent of 0 or less contains nothing'] : []),
		...(category !== 'physical' && kind !== 'damage' ? [`category does nothing with ${kind}`] : []),
		...(per !== 'tick' && (kind === 'teleport' || kind === 'effect')
			? [`per does nothing with ${kind}`]
			: []),
	];
}

/** Returns the id of a trigger zone. Throws `no_trigger` for any other entity. */
function requireTrigger(world: World, id: number): number {
	entityAt(world, id);
	if (!has(world, id, TriggerZone)) throw new ApiError('no_trigger', `Entity ${id} is not a trigger zone.`);
	return id;
}

export const handlers = [
	handler(routes.createTrigger, ({ world }, { body }) => {
		const { position, zone, per, category, team, once } = body;
		const action = parseTriggerAction(body.action, body.target ?? null, body.effect ?? null);
		const trigger = createTrigger(world, {
			position,
			half: zone,
			...action,
			per,
			category,
			team: team ?? null,
			once,
		});
		return {
			...handleFields(trigger),
			message: `Trigger zone ${trigger.id} is at [${position.join(', ')}].`,
			...warningsField(zoneWarnings({ zone, kind: action.action, per, category })),
		};
	}),

	handler(routes.listTriggers, ({ world }) => {
		const triggers: ReturnType<typeof triggerView>[] = [];
		each(world, [TriggerZone, LocalTransform], (id) => triggers.push(triggerView(world, id)));
		return { triggers, count: triggers.length };
	}),

	handler(routes.changeTrigger, ({ world }, { params, body }) => {
		const { action, target, effect, zone, ...rest } = givenFields(body);
		const part = target == null ? (effect == null ? null : 'effect') : 'target';
		if (action == null && part !== null)
			throw new ApiError('invalid_body', `"${part}" has no meaning without "action".`, {
				path: part,
				fix: `Send "action" beside "${part}".`,
			});
		const newAction = action == null ? null : parseTriggerAction(action, target ?? null, effect ?? null);
		const id = requireTrigger(world, params.id);
		changeTrigger(world, id, { ...rest, ...(zone == null ? {} : { half: zone }) }, newAction);
		const changed = triggerView(world, id);
		return {
			message: `Trigger zone ${id} was changed.`,
			trigger: changed,
			...warningsField(zoneWarnings(changed)),
		};
	}),

	handler(routes.deleteTrigger, ({ world }, { params }) => {
		const id = requireTrigger(world, params.id);
		despawn(world, id);
		return { deleted: id };
	}),

	handler(routes.createProjectile, ({ world }, { body }) => {
		const { owner: ownerId, mesh, color, ...launch } = body;
		const owner = ownerId == null ? null : entityAt(world, ownerId);
		const entityHandle = spawnProjectile(world, { ...launch, owner });
		const warnings: string[] = [];
		if (get(world, entityHandle.id, Projectile)!.ends_at <= world.tick)
			warnings.push('with this short lifetime it disappears before it moves');
		if (launch.radius === 0) warnings.push('with a radius of 0 it hits nothing');
		if (mesh != null) setMesh(world, entityHandle.id, mesh, warnings);
		if (color != null) setColor(world, entityHandle.id, color, warnings);
		return {
			...handleFields(entityHandle),
			message: `Projectile ${entityHandle.id} flies from the next tick.`,
			...warningsField(warnings),
		};
	}),

	handler(routes.listProjectiles, ({ world }) => {
		const projectiles: ReturnType<typeof projectileView>[] = [];
		each(world, [Projectile, LocalTransform], (id) => projectiles.push(projectileView(world, id)));
		return { projectiles, count: projectiles.length };
	}),

	handler(routes.deleteProjectile, ({ world }, { params }) => {
		const { id } = entityAt(world, params.id);
		if (!has(world, id, Projectile)) throw new ApiError('no_projectile', `Entity ${id} is not a projectile.`);
		despawn(world, id);
		return { deleted: id };
	}),

	handler(routes.setAi, ({ world }, { body }) => {
		const entity = requireNamedEntity(world, body);
		const { behavior, speed, waypoints, next } = body;
		const target = body.target == null ? null : entityAt(world, body.target);
		const goal: WalkGoal =
			behavior === 'idle'
				? { behavior }
				: behavior === 'patrol'
					? { behavior, waypoints, next: next % Math.max(1, waypoints.length), speed }
					: { behavior, target, speed };
		setGoal(world, entity, goal);
		const warnings: string[] = [];
		if (behavior === 'patrol' && waypoints.length === 0)
			warnings.push('without waypoints, the entity does not move');
		if ((behavior === 'chase' || behavior === 'flee') && target === null)
			warnings.push('without a target, the entity does not move');
		if (waypoints.length > 0 && behavior !== 'patrol') warnings.push(`waypoints do nothing with ${behavior}`);
		if (target !== null && (behavior === 'idle' || behavior === 'patrol'))
			warnings.push(`a target does nothing with ${behavior}`);
		if (target?.id === entity.id) warnings.push('the entity is its own target, so it does not move');
		if (target !== null && !has(world, target.id, LocalTransform))
			warnings.push(`entity ${target.id} has no position in the world, so the follower does not move`);
		if (!has(world, entity.id, LocalTransform))
			warnings.push('the entity has no position in the world, so it does not move');
		const ai = describeGoal(goal);
		return { message: `Entity ${entity.id} has the goal ${ai}.`, ai, ...warningsField(warnings) };
	}),

	handler(routes.setViewFilter, ({ world }, { body }) => {
		const rules = body.rules.map((rule) => rule.trim());
		rules.forEach((rule, i) => {
			if (parseViewRule(rule) === null)
				throw new ApiError('invalid_view_rule', `rules[${i}] is not a rule: "${rule}".`, {
					path: `rules[${i}]`,
				});
		});
		const { id } = requireNamedEntity(world, body);
		if (body.clear || rules.length === 0) {
			const wasRemoved = remove(world, id, ViewFilter);
			return {
				message: `Entity ${id} ${wasRemoved ? 'is no longer an observer' : 'was not an observer'}.`,
				rules: [],
			};
		}
		add(world, id, ViewFilter, { rules });
		const missing = rules
			.map((rule) => zoneOf(parseViewRule(rule)))
			.filter((zone) => zone !== null && !has(world, zone, TriggerZone));
		return {
			message: `Entity ${id} is an observer with ${rules.length} rules from the next tick.`,
			rules,
			...warningsField(
				missing.map((zone) => `there is no trigger zone ${zone}, so the rule matches nothing`),
			),
		};
	}),
];
