/** Handlers of heroes and abilities. */

import { Gold } from '../../shared/components/gold.ts';
import { Hero } from '../../shared/components/hero.ts';
import { Level } from '../../shared/components/level.ts';
import { Mana } from '../../shared/components/mana.ts';
import { Team } from '../../shared/components/team.ts';
import * as routes from '../../shared/routes/heroes.ts';
import * as ability from '../sim/abilities/ability.ts';
import { toTicks } from '../sim/core/clock.ts';
import { entityAt } from '../sim/core/entities.ts';
import { shortestFloat32 } from '../sim/core/float32.ts';
import { add, get, has } from '../sim/core/world.ts';
import { xpToNextLevel } from '../sim/growth/experience.ts';
import * as heroes from '../sim/heroes/hero.ts';
import { misspeltStats } from '../sim/stats/stat.ts';
import { handler } from './handler.ts';
import { requireNamedEntity } from './named-entity.ts';
import { warningsField } from './warnings-field.ts';

const heroView = (hero: heroes.HeroDefinition) => ({
	...hero,
	base_stats: { ...hero.base_stats },
	stat_growth: { ...hero.stat_growth },
	abilities: hero.abilities.map((ability) => ({ ...ability })),
});

export const handlers = [
	handler(routes.defineHero, ({ world }, { body }) => {
		const replaced = heroes.defineHero(world, body);
		const stats = [...Object.keys(body.base_stats), ...Object.keys(body.stat_growth)];
		return {
			message: `${body.name} is ${replaced ? 'redefined' : 'defined'}.`,
			replaced,
			...warningsField(misspeltStats(stats)),
		};
	}),

	handler(routes.selectHero, ({ world }, { body }) => {
		const entity = requireNamedEntity(world, body);
		const { name } = heroes.selectHero(world, entity, body.hero_name);
		const warnings = has(world, entity.id, Team) ? [] : ['without a team it has no enemies'];
		return { message: `Entity ${entity.id} is now the hero ${name}.`, ...warningsField(warnings) };
	}),

	handler(routes.listHeroes, ({ world }) => {
		const list = heroes.heroDefinitions(world).map(heroView);
		return { heroes: list, count: list.length };
	}),

	handler(routes.getHero, ({ world }, { params }) => heroView(heroes.requireHero(world, params.name))),

	handler(routes.removeHero, ({ world }, { params }) => {
		heroes.removeHero(world, params.name);
		return { message: `The definition of ${params.name} was removed.` };
	}),

	handler(routes.useAbility, ({ world }, { body }) => {
		const caster = requireNamedEntity(world, body);
		const target = body.target == null ? null : entityAt(world, body.target);
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
			abilities: ability.abilitiesOf(world, id).map((owned) => ({
				slot: owned.slot,
				name: owned.name,
				cooldown: owned.cooldown,
				cooldown_remaining: ability.secondsUntilReady(world, owned),
				mana_cost: owned.mana_cost,
				ready: ability.findCastRefusal(world, id, owned) === null,
				ready_at: owned.ready_at,
				effect: owned.effect,
			})),
			mana:
				mana === undefined
					? null
					: {
							current: shortestFloat32(mana.current),
							max: shortestFloat32(mana.max),
							regen: shortestFloat32(mana.regen),
						},
			gold: get(world, id, Gold)?.amount ?? null,
			level:
				level === undefined
					? null
					: { level: level.level, xp: level.xp, xp_to_next: xpToNextLevel(world, level.level) },
			hero: get(world, id, Hero)?.name ?? null,
		};
	}),

	handler(routes.setAbilities, ({ world }, { body }) => {
		const { id } = requireNamedEntity(world, body);
		const { mana, mana_regen } = body;
		if (mana != null) add(world, id, Mana, { current: mana, max: mana });
		if (mana_regen != null) add(world, id, Mana, { regen: mana_regen });
		const slots = ability.setAbilities(world, id, body.abilities).map(({ slot }) => slot);
		return { message: `Entity ${id} has abilities in ${slots.join(', ')}.`, slots };
	}),

	handler(routes.removeAbility, ({ world }, { body }) => {
		const { id } = requireNamedEntity(world, body);
		const removed = ability.removeAbilities(world, id, body.slot ?? null).length;
		return { message: `Entity ${id} lost ${removed} abilities.`, removed };
	}),
];
