/**
 * Changes the components of an entity, as requested with POST /entities/{id}/components.
 * Owns: the choice of the fields of a component that change if a document sets only some of them.
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
import { completeEntity, spawnable } from './spawn-entity.ts';

type PatchBody = z.output<NonNullable<typeof patchComponents.body>>;

/** Applies a change. If it throws, nothing has changed. Returns warnings about replaced values and fields without effect. */
export function changeEntity(world: World, entity: EntityHandle, change: PatchBody): string[] {
	const { id } = entity;
	const {
		transform,
		remove: removed,
		agent_id: _,
		generation: __,
		entity_generation: ___,
		...fields
	} = change;
	const document = withoutNulls({ ...fields, ...withoutNulls(transform ?? {}) }) as SpawnDocument;
	const before = describeWithWeapon(world, id);
	const after = { ...before, ...document };
	const aspectChange = { document, after, id, removed: removed ?? [] };
	requirePossible(world, aspectChange);
	const crowd = cachedCrowd(world);
	const warnings: string[] = [];
	const companions: Companion[] = [];
	for (const component of spawnable) {
		const { fields, otherFields = [], row, brings } = component.spawn!;
		const ownFields = Object.keys(fields).filter((key) => key in document);
		if (ownFields.length === 0 && !otherFields.some((key) => key in document)) continue;
		const values = row(after, warnings);
		if (ownFields.length === 0 && values !== null && has(world, id, component)) continue;
		if (values === null) {
			remove(world, id, component);
			continue;
		}
		const bringsCompanions = ownFields.includes(Object.keys(fields)[0]!) || !has(world, id, component);
		add(world, id, component, changedValues(world, id, component, values, { before, ownFields }));
		if (bringsCompanions) companions.push(...(brings?.(values) ?? []));
	}
	warnings.push(...completeEntity(world, entity, aspectChange, companions));
	for (const key of aspectChange.removed) {
		const component = components.find((component) => (readoutKey(component) ?? component.name) === key);
		if (component === undefined || !has(world, id, component))
			warnings.push(`the entity had no ${key} to remove`);
		else remove(world, id, component);
	}
	updateCrowd(world, crowd, id);
	return warnings;
}

/** Returns the document of an entity, with its weapon even if other fields imply it. */
function describeWithWeapon(world: World, id: number): SpawnDocument {
	const weapon = rowReaderOf(world, id)(Combat);
	return { ...describeEntity(world, id), ...(weapon === undefined ? {} : fighterFields(weapon)) };
}

function withoutNulls(fields: object): Record<string, unknown> {
	return Object.fromEntries(Object.entries(fields).filter(([, value]) => value != null));
}

interface SentChange {
	/** Document of the entity before the change. */
	readonly before: SpawnDocument;
	/** Fields of the component that the change sets. */
	readonly ownFields: readonly string[];
}

/**
 * Returns the values of a component that follow from the sent fields. The others keep their stored values exactly.
 */
function changedValues(
	world: World,
	id: number,
	component: Component,
	values: Readonly<Record<string, unknown>>,
	{ before, ownFields }: SentChange,
): Readonly<Record<string, unknown>> {
	if (!has(world, id, component)) return values;
	const { row } = component.spawn!;
	const others = Object.fromEntries(Object.entries(before).filter(([key]) => !ownFields.includes(key)));
	const [otherValues, oldValues] = [row(others, []), row(before, [])];
	const isSame = (name: string) => {
		const value = canonicalJson(values[name]);
		return (
			otherValues !== null && [otherValues, oldValues].every((row) => canonicalJson(row?.[name]) === value)
		);
	};
	return Object.fromEntries(Object.entries(values).filter(([name]) => !isSame(name)));
}
