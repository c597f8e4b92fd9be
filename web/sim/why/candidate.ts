/**
 * Changes of one field that may alter a result: of an entity, a rule, or the navigation mesh.
 * Owns: the request that makes each change, and doing the same to a copy of the world.
 */

import type * as z from 'zod';
import { ApiError } from '../../../shared/contract/errors.ts';
import { navmeshSettings } from '../../../shared/documents/navmesh.ts';
import { spawnDocument } from '../../../shared/documents/spawn.ts';
import { type RuleDocument, writtenRule } from '../../../shared/rules/rule.ts';
import { handleOf } from '../core/entities.ts';
import type { World } from '../core/world.ts';
import { changedRule, typedRule } from '../documents/rule-entry.ts';
import { navmeshOf, setNavmesh } from '../navigation/settings.ts';
import { parseFilter } from '../rules/conditions/filter.ts';
import { documentOf, editRule } from '../rules/rule.ts';
import { changeEntity } from '../spawn/change-entity.ts';
import { describeEntity } from '../spawn/describe-entity.ts';
import { spawnable } from '../spawn/spawn-entity.ts';
import { nearestName } from '../warnings/known-names.ts';
import { type Leaf, type LeafPath, leavesOf, withLeaf, writePath } from './leaves.ts';

export interface Request {
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
	readonly from: Leaf;
	/** For a tag: those that may be meant. */
	readonly texts?: readonly string[];
	/** True if the schema allows a value. */
	allows(to: Leaf): boolean;
	request(to: Leaf): Request;
	/** Makes the change in a copy. Throws an `ApiError` if it is refused. */
	apply(copy: World, to: Leaf): void;
}

/** Fields of an entity that stand in the components of these names, or in any if none are given. */
export function entityCandidates(world: World, id: number, names?: ReadonlySet<string>): Candidate[] {
	const document = describeEntity(world, id) as Readonly<Record<string, unknown>>;
	const keys = spawnable
		.filter(({ name, scope }) => (names === undefined ? scope === 'state' : names.has(name)))
		.flatMap(({ spawn }) => Object.keys(spawn!.fields))
		.filter((key) => document[key] != null);
	return keys.flatMap((key) =>
		leavesOf(document[key], [key]).map(({ path, value }) => {
			const body = (to: Leaf) => ({ [key]: withLeaf(document[key], path.slice(1), to) });
			return {
				of: 'entity' as const,
				id,
				field: writePath(path),
				from: value,
				allows: (to: Leaf) => allows(spawnDocument, body(to)),
				request: (to: Leaf) => ({
					method: 'POST' as const,
					path: `/entities/${id}/components`,
					body: body(to),
				}),
				apply: (copy: World, to: Leaf) =>
					void changeEntity(copy, handleOf(copy, id), spawnDocument.parse(body(to))),
			};
		}),
	);
}

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
		const body = (to: Leaf) => ({ [key]: withLeaf(document[key], path.slice(1), to) });
		const whole = (before: RuleDocument, to: Leaf) => changedRule(before, body(to));
		return {
			of: 'rule' as const,
			id,
			field: writePath(path),
			from: value,
			...(typeof value === 'string' ? { texts: nearestTag(world, value) } : {}),
			allows: (to: Leaf) => allows(writtenRule, whole(documentOf(world, id), to)),
			request: (to: Leaf) => ({ method: 'PATCH' as const, path: `/rule/${id}`, body: body(to) }),
			apply: (copy: World, to: Leaf) =>
				editRule(copy, id, typedRule(writtenRule.parse(whole(documentOf(copy, id), to))), false),
		};
	});
}

/** Settings of the navigation mesh. */
export function navmeshCandidates(world: World): Candidate[] {
	const settings = navmeshOf(world);
	if (settings === null) return [];
	const { cell_size: _, ...rest } = settings;
	return leavesOf(rest).map(({ path, value }) => {
		const body = (to: Leaf) => withLeaf(settings, path, to) as Record<string, unknown>;
		return {
			of: 'navmesh' as const,
			id: null,
			field: writePath(path as LeafPath),
			from: value,
			allows: (to: Leaf) => allows(navmeshSettings, body(to)),
			request: (to: Leaf) => ({ method: 'POST' as const, path: '/navmesh/generate', body: body(to) }),
			apply: (copy: World, to: Leaf) => setNavmesh(copy, navmeshSettings.parse(body(to))),
		};
	});
}

/** The tag that is meant by one that no entity has. */
function nearestTag(world: World, tag: string): string[] {
	const near = nearestName(world, { kind: 'tag', name: tag });
	return near === undefined ? [] : [near];
}

const allows = (schema: z.ZodType, value: unknown): boolean => schema.safeParse(value).success;

/** Makes a change; false if it is refused. */
export function applied(candidate: Candidate, copy: World, to: Leaf): boolean {
	try {
		candidate.apply(copy, to);
		return true;
	} catch (error) {
		if (error instanceof ApiError) return false;
		throw error;
	}
}
