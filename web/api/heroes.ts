/** Handlers of heroes and abilities. */

import { Gold } from '../../shared/components/gold.ts';
import { Hero } from '../../shared/components/hero.ts';
import { Level } from '../../shared/components/level.ts';
import { LocalTransform } from '../../shared/components/local-transform.ts';
import { Mana } from '../../shared/components/mana.ts';
import { Fault } from '../../shared/contract/errors.ts';
import * as routes from '../../shared/routes/heroes.ts';
import * as ability from '../sim/abilities/ability.ts';
import { toTicks } from '../sim/core/clock.ts';
import { entityAt } from '../sim/core/entities.ts';
import { shortest } from '../sim/core/float32.ts';
import { add, get, has } from '../sim/core/world.ts';
import { xpToNext } from '../sim/growth/experience.ts';
import * as heroes from '../sim/heroes/hero.ts';
import { handler } from './handler.ts';

const show = (hero: heroes.HeroDefinition) => ({
	...hero,
	base_stats: { ...hero.base_stats },
	stat_growth: { ...hero.stat_growth },
	abilities: hero.abilities.map((one) => ({ ...one })),
});

export const handlers = [
	handler(routes.defineHero, ({ world }, { body }) => {
		const replaced = heroes.defineHero(world, body);
		return { message: `${body.name} is ${replaced ? 'defined anew' : 'defined'}.`, replaced };
	}),

	handler(routes.selectHero, ({ world }, { body }) => {
		const entity = entityAt(world, body.entity_id, body.generation);
		const { name } = heroes.selectHero(world, entity, body.hero_name);
		return { message: `Entity ${entity.id} is ${name}.` };
	}),

	handler(routes.listHeroes, ({ world }) => {
		const list = heroes.heroDefinitions(world).map(show);
		return { heroes: list, count: list.length };
	}),

	handler(routes.getHero, ({ world }, { params }) => show(heroes.requireHero(world, params.name))),

	handler(routes.removeHero, ({ world }, { params }) => {
		heroes.removeHero(world, params.name);
		return { message: `${params.name} is forgotten.` };
	}),

	handler(routes.useAbility, ({ world }, { body }) => {
		const caster = entityAt(world, body.entity_id, body.generation);
		const target = body.target == null ? null : entityAt(world, body.target);
		if (target !== null && !has(world, target.id, LocalTransform))
			throw new Fault('bad_aim', `Entity ${target.id} has no place in the world.`);
		if (target !== null && body.point != null)
			throw new Fault('bad_aim', 'It is aimed at an entity and at a place.', {
				fix: 'Send "target" or "point", not both.',
			});
		const { name, cooldown } = ability.queueCast(world, caster, body.slot, {
			target,
			point: body.point ?? null,
		});
		return {
			message: `Entity ${caster.id} casts ${name} on the next tick.`,
			ready_at: world.tick + toTicks(cooldown),
		};
	}),

	handler(routes.listAbilities, ({ world }, { params }) => {
		const { id } = entityAt(world, params.id);
		const mana = get(world, id, Mana);
		const level = get(world, id, Level);
		return {
			entity_id: id,
			abilities: ability.abilitiesOf(world, id).map((one) => ({
				slot: one.slot,
				name: one.name,
				cooldown: one.cooldown,
				cooldown_remaining: ability.cooldownLeft(world, one),
				mana_cost: one.mana_cost,
				ready: ability.whyNot(world, id, one) === null,
				ready_at: one.ready_at,
				effect: one.effect,
			})),
			mana:
				mana === undefined
					? null
					: { current: shortest(mana.current), max: shortest(mana.max), regen: shortest(mana.regen) },
			gold: get(world, id, Gold)?.amount ?? null,
			level:
				level === undefined ? null : { level: level.level, xp: level.xp, xp_to_next: xpToNext(level.level) },
			hero: get(world, id, Hero)?.name ?? null,
		};
	}),

	handler(routes.setAbilities, ({ world }, { body }) => {
		const { id } = entityAt(world, body.entity_id, body.generation);
		const { mana, mana_regen } = body;
		if (mana != null) add(world, id, Mana, { current: mana, max: mana });
		if (mana_regen != null) add(world, id, Mana, { regen: mana_regen });
		const slots = ability.setAbilities(world, id, body.abilities).map(({ slot }) => slot);
		return { message: `Entity ${id} has abilities in ${slots.join(', ')}.`, slots };
	}),

	handler(routes.removeAbility, ({ world }, { body }) => {
		const { id } = entityAt(world, body.entity_id, body.generation);
		const removed = ability.removeAbilities(world, id, body.slot ?? null).length;
		return { message: `Entity ${id} lost ${removed} abilities.`, removed };
	}),
];
