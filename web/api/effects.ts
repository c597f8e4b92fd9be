/** Handlers of the routes with the tag "Status effects". */

import { ApiError } from '../../shared/contract/errors.ts';
import * as routes from '../../shared/routes/effects.ts';
import { TICKS_PER_SECOND } from '../sim/core/clock.ts';
import { entityAt } from '../sim/core/entities.ts';
import { crowdControlsOf, dispelCrowdControl } from '../sim/crowd-control/crowd-control.ts';
import { applyEffect, effectsOf, remainingSeconds, removeEffects } from '../sim/effects/effect.ts';
import { misspeltStats, statsWithoutComponent } from '../sim/stats/stat.ts';
import { handler } from './handler.ts';
import { requireNamedEntity } from './named-entity.ts';
import { warningsField } from './warnings-field.ts';

export const handlers = [
	handler(routes.applyEffect, ({ world }, { body }) => {
		const { entity_id, generation, source, ...effect } = body;
		const entity = entityAt(world, entity_id, generation);
		const from = source == null ? null : entityAt(world, source);
		const effect_id = applyEffect(world, entity, effect, from);
		if (effect_id === null)
			throw new ApiError(
				'stack_full',
				`Entity ${entity.id} already has all the effects "${effect.tag}" that the stack policy ${effect.stack_policy} allows.`,
			);
		const stats = effect.modifiers.map((modifier) => modifier.split(':', 1)[0]!);
		const warnings = [
			...misspeltStats(stats),
			...statsWithoutComponent(world, entity.id, stats).map(
				({ stat, missing }) => `"${stat}" does nothing on entity ${entity.id}: it has no ${missing}`,
			),
		];
		return {
			message: `Applied the effect "${effect.tag}" to entity ${entity.id}.`,
			effect_id,
			...warningsField(warnings),
		};
	}),

	handler(routes.listEffects, ({ world }, { params }) => {
		const { id } = entityAt(world, params.id);
		const effects = effectsOf(world, id).map((effect) => ({
			id: effect.id,
			tag: effect.tag,
			remaining: remainingSeconds(world, effect),
			duration: effect.until === null ? null : (effect.until - effect.from) / TICKS_PER_SECOND,
			modifiers: [...effect.modifiers],
			tick_effect: effect.tick_effect,
			source: effect.source?.id ?? null,
			stack_policy: effect.stack_policy,
		}));
		const crowd_control = crowdControlsOf(world, id).map(({ kind, until, dispel }) => ({
			kind,
			remaining: (until - world.tick) / TICKS_PER_SECOND,
			dispel,
		}));
		return { entity_id: id, effects, count: effects.length, crowd_control };
	}),

	handler(routes.cleanse, ({ world }, { body }) => {
		const { id } = requireNamedEntity(world, body);
		const cleansed = removeEffects(world, id, ({ tag }) => body.all === true || tag.includes(body.filter));
		const freed = body.dispel == null ? 0 : dispelCrowdControl(world, id, body.dispel);
		const removed = cleansed.length + freed;
		return {
			message: `Removed ${removed} effects from entity ${id}.`,
			removed,
			tags: cleansed.map(({ tag }) => tag),
		};
	}),

	handler(routes.removeEffect, ({ world }, { params }) => {
		const { id } = entityAt(world, params.id);
		const [effect] = removeEffects(world, id, ({ id: effectId }) => effectId === params.effect_id);
		if (effect === undefined)
			throw new ApiError('unknown_effect', `There is no effect ${params.effect_id} on entity ${id}.`);
		return { message: `Removed "${effect.tag}" from entity ${id}.` };
	}),
];
