/**
 * Heroes that entities can play.
 * Owns: the registry of definitions, and the components that an entity gets with a hero.
 */

import * as z from 'zod';
import { Abilities } from '../../../shared/components/abilities.ts';
import { BaseStats, StatGrowth } from '../../../shared/components/base-stats.ts';
import { Combat } from '../../../shared/components/combat.ts';
import { Dead } from '../../../shared/components/dead.ts';
import { GlobalTransform } from '../../../shared/components/global-transform.ts';
import { Gold } from '../../../shared/components/gold.ts';
import { Health } from '../../../shared/components/health.ts';
import { Hero } from '../../../shared/components/hero.ts';
import { Level } from '../../../shared/components/level.ts';
import { LocalTransform } from '../../../shared/components/local-transform.ts';
import { Mana } from '../../../shared/components/mana.ts';
import { Role } from '../../../shared/components/role.ts';
import { Stats } from '../../../shared/components/stats.ts';
import type { EntityHandle } from '../../../shared/contract/component.ts';
import { ApiError } from '../../../shared/contract/errors.ts';
import { suggestion } from '../../../shared/contract/nearest.ts';
import { type HeroDocument, heroDocument } from '../../../shared/documents/hero.ts';
import { setAbilities } from '../abilities/ability.ts';
import { keyedBy } from '../core/keyed-by.ts';
import { type Resource, resource, setResource } from '../core/resource.ts';
import { add, has, remove, type World } from '../core/world.ts';
import { ensureMovable } from '../spawn/spawn-entity.ts';
import { resolveStats } from '../stats/resolve-stats.ts';

export type HeroDefinition = Readonly<HeroDocument>;

export const Heroes: Resource<readonly HeroDefinition[]> = {
	name: 'heroes',
	scope: 'state',
	summary: 'Defined heroes, by name',
	schema: z.array(heroDocument),
	entriesOf: (heroes = []) => keyedBy(heroes, ({ name }) => name),
	merge: (present, added) => added.reduce(withHero, present),
	initial: () => [],
};

/** Returns the definitions with `hero`, which replaces any other of its name. */
function withHero(heroes: readonly HeroDefinition[], hero: HeroDefinition): readonly HeroDefinition[] {
	return [...heroes.filter(({ name }) => name !== hero.name), hero].sort((a, b) =>
		a.name < b.name ? -1 : 1,
	);
}

/** Returns all definitions, by name. */
export function heroDefinitions(world: World): readonly HeroDefinition[] {
	return resource(world, Heroes) ?? [];
}

/** Returns a definition by its name, exactly as written. Throws `unknown_hero`. */
export function requireHero(world: World, name: string): HeroDefinition {
	const heroes = heroDefinitions(world);
	const hero = heroes.find((candidate) => candidate.name === name);
	if (hero !== undefined) return hero;
	const fix = suggestion(
		name,
		heroes.map((item) => item.name),
	);
	throw new ApiError('unknown_hero', `There is no hero "${name}".`, { fix });
}

/**
 * Defines a hero, which replaces any other of its name. Returns true if there was one. Entities that already play it do
 * not change.
 */
export function defineHero(world: World, hero: HeroDefinition): boolean {
	const definitions = heroDefinitions(world);
	setResource(world, Heroes, withHero(definitions, hero));
	return definitions.some(({ name }) => name === hero.name);
}

/** Removes the definition of a hero. Entities that play it do not change. Throws `unknown_hero`. */
export function removeHero(world: World, name: string): void {
	const hero = requireHero(world, name);
	setResource(
		world,
		Heroes,
		heroDefinitions(world).filter((other) => other !== hero),
	);
}

/**
 * Makes an entity play a hero: with full health and mana, gold, level 1, and the stats, weapon and abilities of the hero.
 * Adds a position, a body and a velocity if they are missing. Throws `unknown_hero`, `entity_dead`.
 */
export function selectHero(world: World, { id }: EntityHandle, name: string): HeroDefinition {
	const hero = requireHero(world, name);
	if (has(world, id, Dead)) throw new ApiError('entity_dead', `Entity ${id} is dead.`);
	// Resolving the stats applies the bonuses of effects and equipment to the maxima again.
	if (has(world, id, Stats)) remove(world, id, Stats);
	add(world, id, Hero, { name: hero.name });
	add(world, id, Health, { current: hero.health, max: hero.health });
	add(world, id, Mana, {
		current: hero.mana,
		max: hero.mana,
		regen: hero.mana_regen ?? Mana.fields.regen.initial[0]!,
	});
	add(world, id, Gold, { amount: hero.gold });
	add(world, id, Level, { level: 1, xp: 0 });
	add(world, id, BaseStats, { stats: hero.base_stats });
	add(world, id, StatGrowth, { stats: hero.stat_growth });
	add(world, id, Role, { role: 'Hero' });
	remove(world, id, Combat);
	add(world, id, Combat, {
		damage: hero.damage,
		range: hero.range,
		...(hero.cooldown == null ? {} : { cooldown: hero.cooldown }),
		...(hero.speed == null ? {} : { speed: hero.speed }),
		detect_range: Math.max(Combat.fields.detect_range.initial[0]!, hero.range),
	});
	remove(world, id, Abilities);
	if (hero.abilities.length > 0) setAbilities(world, id, hero.abilities);
	if (!has(world, id, LocalTransform)) {
		add(world, id, LocalTransform);
		add(world, id, GlobalTransform);
	}
	ensureMovable(world, id);
	resolveStats(world, id);
	return hero;
}
