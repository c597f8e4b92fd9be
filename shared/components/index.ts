/**
 * List of all components.
 * Owns: their order, which is the order of columns in the digest and of keys in answers.
 */

import type { Component, SpawnShape } from '../contract/component.ts';
import { Abilities } from './abilities.ts';
import { Ai } from './ai.ts';
import { Animation } from './animation.ts';
import { Assertion } from './assertion.ts';
import { AssertionVerdict } from './assertion-verdict.ts';
import { Backdoor } from './backdoor.ts';
import { BaseStats, StatGrowth } from './base-stats.ts';
import { Bounty } from './bounty.ts';
import { Building } from './building.ts';
import { Collider } from './collider.ts';
import { Color } from './color.ts';
import { Combat } from './combat.ts';
import { CombatState } from './combat-state.ts';
import { CorpseTimer } from './corpse-timer.ts';
import { CrowdControl } from './crowd-control.ts';
import { Dead } from './dead.ts';
import { Decal } from './decal.ts';
import { Defense } from './defense.ts';
import { Effects } from './effects.ts';
import { GlobalTransform } from './global-transform.ts';
import { Gold } from './gold.ts';
import { Grounded } from './grounded.ts';
import { Health } from './health.ts';
import { Hero } from './hero.ts';
import { Equipment, Inventory } from './inventory.ts';
import { LastAttacker } from './last-attacker.ts';
import { Level } from './level.ts';
import { Light } from './light.ts';
import { Listener } from './listener.ts';
import { LocalTransform } from './local-transform.ts';
import { Loot } from './loot.ts';
import { Mana } from './mana.ts';
import { March } from './march.ts';
import { Mass } from './mass.ts';
import { Material } from './material.ts';
import { Mesh } from './mesh.ts';
import { Modifiers } from './modifiers.ts';
import { Name } from './name.ts';
import { Owner } from './owner.ts';
import { Parent } from './parent.ts';
import { Particles } from './particles.ts';
import { Path } from './path.ts';
import { PhysicsBody } from './physics-body.ts';
import { Player } from './player.ts';
import { PlayerOrder } from './player-order.ts';
import { Projectile } from './projectile.ts';
import { RespawnTimer } from './respawn-timer.ts';
import { Respawns } from './respawns.ts';
import { Role } from './role.ts';
import { Rule } from './rule.ts';
import { RuleTally } from './rule-tally.ts';
import { Script } from './script.ts';
import { Shot } from './shot.ts';
import { Sound } from './sound.ts';
import { SpawnPoint } from './spawn-point.ts';
import { Spread } from './spread.ts';
import { Stance } from './stance.ts';
import { Stats } from './stats.ts';
import { Tags } from './tags.ts';
import { Team } from './team.ts';
import { Terrain } from './terrain.ts';
import { TriggerZone } from './trigger-zone.ts';
import { Velocity } from './velocity.ts';
import { ViewFilter } from './view-filter.ts';
import { VisibleTo } from './visible-to.ts';
import { Water } from './water.ts';
import { ZoneEffect } from './zone-effect.ts';

const list = [
	Name,
	GlobalTransform,
	LocalTransform,
	Parent,
	Velocity,
	Collider,
	PhysicsBody,
	Health,
	Team,
	Dead,
	LastAttacker,
	Role,
	Mana,
	Gold,
	Level,
	Bounty,
	Combat,
	Shot,
	Modifiers,
	Effects,
	CrowdControl,
	Hero,
	Abilities,
	BaseStats,
	StatGrowth,
	Stats,
	Inventory,
	Equipment,
	Ai,
	March,
	Tags,
	VisibleTo,
	SpawnPoint,
	Player,
	Building,
	Owner,
	Mesh,
	Color,
	Material,
	Light,
	Rule,
	RuleTally,
	CombatState,
	Defense,
	Backdoor,
	RespawnTimer,
	CorpseTimer,
	Loot,
	Projectile,
	Spread,
	TriggerZone,
	ZoneEffect,
	ViewFilter,
	Assertion,
	AssertionVerdict,
	Respawns,
	Terrain,
	Particles,
	Sound,
	Listener,
	Animation,
	Stance,
	PlayerOrder,
	Script,
	Path,
	Grounded,
	Mass,
	Water,
	Decal,
] as const;

export const components: readonly Component[] = list;
list.forEach((component: Component, index) => {
	component.index = index;
});

type ShapeOf<C> = C extends { readonly spawn?: { readonly fields: infer S extends SpawnShape } } ? S : never;
/** Intersection of all members of a union. */
type All<U> = (U extends unknown ? (member: U) => void : never) extends (all: infer I) => void ? I : never;

/** Fields of a spawn document that components declare, by name. */
export const spawnableFields = Object.assign({}, ...components.map(({ spawn }) => spawn?.fields)) as All<
	ShapeOf<(typeof list)[number]>
>;
