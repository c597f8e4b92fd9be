/**
 * From a spawn document to an entity.
 * Owns: what each field of the document means, the same in spawn and in levels.
 */

import { Ai } from '../../../shared/components/ai.ts';
import { Backdoor } from '../../../shared/components/backdoor.ts';
import { Bounty } from '../../../shared/components/bounty.ts';
import { Building } from '../../../shared/components/building.ts';
import { Collider, type ColliderDocument } from '../../../shared/components/collider.ts';
import { Color, PALETTE, parseColor } from '../../../shared/components/color.ts';
import { type COMBAT_STYLES, Combat } from '../../../shared/components/combat.ts';
import { Defense } from '../../../shared/components/defense.ts';
import { GlobalTransform } from '../../../shared/components/global-transform.ts';
import { Gold } from '../../../shared/components/gold.ts';
import { Health } from '../../../shared/components/health.ts';
import { Level } from '../../../shared/components/level.ts';
import { LocalTransform } from '../../../shared/components/local-transform.ts';
import { Loot, type LootEntry } from '../../../shared/components/loot.ts';
import { March } from '../../../shared/components/march.ts';
import { Mesh, PRIMITIVES } from '../../../shared/components/mesh.ts';
import { Owner } from '../../../shared/components/owner.ts';
import { PhysicsBody } from '../../../shared/components/physics-body.ts';
import { Player } from '../../../shared/components/player.ts';
import { ROLES, Role } from '../../../shared/components/role.ts';
import { Shot, type ShotDocument } from '../../../shared/components/shot.ts';
import { SpawnPoint } from '../../../shared/components/spawn-point.ts';
import { Tags } from '../../../shared/components/tags.ts';
import { Team } from '../../../shared/components/team.ts';
import { Velocity } from '../../../shared/components/velocity.ts';
import type { Handle, Row } from '../../../shared/contract/component.ts';
import { Fault } from '../../../shared/contract/errors.ts';
import type { SpawnDocument } from '../../../shared/documents/spawn.ts';
import { entityAt } from '../core/entities.ts';
import { add, has, read, spawn, type World } from '../core/world.ts';
import { countBody, requireRoom } from '../physics/crowding.ts';
import { inBounds } from '../space/bounds.ts';
import { setParent } from '../transform/hierarchy.ts';
import { tuning } from '../tuning/tuning.ts';
import { giveBelongings, requireBelongings } from './belongings.ts';

type Direction = readonly [number, number, number];
type Quaternion = readonly [number, number, number, number];

/** The entity made, and what in the document does nothing or was replaced. */
export interface Spawned {
	readonly handle: Handle;
	readonly warnings: readonly string[];
}

/** Creates the entity that a document describes, or gives its components to the entity `bare` that has none. Throws `entity_not_found` for a parent that does not live, `too_crowded`, `world_full`, `unknown_item`, `inventory_full`. */
export function spawnEntity(world: World, document: SpawnDocument, bare?: Handle): Spawned {
	const parent = document.parent == null ? null : entityAt(world, document.parent);
	const place = document.position ?? [0, 0, 0];
	const collides = document.physics_body === 'Dynamic' && document.collider != null;
	if (collides) requireRoom(world, place);
	requireBelongings(world, document);
	const warnings: string[] = [];
	const handle = bare ?? spawn(world);
	const { id } = handle;
	add(world, id, LocalTransform, {
		position: place,
		rotation: unit(document.rotation ?? [0, 0, 0, 1]),
		scale: document.scale ?? [1, 1, 1],
	});
	add(world, id, GlobalTransform);
	if (parent !== null) setParent(world, handle, parent);
	if (document.agent_id != null) add(world, id, Owner, { agent: document.agent_id });
	if (document.mesh != null) setMesh(world, id, document.mesh, warnings);
	if (document.color != null) setColor(world, id, document.color, warnings);
	if (document.velocity != null) add(world, id, Velocity, document.velocity);
	if (document.collider != null) setCollider(world, id, document.collider);
	if (document.physics_body != null) setBody(world, id, document.physics_body);
	if (document.health != null) setHealth(world, id, document.health);
	if (document.team != null) add(world, id, Team, { team: document.team });
	if (document.tags != null) add(world, id, Tags, { tags: sortedTags(document.tags) });
	arm(world, id, document, warnings);
	if (document.ai_patrol != null) {
		if (document.ai_patrol.length === 0) warnings.push('ai_patrol without waypoints stands still');
		const speed = document.combat_speed ?? Combat.fields.speed.initial[0]!;
		add(world, id, Ai, {
			goal: { behavior: 'patrol', waypoints: document.ai_patrol, next: 0, speed },
		});
		ensureMovable(world, id);
	}
	if (document.gold != null) {
		add(world, id, Gold, { amount: document.gold });
		add(world, id, Level);
	}
	if (document.gold_bounty != null || document.xp_bounty != null)
		add(world, id, Bounty, { gold: document.gold_bounty ?? 0, xp: document.xp_bounty ?? 0 });
	if (document.role != null) add(world, id, Role, { role: roleOf(document.role) });
	if (document.spawn_point != null) add(world, id, SpawnPoint, { team: document.spawn_point });
	if (document.player === true) add(world, id, Player);
	build(world, id, document, warnings);
	if (document.armor != null || document.magic_resist != null)
		add(world, id, Defense, { armor: document.armor ?? 0, magic_resist: document.magic_resist ?? 0 });
	if (document.loot != null) add(world, id, Loot, { table: document.loot as readonly LootEntry[] });
	giveBelongings(world, handle, document, warnings);
	if (collides) countBody(world, place);
	return { handle, warnings };
}

/**
 * The same during a tick, where nobody could be told: null, and nothing made, when it is refused. A place that was worked
 * out and is out of bounds ends at the bounds.
 */
export function trySpawn(world: World, document: SpawnDocument): Spawned | null {
	try {
		return spawnEntity(world, { ...document, position: inBounds(document.position ?? [0, 0, 0]) });
	} catch (error) {
		if (error instanceof Fault) return null;
		throw error;
	}
}

/** Gives a fighter its weapon and its way to march. */
function arm(world: World, id: number, document: SpawnDocument, warnings: string[]): void {
	if (document.combat !== true) {
		const armed =
			document.building_type != null && tuning(world).buildings[document.building_type].weapon !== null;
		const idle = (
			[
				'combat_damage',
				'combat_range',
				'combat_cooldown',
				'combat_detect_range',
				'combat_style',
				'combat_projectile',
				'march',
				'crit',
			] as const
		).filter((key) => document[key] != null && !(armed && (key === 'crit' || key === 'combat_projectile')));
		for (const key of idle) warnings.push(`${key} does nothing without combat: true`);
		if (document.combat_speed != null && document.ai_patrol == null)
			warnings.push('combat_speed does nothing without combat: true or ai_patrol');
		return;
	}
	const style = document.combat_style ?? 'melee';
	const range = document.combat_range ?? 1.5;
	add(world, id, Combat, {
		damage: document.combat_damage ?? 10,
		range,
		speed: style === 'stationary' ? 0 : (document.combat_speed ?? 3),
		cooldown: document.combat_cooldown ?? 1,
		detect_range: document.combat_detect_range ?? detectRange(style, range),
		style,
		crit: document.crit ?? null,
	});
	if (document.combat_projectile != null) add(world, id, Shot, shotOf(document.combat_projectile));
	ensureMovable(world, id);
	const direction = document.march == null ? marchOf(document.team) : onGround(document.march);
	if (direction !== null) add(world, id, March, { direction });
}

function shotOf({ spread, ...shot }: ShotDocument): Row<typeof Shot.fields> {
	return { ...shot, spread: spread ?? null };
}

/** How far a fighter notices enemies when it is not said: what cannot walk, only as far as it reaches (m). */
export function detectRange(style: (typeof COMBAT_STYLES)[number], range: number): number {
	return style === 'stationary' ? range : Math.max(Combat.fields.detect_range.initial[0]!, range);
}

/** Which way the fighters of a team march when it is not said; null without a team. */
export function marchOf(team: number | null | undefined): Direction | null {
	return team == null ? null : [team === 1 ? 1 : -1, 0, 0];
}

/** The direction along the ground, of length 1; null for one that goes nowhere. */
function onGround([x, , z]: Direction): Direction | null {
	const length = Math.sqrt(x * x + z * z);
	return length < 1e-6 ? null : [x / length, 0, z / length];
}

/** What walks needs a velocity and a body: Kinematic unless it has one. */
export function ensureMovable(world: World, id: number): void {
	if (!has(world, id, PhysicsBody)) add(world, id, PhysicsBody, { kind: 'Kinematic' });
	if (!has(world, id, Velocity)) add(world, id, Velocity);
}

function build(world: World, id: number, document: SpawnDocument, warnings: string[]): void {
	if (document.building_type == null) {
		if (document.lane != null) warnings.push('lane does nothing without building_type');
		return;
	}
	add(world, id, Building, { building_type: document.building_type, lane: document.lane ?? null });
	const { health, weapon, backdoor } = tuning(world).buildings[document.building_type];
	if (health !== null && document.health == null) setHealth(world, id, health);
	if (backdoor !== null) add(world, id, Backdoor, { restore_to: document.health ?? health ?? 0 });
	if (weapon === null) return;
	add(world, id, Combat, {
		...weapon,
		speed: 0,
		detect_range: weapon.range,
		style: 'stationary',
		crit: document.crit ?? null,
	});
	if (document.combat_projectile != null) add(world, id, Shot, shotOf(document.combat_projectile));
}

export function setMesh(world: World, id: number, mesh: string, warnings: string[]): void {
	const name = mesh.trim();
	const primitive = PRIMITIVES.find((known) => known === name.toLowerCase());
	const file = /[/\\]|\.(glb|gltf)$/i.test(name);
	if (primitive === undefined && !file)
		warnings.push(`mesh "${name}" is unknown and drawn as a placeholder; known: ${PRIMITIVES.join(', ')}`);
	add(world, id, Mesh, { mesh: primitive ?? name });
}

export function setColor(world: World, id: number, color: string, warnings: string[]): void {
	const parsed = parseColor(color);
	if (parsed === null) warnings.push(colorWarning(color));
	add(world, id, Color, { color: parsed ?? 'white' });
}

export function setCollider(world: World, id: number, document: ColliderDocument): void {
	const { shape } = document;
	if (shape === 'Aabb') add(world, id, Collider, { shape, size: [document.hx, document.hy, document.hz] });
	else if (shape === 'Sphere') add(world, id, Collider, { shape, size: [document.radius, 0, 0] });
	else add(world, id, Collider, { shape, size: [document.radius, document.half_height, 0] });
}

/** Sets the kind of body; what can move also gets a velocity. */
export function setBody(world: World, id: number, kind: 'Dynamic' | 'Static' | 'Kinematic'): void {
	add(world, id, PhysicsBody, { kind });
	if (kind !== 'Static' && !has(world, id, Velocity)) add(world, id, Velocity);
}

export function setHealth(world: World, id: number, health: number): void {
	add(world, id, Health, { current: health, max: health });
}

export function roleOf(word: string): (typeof ROLES)[number] {
	return ROLES.find((role) => role.toLowerCase() === word) ?? 'Minion';
}

/** Adds labels to an entity, then takes labels away; what it has then. */
export function changeTags(
	world: World,
	id: number,
	added: readonly string[],
	removed: readonly string[],
): string[] {
	const before = has(world, id, Tags) ? read(world, Tags, 'tags')[id]! : [];
	const tags = sortedTags([...before, ...added]).filter((tag) => !removed.includes(tag));
	add(world, id, Tags, { tags });
	return tags;
}

export function sortedTags(tags: readonly string[]): string[] {
	return [...new Set(tags)].sort();
}

/** The unit quaternion of the same rotation. */
export function unit([x, y, z, w]: Quaternion): Quaternion {
	const length = Math.sqrt(x * x + y * y + z * z + w * w);
	return [x / length, y / length, z / length, w / length];
}

/** What is said of a colour that is none. */
export function colorWarning(color: string): string {
	const known = Object.keys(PALETTE).join(', ');
	return `color "${color}" is unknown and shown as white; known: ${known}, or "r,g,b" with parts from 0 to 1`;
}
