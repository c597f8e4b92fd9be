/**
 * Changes of one field that may alter a result: of an entity, a rule, or the navigation mesh.
 * Owns: the request that makes each change, and doing the same to a copy of the world.
 */

import type * as z from 'zod';
import { Health } from '../../../shared/components/health.ts';
import { ApiError } from '../../../shared/contract/errors.ts';
import { navmeshSettings } from '../../../shared/documents/navmesh.ts';
import { spawnDocument } from '../../../shared/documents/spawn.ts';
import { type RuleDocument, writtenRule } from '../../../shared/rules/rule.ts';
import type { InnerCondition } from '../../../shared/verbs/conditions/index.ts';
import { handleOf } from '../core/entities.ts';
import { shortest } from '../core/float32.ts';
import { get, type World } from '../core/world.ts';
import { changedRule, typedRule } from '../documents/rule-entry.ts';
import { navmeshOf, setNavmesh } from '../navigation/settings.ts';
import { ConditionLook } from '../rules/conditions/evaluate-condition.ts';
import { parseFilter } from '../rules/conditions/filter.ts';
import { measure } from '../rules/conditions/measure.ts';
import { documentOf, editRule } from '../rules/rule.ts';
import { changeEntity } from '../spawn/change-entity.ts';
import { describeEntity } from '../spawn/describe-entity.ts';
import { spawnable } from '../spawn/spawn-entity.ts';
import { nearestName } from '../warnings/known-names.ts';
import { comparedBy } from './compared.ts';
import { type LeafPath, type LeafValue, leavesOf, withLeaf, writePath } from './leaves.ts';

export interface ChangeRequest {
	readonly method: 'POST' | 'PATCH';
	readonly path: string;
	readonly body: Readonly<Record<string, unknown>>;
}

export type ChangedThing = 'entity' | 'rule' | 'navmesh' | 'camera';

export interface Candidate {
	readonly of: ChangedThing;
	/** Of the entity or rule; null for the mesh. */
	readonly id: number | null;
	readonly field: string;
	readonly from: LeafValue;
	/** Values that are tried first: numbers that others have, or tags that may be meant. */
	readonly values?: readonly LeafValue[];
	/** Returns true if the schema allows a value. */
	allows(to: LeafValue): boolean;
	request(to: LeafValue): ChangeRequest;
	/** Makes the change in a copy. Throws an `ApiError` if it is refused. */
	apply(copy: World, to: LeafValue): void;
}

/** Fields of an entity that are in the components of these names, or in any if none are given. */
export function entityCandidates(world: World, id: number, names?: ReadonlySet<string>): Candidate[] {
	const document = describeEntity(world, id) as Readonly<Record<string, unknown>>;
	const keys = spawnable
		.filter(({ name, scope }) => (names === undefined ? scope === 'state' : names.has(name)))
		.flatMap(({ spawn }) => Object.keys(spawn!.fields))
		// A part of a quaternion by itself is no rotation.
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

/** Health now: a document has the maximum, but a change sets both. */
const healthOf = (world: World, id: number): number => shortest(get(world, id, Health)!.current);

/** Fields of a rule that control whether it fires, and with `effects` what it then does. */
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
		const whole = (before: RuleDocument, to: LeafValue) => changedRule(before, body(to));
		return {
			of: 'rule' as const,
			id,
			field: writePath(path),
			from: value,
			...(typeof value === 'string' ? { values: nearestTag(world, value) } : {}),
			...(typeof value === 'number' ? { values: comparedValues(world, document, path) } : {}),
			allows: (to: LeafValue) => allows(writtenRule, whole(documentOf(world, id), to)),
			request: (to: LeafValue) => ({ method: 'PATCH' as const, path: `/rule/${id}`, body: body(to) }),
			apply: (copy: World, to: LeafValue) =>
				editRule(copy, id, typedRule(writtenRule.parse(whole(documentOf(copy, id), to))), false),
		};
	});
}

/** Entities whose values are tried for a number that they are compared with. */
const MAX_COMPARED = 4;

/** For a number that a condition compares with a field: the nearest values that entities of its groups have, and just beyond. */
function comparedValues(world: World, document: Readonly<Record<string, unknown>>, path: LeafPath): number[] {
	const parents: Readonly<Record<string, unknown>>[] = [document];
	for (const key of path.slice(0, -1))
		parents.push(parents.at(-1)![key] as Readonly<Record<string, unknown>>);
	const compared = comparedBy(parents.at(-1)!);
	if (compared === null || !['value', 'threshold'].includes(String(path.at(-1)))) return [];
	const look = new ConditionLook(world);
	const groups = parents.flatMap(({ filter }) =>
		typeof filter === 'object' && filter !== null ? [look.test(filter as InnerCondition)] : [],
	);
	const number = measure(compared.field);
	const distance = (value: number) => Math.abs(value - compared.value);
	const values = new Set<number>();
	look.each([number.component], (slot) => {
		const entity = look.entity(slot);
		const value = number.of(entity);
		if (value !== undefined && groups.every((test) => test(entity)))
			values.add(Math.fround(value) === value ? shortest(value) : value);
	});
	return [...values]
		.sort((a, b) => distance(a) - distance(b))
		.slice(0, MAX_COMPARED)
		.flatMap((value) => [value, ...beyond(value)]);
}

/** Returns numbers a little above and below one. */
export const beyond = (value: number): number[] => {
	const little = value === 0 ? 1 : Math.abs(value) / 100;
	return [value + little, value - little].map((number) => Number(number.toPrecision(7)));
};

/** Settings of the navigation mesh. */
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

/** Returns the tag that is meant by one that no entity has. */
function nearestTag(world: World, tag: string): string[] {
	const near = nearestName(world, { kind: 'tag', name: tag });
	return near === undefined ? [] : [near];
}

const allows = (schema: z.ZodType, value: unknown): boolean => schema.safeParse(value).success;

/** Makes a change; false if it is refused. */
export function applied(candidate: Candidate, copy: World, to: LeafValue): boolean {
	try {
		candidate.apply(copy, to);
		return true;
	} catch (error) {
		if (error instanceof ApiError) return false;
		throw error;
	}
}
