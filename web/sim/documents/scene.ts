/**
 * Scenes: the read-outs of all entities of a world.
 * Owns: the fields of a read-out that are restored without an exact part.
 */

import * as z from 'zod';
import { colliderDocument } from '../../../shared/components/collider.ts';
import { colorText } from '../../../shared/components/color.ts';
import { Dead } from '../../../shared/components/dead.ts';
import { Health } from '../../../shared/components/health.ts';
import { meshText } from '../../../shared/components/mesh.ts';
import { entityName } from '../../../shared/components/name.ts';
import { BODY_KINDS } from '../../../shared/components/physics-body.ts';
import { ROLE_WORDS } from '../../../shared/components/role.ts';
import { tagList } from '../../../shared/components/tags.ts';
import { teamNumber } from '../../../shared/components/team.ts';
import { velocityDocument } from '../../../shared/components/velocity.ts';
import { number, optional, position, quaternion, scale, word } from '../../../shared/contract/values.ts';
import type { SpawnDocument } from '../../../shared/documents/spawn.ts';
import { requireAllValid } from '../aspects/index.ts';
import { withSortedKeys } from '../core/canonical-json.ts';
import { eachEntity } from '../core/entities.ts';
import { finishWork, type SlicedWork } from '../core/sliced-work.ts';
import { add, despawn, type World } from '../core/world.ts';
import { type EntityView, entityReader } from '../observe/read-out.ts';
import { spawnEntity } from '../spawn/spawn-entity.ts';
import { atPath } from './at-path.ts';

const healthPoints = number('Health', { unit: 'HP', min: 0 });
/** Infinite health. JSON has no infinity, so it is written as [null, null]. */
const infiniteHealth = z.tuple([z.null(), z.null()]).transform(() => null);

/** Fields taken from a read-out; others are ignored. */
const savedEntity = z.looseObject({
	transform: optional(
		z.looseObject({
			position: optional(position),
			rotation: optional(quaternion('Rotation')),
			scale: optional(scale),
		}),
	),
	velocity: optional(velocityDocument),
	collider: optional(colliderDocument),
	physics_body: optional(word(BODY_KINDS, 'Kind of body')),
	health: optional(z.union([infiniteHealth, z.tuple([healthPoints, healthPoints])])),
	team: optional(teamNumber),
	dead: optional(z.boolean()),
	role: optional(word(ROLE_WORDS, 'Role')),
	tags: optional(tagList),
	name: optional(entityName),
	mesh: optional(meshText),
	color: optional(colorText),
});

/** Components that a bare host restores. */
const BARE_FIELDS = ['transform', 'physics_body', 'health', 'team'];
/** Keys of an entity's position and identity; both are assigned again. */
const IDENTITY_KEYS = new Set(['id', 'generation', 'local_transform']);

export const sceneDocument = z
	.looseObject({
		version: optional(z.int()),
		tick: optional(z.int()),
		entities: z.array(savedEntity).max(1_000_000),
		exact: optional(z.unknown()),
	})
	.describe('A scene');

export type SceneDocument = z.output<typeof sceneDocument>;

/** A scene as it is written. */
interface WrittenScene {
	readonly version: number;
	readonly tick: number;
	readonly entities: readonly Readonly<Record<string, unknown>>[];
}

/**
 * Returns a world as a scene, without its exact part. Throws `asset_missing` if the world refers to an asset that
 * does not exist.
 */
export const sceneOf = (world: World) => finishWork(sceneWork(world));

/**
 * Builds the scene in slices. Equal worlds give equal texts, because keys are sorted. `onEntity` is called with each
 * read-out before the next is built, and may throw.
 */
export function* sceneWork(world: World, onEntity?: (view: EntityView) => void): SlicedWork<WrittenScene> {
	requireAllValid(world);
	const ids: number[] = [];
	eachEntity(world, (id) => ids.push(id));
	const readEntity = entityReader(world);
	const entities: Record<string, unknown>[] = [];
	for (const id of ids) {
		yield;
		const view = readEntity(id);
		onEntity?.(view);
		const entries = Object.entries(view).map(([key, value]) => [key, withSortedKeys(value)] as const);
		entities.push(Object.fromEntries(entries));
	}
	return { version: 1, tick: world.tick, entities };
}

/** Replaces all entities by those of a scene. May throw after a part of the changes: pass a clone. */
export function applyScene(world: World, scene: SceneDocument): { count: number; warnings: string[] } {
	const formerIds: number[] = [];
	eachEntity(world, (id) => formerIds.push(id));
	for (const id of formerIds) despawn(world, id);
	const warnings = lossWarnings(world, scene);
	scene.entities.forEach((saved, index) => {
		const path = `entities[${index}]`;
		atPath(path, () => {
			const { handle, warnings: spawnWarnings } = spawnEntity(world, spawnDocumentOf(world, saved));
			warnings.push(...spawnWarnings.map((warning) => `${path}: ${warning}`));
			if (saved.health != null) {
				const [current, max] = saved.health;
				add(world, handle.id, Health, { current, max });
			}
			if (saved.dead === true && world.profile !== 'bare') add(world, handle.id, Dead);
		});
	});
	return { count: scene.entities.length, warnings };
}

/** Returns a warning that lists the fields that are not restored. */
function lossWarnings(world: World, { entities }: SceneDocument): string[] {
	const restoredKeys = new Set(world.profile === 'bare' ? BARE_FIELDS : Object.keys(savedEntity.shape));
	const lostKeys = new Set<string>();
	for (const entity of entities)
		for (const key of Object.keys(entity))
			if (!restoredKeys.has(key) && !IDENTITY_KEYS.has(key)) lostKeys.add(key);
	return lostKeys.size === 0 ? [] : [`not restored: ${[...lostKeys].sort().join(', ')}`];
}

function spawnDocumentOf(world: World, saved: SceneDocument['entities'][number]): SpawnDocument {
	const { transform, health, team, physics_body } = saved;
	const bareDocument: SpawnDocument = {
		position: transform?.position,
		scale: transform?.scale,
		health: health?.[1],
		team,
		physics_body,
	};
	if (world.profile === 'bare') return bareDocument;
	const { velocity, collider, role, tags, name, mesh, color } = saved;
	return {
		...bareDocument,
		rotation: transform?.rotation,
		velocity,
		collider,
		role,
		tags,
		name,
		mesh,
		color,
	};
}
