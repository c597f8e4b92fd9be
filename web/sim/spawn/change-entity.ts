/**
 * Changing the components of an entity that lives: the body of POST /entities/{id}/components.
 * Owns: what of a component changes when a document says part of it.
 */

import type * as z from 'zod';
import { Collider } from '../../../shared/components/collider.ts';
import { Combat, fighting } from '../../../shared/components/combat.ts';
import { components } from '../../../shared/components/index.ts';
import { LocalTransform, unit } from '../../../shared/components/local-transform.ts';
import { PhysicsBody } from '../../../shared/components/physics-body.ts';
import { columnsOf } from '../../../shared/contract/collider-shapes.ts';
import {
	type Brought,
	type Component,
	type EntityHandle,
	readoutKey,
} from '../../../shared/contract/component.ts';
import type { SpawnDocument } from '../../../shared/documents/spawn.ts';
import type { patchComponents } from '../../../shared/routes/world.ts';
import { liveWithHealth } from '../combat/damage.ts';
import { canonicalJson } from '../core/canonical-json.ts';
import { entityAt } from '../core/entities.ts';
import { add, get, has, remove, type World } from '../core/world.ts';
import { materialWarnings, requireSurface } from '../looks/materials.ts';
import { beginEmitter, requireParticles } from '../looks/particles.ts';
import { keepCount, knownCrowd, requireRoom } from '../physics/crowding.ts';
import { requireCollider } from '../physics/geometry.ts';
import { requireSound, startSound } from '../sound/sounds.ts';
import { forgetBonus, resolveStats } from '../stats/resolve-stats.ts';
import { setParent } from '../transform/hierarchy.ts';
import { giveBelongings, requireBelongings } from './belongings.ts';
import { describeEntity, shortRows } from './describe-entity.ts';
import { lootWarnings } from './loot-warnings.ts';
import { bring, fighterWarnings, furnishBuilding, idleFields, spawnable } from './spawn-entity.ts';

type Change = z.output<NonNullable<typeof patchComponents.body>>;

/** Applies a change, or throws before anything has changed; what was replaced or did nothing is answered. */
export function changeEntity(world: World, entity: EntityHandle, change: Change): string[] {
	const { id } = entity;
	const { transform, remove: taken, agent_id: _, generation: __, entity_generation: ___, ...said } = change;
	const document = given({ ...said, ...given(transform ?? {}) }) as SpawnDocument;
	const parent = document.parent == null ? null : entityAt(world, document.parent);
	requireColliderAfter(world, id, document, taken ?? []);
	requireRoomAfter(world, id, document);
	requireSurface(world, document);
	requireSound(world, document);
	requireParticles(world, document, id);
	requireBelongings(world, document);
	const crowd = knownCrowd(world);
	if (parent !== null) setParent(world, entity, parent);
	const before = knownOf(world, id);
	const after = { ...before, ...document };
	const warnings: string[] = [];
	const brought: Brought[] = [];
	for (const component of spawnable) {
		const { fields, also = [], row, brings } = component.spawn!;
		const own = Object.keys(fields).filter((key) => key in document);
		if (own.length === 0 && !also.some((key) => key in document)) continue;
		const values = row(after, warnings);
		if (own.length === 0 && values !== null && has(world, id, component)) continue;
		if (values === null) {
			remove(world, id, component);
			continue;
		}
		const gives = own.includes(Object.keys(fields)[0]!) || !has(world, id, component);
		add(world, id, component, driven(world, id, component, values, { before, own }));
		if (gives) brought.push(...(brings?.(values) ?? []));
	}
	warnings.push(...idleFields(world, { ...document, combat: after.combat }));
	if (document.combat === true)
		warnings.push(...fighterWarnings(world, id).map((warning) => `combat: the entity ${warning}`));
	warnings.push(...materialWarnings(world, document), ...lootWarnings(world, document));
	warnings.push(...bring(world, id, brought));
	if (document.sound != null && document.sound.playing !== false) startSound(world, id);
	if (document.particles != null) beginEmitter(world, entity, document.particles.start !== false);
	if (document.building_type != null) furnishBuilding(world, id, after);
	giveBelongings(world, entity, document, warnings);
	if (document.health != null || document.mana != null) {
		if (document.health != null) forgetBonus(world, id, 'health');
		if (document.mana != null) forgetBonus(world, id, 'mana');
		resolveStats(world, id);
		if (document.health != null) liveWithHealth(world, id);
	}
	for (const key of taken ?? []) {
		const component = components.find((known) => (readoutKey(known) ?? known.name) === key);
		if (component === undefined || !has(world, id, component))
			warnings.push(`the entity had no ${key} to remove`);
		else remove(world, id, component);
	}
	keepCount(world, crowd, id);
	return warnings;
}

/** The document of an entity as it is, its weapon too where that comes with what it is. */
function knownOf(world: World, id: number): SpawnDocument {
	const weapon = shortRows(world, id)(Combat);
	return { ...describeEntity(world, id), ...(weapon === undefined ? {} : fighting(weapon)) };
}

function given(fields: object): Record<string, unknown> {
	return Object.fromEntries(Object.entries(fields).filter(([, value]) => value != null));
}

interface Said {
	/** The document of the entity as it was. */
	readonly before: SpawnDocument;
	/** Fields of the component that the change speaks of. */
	readonly own: readonly string[];
}

/** Of the values of a component, those that follow from what was said; the others keep what they have to the bit. */
function driven(
	world: World,
	id: number,
	component: Component,
	values: Readonly<Record<string, unknown>>,
	{ before, own }: Said,
): Readonly<Record<string, unknown>> {
	if (!has(world, id, component)) return values;
	const { row } = component.spawn!;
	const others = Object.fromEntries(Object.entries(before).filter(([key]) => !own.includes(key)));
	const [unsaid, was] = [row(others, []), row(before, [])];
	const same = (name: string) => {
		const value = canonicalJson(values[name]);
		return unsaid !== null && [unsaid, was].every((known) => canonicalJson(known?.[name]) === value);
	};
	return Object.fromEntries(Object.entries(values).filter(([name]) => !same(name)));
}

/** Throws unless the collider that it will have fits the body that it will have. */
function requireColliderAfter(
	world: World,
	id: number,
	{ collider, physics_body }: SpawnDocument,
	taken: readonly string[],
): void {
	if (collider == null && physics_body == null) return;
	const columns = collider == null ? get(world, id, Collider) : columnsOf(collider);
	if (columns === undefined || taken.includes('collider')) return;
	const body = physics_body ?? get(world, id, PhysicsBody)?.kind ?? null;
	requireCollider(world, columns, taken.includes('physics_body') ? null : body);
}

function requireRoomAfter(world: World, id: number, document: SpawnDocument): void {
	const { position, rotation, physics_body, collider } = document;
	const arrives = position != null || rotation != null || physics_body != null || collider != null;
	if (!arrives || (physics_body ?? get(world, id, PhysicsBody)?.kind) !== 'Dynamic') return;
	const own = get(world, id, Collider);
	const columns = collider == null ? own : columnsOf(collider);
	if (columns === undefined) return;
	const pose = get(world, id, LocalTransform);
	const place = {
		position: position ?? pose?.position ?? [0, 0, 0],
		rotation: rotation == null ? (pose?.rotation ?? [0, 0, 0, 1]) : unit(rotation),
	} as const;
	requireRoom(world, { ...place, ...columns }, id);
}
