/**
 * Candidates: changes of one field that may alter a result. The field belongs to an entity, a rule, the navigation mesh
 * or the camera.
 * Owns: the request of each change, and its application to a copy of the world.
 */

import type * as z from 'zod';
import { Health } from '../../../shared/components/health.ts';
import { ApiError } from '../../../shared/contract/errors.ts';
import { navmeshSettings } from '../../../shared/documents/navmesh.ts';
import { spawnDocument } from '../../../shared/documents/spawn.ts';
import { type RuleDocument, writtenRule } from '../../../shared/rules/rule.ts';
import type { InnerCondition } from '../../../shared/verbs/conditions/index.ts';
import { handleOf } from '../core/entities.ts';
import { shortestFloat32 } from '../core/float32.ts';
import { get, type World } from '../core/world.ts';
import { changeRule, parseRule } from '../documents/rule-entry.ts';
import { navmeshOf, setNavmesh } from '../navigation/settings.ts';
import { ConditionLook } from '../rules/conditions/evaluate-condition.ts';
import { parseFilter } from '../rules/conditions/filter.ts';
import { measure } from '../rules/conditions/measure.ts';
import { documentOf, editRule } from '../rules/rule.ts';
import { changeEntity } from '../spawn/change-entity.ts';
import { describeEntity } from '../spawn/describe-entity.ts';
import { spawnable } from '../spawn/spawn-entity.ts';
import { nearestName } from '../warnings/known-names.ts';
import { comparisonOf } from './compared.ts';
import { type LeafPath, type LeafValue, leavesOf, withLeaf, writePath } from './leaves.ts';

export interface ChangeRequest {
	readonly method: 'POST' | 'PATCH';
	readonly path: string;
	readonly body: Readonly<Record<string, unknown>>;
}

export type ChangeTarget = 'entity' | 'rule' | 'navmesh' | 'camera';

export interface Candidate {
	readonly of: ChangeTarget;
	/** Id of the entity or rule; null for the navigation mesh and the camera. */
	readonly id: number | null;
	readonly field: string;
	readonly from: LeafValue;
	/** Values to try first, such as numbers of other entities or similar tags. */
	readonly values?: readonly LeafValue[];
	/** Returns true if the value is valid for the field. */
	allows(to: LeafValue): boolean;
	request(to: LeafValue): ChangeRequest;
	/** Applies the change to a copy. Throws an `ApiError` if the change is refused. */
	apply(copy: World, to: LeafValue): void;
}

/** Returns candidates for the fields of an entity. `names`: components to include; by default all that are state. */
export function entityCandidates(world: World, id: number, names?: ReadonlySet<string>): Candidate[] {
	const document = describeEntity(world, id) as Readonly<Record<string, unknown>>;
	const keys = spawnable
		.filter(({ name, scope }) => (names === undefined ? scope === 'state' : names.has(name)))
		.flatMap(({ spawn }) => Object.keys(spawn!.fields))
		// A change of one number of a quaternion does not result in a valid rotation.
		.filter((key) => key !== 'rotation' && document[key] != null);
	return keys.flatMap((key) =>
		leavesOf(document[key], [key]).map(({ path, value }) => {
			const body = (to: LeafValue) => ({ [key]: withLeaf(document[key], path.slice(1), to) });
			return {
				of: 'entity' as const,
				id,
				field: writePath(path),
				from: key === 'health' ? healthOf(world, id) : value,
				allows: (to: LeafValue) => allows(spawnDocument, body(to)),
				request: (to: LeafValue) => ({
					method: 'POST' as const,
					path: `/entities/${id}/components`,
					body: body(to),
				}),
				apply: (copy: World, to: LeafValue) =>
					void changeEntity(copy, handleOf(copy, id), spawnDocument.parse(body(to))),
			};
		}),
	);
}

/** Returns the current health. The document of an entity has the maximum, but a change of "health" sets both. */
const healthOf = (world: World, id: number): number => shortestFloat32(get(world, id, Health)!.current);

/** Returns candidates for the fields that control when a rule fires. `effects`: include the fields of its actions. */
export function ruleCandidates(world: World, id: number, effects = false): Candidate[] {
	const { when, filter, once, enabled, do: actions, outcomes } = documentOf(world, id);
	const document = {
		when,
		filter: parseFilter(filter),
		once,
		enabled: enabled !== false,
		...(effects ? { do: actions, outcomes } : {}),
	};
	return leavesOf(document).map(({ path, value }) => {
		const [key] = path as [keyof typeof document];
		const body = (to: LeafValue) => ({ [key]: withLeaf(document[key], path.slice(1), to) });
		const changedDocument = (before: RuleDocument, to: LeafValue) => changeRule(before, body(to));
		return {
			of: 'rule' as const,
			id,
			field: writePath(path),
			from: value,
			...(typeof value === 'string' ? { values: nearestTag(world, value) } : {}),
			...(typeof value === 'number' ? { values: comparedValues(world, document, path) } : {}),
			allows: (to: LeafValue) => allows(writtenRule, changedDocument(documentOf(world, id), to)),
			request: (to: LeafValue) => ({ method: 'PATCH' as const, path: `/rule/${id}`, body: body(to) }),
			apply: (copy: World, to: LeafValue) =>
				editRule(copy, id, parseRule(writtenRule.parse(changedDocument(documentOf(copy, id), to))), false),
		};
	});
}

/** Maximum number of entities whose values are tried for a number in a comparison. */
const MAX_COMPARED = 4;

/**
 * Returns values to try for a number that a condition compares with a field: the nearest values of entities that pass
 * the filters of the condition, and values beside these.
 */
function comparedValues(world: World, document: Readonly<Record<string, unknown>>, path: LeafPath): number[] {
	const parents: Readonly<Record<string, unknown>>[] = [document];
	for (const key of path.slice(0, -1))
		parents.push(parents.at(-1)![key] as Readonly<Record<string, unknown>>);
	const comparison = comparisonOf(parents.at(-1)!);
	if (comparison === null || !['value', 'threshold'].includes(String(path.at(-1)))) return [];
	const look = new ConditionLook(world);
	const filters = parents.flatMap(({ filter }) =>
		typeof filter === 'object' && filter !== null ? [look.test(filter as InnerCondition)] : [],
	);
	const measurement = measure(comparison.field);
	const distanceTo = (value: number) => Math.abs(value - comparison.value);
	const values = new Set<number>();
	look.each([measurement.component], (slot) => {
		const entity = look.entity(slot);
		const value = measurement.of(entity);
		if (value !== undefined && filters.every((test) => test(entity)))
			values.add(Math.fround(value) === value ? shortestFloat32(value) : value);
	});
	return [...values]
		.sort((a, b) => distanceTo(a) - distanceTo(b))
		.slice(0, MAX_COMPARED)
		.flatMap((value) => [value, ...valuesBeside(value)]);
}

/** Returns a number slightly above and one slightly below a value. */
export const valuesBeside = (value: number): number[] => {
	const step = value === 0 ? 1 : Math.abs(value) / 100;
	return [value + step, value - step].map((number) => Number(number.toPrecision(7)));
};

/** Returns candidates for the settings of the navigation mesh. */
export function navmeshCandidates(world: World): Candidate[] {
	const settings = navmeshOf(world);
	if (settings === null) return [];
	const { cell_size: _, ...rest } = settings;
	return leavesOf(rest).map(({ path, value }) => {
		const body = (to: LeafValue) => withLeaf(settings, path, to) as Record<string, unknown>;
		return {
			of: 'navmesh' as const,
			id: null,
			field: writePath(path as LeafPath),
			from: value,
			allows: (to: LeafValue) => allows(navmeshSettings, body(to)),
			request: (to: LeafValue) => ({ method: 'POST' as const, path: '/navmesh/generate', body: body(to) }),
			apply: (copy: World, to: LeafValue) => setNavmesh(copy, navmeshSettings.parse(body(to))),
		};
	});
}

/** Returns the tag that an unknown tag probably means. Empty if the tag is known or no tag is similar. */
function nearestTag(world: World, tag: string): string[] {
	const near = nearestName(world, { kind: 'tag', name: tag });
	return near === undefined ? [] : [near];
}

const allows = (schema: z.ZodType, value: unknown): boolean => schema.safeParse(value).success;

/** Applies a change to a copy. Returns false if the change is refused. */
export function tryApply(candidate: Candidate, copy: World, to: LeafValue): boolean {
	try {
		candidate.apply(copy, to);
		return true;
	} catch (error) {
		if (error instanceof ApiError) return false;
		throw error;
	}
}
