/**
 * Conversion of unset fields of a scenario between two forms: null or omitted. Both forms mean the same.
 * Owns: the list of these fields.
 */

import { spawnFields } from '../../../shared/documents/spawn.ts';
import type { ScenarioDocument } from '../../../shared/rules/scenario.ts';

const DEFAULT_SCALE = [1, 1, 1] as const;
const UNSET = Object.fromEntries(Object.keys(spawnFields).map((name) => [name, null]));

type ScenarioEntries = Pick<ScenarioDocument, 'templates' | 'entities'>;

function mapEntries<T extends ScenarioEntries>(
	document: T,
	changeTemplate: (template: object) => object,
	changeEntity: (entity: object) => object,
): T {
	const { templates, entities } = document;
	const values = Object.entries(templates ?? {}).map(([name, template]) => [name, changeTemplate(template)]);
	return {
		...document,
		...(templates == null ? {} : { templates: Object.fromEntries(values) }),
		...(entities == null ? {} : { entities: entities.map(changeEntity) }),
	};
}

/** Returns a scenario with all fields of templates and entities. Unset fields are null, except an entity's scale. */
export function addUnsetFields<T extends ScenarioEntries>(document: T): T {
	return mapEntries(
		document,
		(template) => ({ ...UNSET, ...template }),
		({ id, ...fields }: { id?: number }) => ({
			...(id === undefined ? {} : { id }),
			...UNSET,
			scale: [...DEFAULT_SCALE],
			...fields,
		}),
	);
}

/** Returns a scenario without fields that are null, and without scales that equal the default. */
export function omitUnsetFields<T extends ScenarioEntries>(document: T): T {
	const omitUnset = (fields: object) =>
		Object.fromEntries(
			Object.entries(fields).filter(
				([name, value]) =>
					value !== null && !(name === 'scale' && DEFAULT_SCALE.every((factor, i) => value[i] === factor)),
			),
		);
	return mapEntries(document, omitUnset, omitUnset);
}
