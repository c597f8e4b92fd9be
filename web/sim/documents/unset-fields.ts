/**
 * Fields of a scenario that are not set: written as null, as readers of the baseline expect them, or left out. Both mean the same.
 * Owns: which fields these are.
 */

import type { ScenarioDocument } from '../../../shared/documents/scenario.ts';
import { spawnFields } from '../../../shared/documents/spawn.ts';
import { saysNothing } from './entity-entry.ts';

const UNSET = Object.fromEntries(Object.keys(spawnFields).map((name) => [name, null]));

type Entries = Pick<ScenarioDocument, 'templates' | 'entities'>;

function changed<T extends Entries>(
	document: T,
	template: (one: object) => object,
	entity: (one: object) => object,
): T {
	const { templates, entities } = document;
	const values = Object.entries(templates ?? {}).map(([name, one]) => [name, template(one)]);
	return {
		...document,
		...(templates == null ? {} : { templates: Object.fromEntries(values) }),
		...(entities == null ? {} : { entities: entities.map(entity) }),
	};
}

/** An exported scenario in which templates and entities have every field: null where it is not set. Scales are always told. */
export function withUnset<T extends Entries>(document: T): T {
	return changed(
		document,
		(one) => ({ ...UNSET, ...one }),
		({ id, ...one }: { id?: number }) => ({
			...(id === undefined ? {} : { id }),
			...UNSET,
			scale: [1, 1, 1],
			...one,
		}),
	);
}

/** A scenario without fields that say nothing. */
export function withoutUnset<T extends Entries>(document: T): T {
	const without = (one: object) =>
		Object.fromEntries(Object.entries(one).filter(([name, value]) => !saysNothing(name, value)));
	return changed(document, without, without);
}
