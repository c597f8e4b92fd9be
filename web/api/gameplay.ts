/** Handlers of the tag Gameplay. */

import * as routes from '../../shared/routes/gameplay.ts';
import { heal, queueDamage } from '../sim/combat/damage.ts';
import { entityAt } from '../sim/core/entities.ts';
import { shortestFloat32 } from '../sim/core/float32.ts';
import { changeTags } from '../sim/spawn/spawn-entity.ts';
import { handler } from './handler.ts';
import { requireNamedEntity } from './named-entity.ts';

export const handlers = [
	handler(routes.damage, ({ world }, { body }) => {
		const target = requireNamedEntity(world, body);
		const source = body.source == null ? null : entityAt(world, body.source);
		queueDamage(world, target, body.amount, source, body.category);
		return {
			message: `Entity ${target.id} takes ${body.amount} HP of ${body.category} damage on the next tick.`,
		};
	}),

	handler(routes.heal, ({ world }, { body }) => {
		const target = requireNamedEntity(world, body);
		const health = shortestFloat32(heal(world, target, body.amount));
		return { message: `Entity ${target.id} has ${health} HP.`, health };
	}),

	handler(routes.tag, ({ world }, { body }) => {
		const { id } = requireNamedEntity(world, body);
		const tags = changeTags(world, id, body.add, body.remove);
		return { message: `Entity ${id} has ${tags.length} tags.`, tags };
	}),
];
