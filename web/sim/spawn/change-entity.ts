/**
 * Changing the components of an entity that lives: the body of POST /entities/{id}/components.
 * Owns: what of a component changes when a document says part of it.
 */

import type * as z from 'zod';
import { Combat, fighterFields } from '../../../shared/components/combat.ts';
import { components } from '../../../shared/components/index.ts';
import {
	type Companion,
	type Component,
	type EntityHandle,
	readoutKey,
} from '../../../shared/contract/component.ts';
import type { SpawnDocument } from '../../../shared/documents/spawn.ts';
import type { patchComponents } from '../../../shared/routes/world.ts';
import { requirePossible } from '../aspects/index.ts';
import { canonicalJson } from '../core/canonical-json.ts';
import { add, has, remove, type World } from '../core/world.ts';
import { cachedCrowd, updateCrowd } from '../physics/crowding.ts';
import { describeEntity, rowReaderOf } from './describe-entity.ts';
import { settle, spawnable } from './spawn-entity.ts';

type PatchBody = z.output<NonNullable<typeof patchComponents.body>>;

/** Applies a change, or throws before anything has changed. Returns warnings of what was replaced or did nothing. */
export function changeEntity(world: World, entity: EntityHandle, change: PatchBody): string[] {
	const { id } = entity;
	const { transform, remove: removed, agent_id: _, generation: __, entity_generation: ___, ...said } = change;
	const document = givenFields({ ...said, ...givenFields(transform ?? {}) }) as SpawnDocument;
	const before = knownOf(world, id);
	const after = { ...before, ...document };
	const coming = { document, after, id, removed: removed ?? [] };
	requirePossible(world, coming);
	const crowd = cachedCrowd(world);
	const warnings: string[] = [];
	const brought: Companion[] = [];
	for (const component of spawnable) {
		const { fields, otherFields = [], row, brings } = component.spawn!;
		const own = Object.keys(fields).filter((key) => key in document);
		if (own.length === 0 && !otherFields.some((key) => key in document)) continue;
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
	warnings.push(...settle(world, entity, coming, brought));
	for (const key of coming.removed) {
		const component = components.find((component) => (readoutKey(component) ?? component.name) === key);
		if (component === undefined || !has(world, id, component))
			warnings.push(`the entity had no ${key} to remove`);
		else remove(world, id, component);
	}
	updateCrowd(world, crowd, id);
	return warnings;
}

/** Returns the document of an entity as it is, its weapon too where that comes with what it is. */
function knownOf(world: World, id: number): SpawnDocument {
	const weapon = rowReaderOf(world, id)(Combat);
	return { ...describeEntity(world, id), ...(weapon === undefined ? {} : fighterFields(weapon)) };
}

function givenFields(fields: object): Record<string, unknown> {
	return Object.fromEntries(Object.entries(fields).filter(([, value]) => value != null));
}

interface SentChange {
	/** The document of the entity as it was. */
	readonly before: SpawnDocument;
	/** Fields of the component that the change speaks of. */
	readonly own: readonly string[];
}

/**
 * Of the values of a component, those that follow from the sent fields; the others keep what they have to the bit.
 */
function driven(
	world: World,
	id: number,
	component: Component,
	values: Readonly<Record<string, unknown>>,
	{ before, own }: SentChange,
): Readonly<Record<string, unknown>> {
	if (!has(world, id, component)) return values;
	const { row } = component.spawn!;
	const others = Object.fromEntries(Object.entries(before).filter(([key]) => !own.includes(key)));
	const [unsaid, was] = [row(others, []), row(before, [])];
	const isSame = (name: string) => {
		const value = canonicalJson(values[name]);
		return unsaid !== null && [unsaid, was].every((known) => canonicalJson(known?.[name]) === value);
	};
	return Object.fromEntries(Object.entries(values).filter(([name]) => !isSame(name)));
}
