/**
 * Edits of the selected entities, as calls.
 * Owns: the requests of each edit. Never: sends them.
 */

import type { PoseEdit } from '../../render/messages.ts';
import { type Entity, freeName, type Vector } from '../entities/entity.ts';
import { byId, descendantsOf, localPose, parentOf, topmost, worldPose } from '../entities/poses.ts';

export interface Request {
	readonly method?: 'GET' | 'POST' | 'PATCH';
	readonly path: string;
	readonly body: Readonly<Record<string, unknown>>;
	readonly as?: string;
}

/** A copy of an entity: its spawn document, with its id and that of its parent. */
export type CopiedEntity = Readonly<Record<string, unknown>> & {
	readonly id: number;
	readonly parent?: number;
};

/** Distance of a copy from its original (m). */
const BESIDE = 1;

/** Returns the owner of an entity as a field of a call. */
export const ownerOf = ({ agent_id }: Entity) => (agent_id === undefined ? {} : { agent_id });

/** Returns the request of a change of an entity's components. */
export const changeOf = (entity: Entity, change: Readonly<Record<string, unknown>>): Request => ({
	path: `/entities/${entity.id}/components`,
	body: { generation: entity.generation, ...ownerOf(entity), ...change },
});

/** Returns the requests of a drag in the picture, without removed entities. */
export function poseRequests(edits: readonly PoseEdit[], list: readonly Entity[]): readonly Request[] {
	const all = byId(list);
	return edits.flatMap(({ id, generation, position, rotation, scale }) => {
		const entity = all.get(id);
		const pose = entity === undefined ? undefined : worldPose(entity, all);
		if (entity === undefined || pose === undefined || entity.generation !== generation) return [];
		const edited = {
			position: position ?? pose.position,
			rotation: rotation ?? pose.rotation,
			scale: scale ?? pose.scale,
		};
		const local = parentOf(entity, all) === undefined ? edited : localPose(edited, entity, all);
		const transform = {
			...(position === undefined ? {} : { position: local.position }),
			...(rotation === undefined ? {} : { rotation: local.rotation }),
			...(scale === undefined ? {} : { scale: local.scale.map((part) => Math.max(part, 1e-3)) }),
		};
		return Object.keys(transform).length === 0 ? [] : [changeOf(entity, { transform })];
	});
}

/** Returns requests that remove entities and their descendants. */
export function removeRequests(entities: readonly Entity[], list: readonly Entity[]): readonly Request[] {
	const ids = new Set(entities.map(({ id }) => id));
	return [...entities, ...descendantsOf(ids, list).filter(({ id }) => !ids.has(id))].map((entity) => ({
		path: '/despawn',
		body: { entity_id: entity.id, entity_generation: entity.generation, ...ownerOf(entity) },
	}));
}

/** Escapes texts that start with `$`, which would be references in a batch. */
function escapeReferences(value: unknown): unknown {
	if (typeof value === 'string') return value.replace(/^\$(?=[A-Za-z_$])|\$(?=\$?\{)/g, '$$$&');
	if (Array.isArray(value)) return value.map(escapeReferences);
	if (typeof value !== 'object' || value === null) return value;
	return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, escapeReferences(part)]));
}

const beside = ([x = 0, y = 0, z = 0]: readonly number[]) => [x + BESIDE, y, z] as const;

/**
 * Returns requests that spawn copies, each beside its original, with the next free number in its name. Children stay below
 * the copies of their parents, and patrols move with the copies.
 */
export function copyRequests(copied: readonly CopiedEntity[], list: readonly Entity[]): readonly Request[] {
	const ids = new Set(copied.map(({ id }) => id));
	const alive = new Set(list.map(({ id }) => id));
	const named: Pick<Entity, 'name'>[] = [...list];
	return copied.map(({ id, parent, components: _, name, ai_patrol: patrol, ...document }) => {
		const inside = parent !== undefined && ids.has(parent);
		const own = typeof name === 'string' ? { name: freeName(name.replace(/ \d+$/, ''), named) } : {};
		named.push(own);
		return {
			path: '/spawn',
			as: `copy_${id}`,
			body: {
				...(escapeReferences({ ...document, ...own }) as object),
				...(Array.isArray(patrol) ? { ai_patrol: patrol.map(beside) } : {}),
				...(inside ? {} : { position: beside((document.position as Vector | undefined) ?? []) }),
				...(inside
					? { parent: `$copy_${parent}.id` }
					: parent !== undefined && alive.has(parent)
						? { parent }
						: {}),
			},
		};
	});
}

/** Returns the documents of entities and their descendants, parents first. */
export function copiedOf(
	entities: readonly Entity[],
	list: readonly Entity[],
	documents: readonly CopiedEntity[],
): readonly CopiedEntity[] {
	const ids = new Set(entities.map(({ id }) => id));
	const order = [
		...topmost(entities, list),
		...descendantsOf(new Set(topmost(entities, list).map(({ id }) => id)), list),
	];
	const found = new Map(documents.map((document) => [document.id, document]));
	for (const { id } of order) ids.add(id);
	return order.flatMap(({ id }) => found.get(id) ?? []);
}

/** Returns requests that move entities below a new entity in their middle. */
export function groupRequests(entities: readonly Entity[], list: readonly Entity[]): readonly Request[] {
	const all = byId(list);
	const members = topmost(entities, list).flatMap((entity) => {
		const pose = worldPose(entity, all);
		return pose === undefined ? [] : [{ entity, pose }];
	});
	if (members.length === 0) return [];
	const middle = [0, 1, 2].map((axis) => {
		const parts = members.map(({ pose }) => pose.position[axis]!);
		return (Math.min(...parts) + Math.max(...parts)) / 2;
	});
	return [
		{
			path: '/spawn',
			as: 'group',
			body: { name: freeName('Group', list), position: middle, tags: ['group'] },
		},
		...members.map(({ entity, pose: { position, rotation, scale } }) =>
			changeOf(entity, {
				parent: '$group.id',
				transform: { position: position.map((part, axis) => part - middle[axis]!), rotation, scale },
			}),
		),
	];
}

/**
 * Returns requests that give entities another parent, or none, and keep their places in the world. They omit ancestors of the
 * parent, and entities without a place.
 */
export function parentRequests(
	children: readonly Entity[],
	parent: Entity | null,
	list: readonly Entity[],
): readonly Request[] {
	const all = byId(list);
	if (parent !== null && worldPose(parent, all) === undefined) return [];
	return topmost(children, list).flatMap((child) => {
		const pose = worldPose(child, all);
		const before = parentOf(child, all);
		if (pose === undefined || before?.id === parent?.id) return [];
		if (parent === null) return [changeOf(child, { remove: ['parent'], transform: pose })];
		const below = descendantsOf(new Set([child.id]), list);
		if (child.id === parent.id || below.some(({ id }) => id === parent.id)) return [];
		const { id, generation } = parent;
		const transform = localPose(pose, { ...child, parent: { id, generation } }, all);
		return [changeOf(child, { parent: id, transform })];
	});
}

/** Returns requests that release the children of entities, keep their places, and remove entities that are only groups. */
export function ungroupRequests(entities: readonly Entity[], list: readonly Entity[]): readonly Request[] {
	const all = byId(list);
	return entities.flatMap((entity) => {
		const children = list.filter((candidate) => parentOf(candidate, all) === entity);
		if (children.length === 0) return [];
		const freed = children.map((child) =>
			changeOf(child, { remove: ['parent'], transform: worldPose(child, all) }),
		);
		return isGroup(entity) ? [...freed, ...removeRequests([entity], [])] : freed;
	});
}

/** Returns true for an entity that is only a group. */
export const isGroup = ({ tags, mesh }: Entity): boolean =>
	mesh === undefined && tags?.includes('group') === true;
