/**
 * Fields of a scenario that are not set: written as null, as readers of the baseline expect them, or left out. Both mean the same.
 * Owns: which fields these are.
 */

import { spawnFields } from '../../../shared/documents/spawn.ts';
import type { ScenarioDocument } from '../../../shared/rules/scenario.ts';

const SCALE = [1, 1, 1] as const;
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
			scale: [...SCALE],
			...one,
		}),
	);
}

/** A scenario without the fields that say no more than if they were left out: null, and the scale that everything has. */
export function withoutUnset<T extends Entries>(document: T): T {
	const without = (one: object) =>
		Object.fromEntries(
			Object.entries(one).filter(
				([name, value]) =>
					value !== null && !(name === 'scale' && SCALE.every((factor, i) => value[i] === factor)),
			),
		);
	return changed(document, without, without);
}
