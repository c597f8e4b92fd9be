/**
 * Names of entities in values: a handle, an id, or an id within a text. Owns: the mark of a schema for such a name,
 * and the ids that a text names.
 */

import type { Marks } from './marks.ts';

/** Keys under `entity` by which a schema that names entities describes itself. */
export const ENTITY_MARKS = ['handle', 'id', 'filter', 'view_rule', 'measure', 'template'] as const;
export type EntityMark = (typeof ENTITY_MARKS)[number];

/** Those of texts that name entities within them. */
export type TextMark = Exclude<EntityMark, 'handle' | 'id'>;

/** Metadata of a schema that names entities. */
export const namesBy = (entity: EntityMark) => ({ entity });

/** Returns the mark of a schema, or undefined. */
export function entityMark({ entity }: Marks): EntityMark | undefined {
	return ENTITY_MARKS.find((mark) => mark === entity);
}

/** Place of an id in a text: the text before it, and the id. */
const IDS: Readonly<Record<TextMark, RegExp>> = {
	filter: /((?:^|\+)\s*entity:)(\d+)/gi,
	view_rule: /^((?:\s*not:)*\s*zone:)(\d+)/i,
	measure: /([:+]\s*entity:)(\d+)/gi,
	template: /(\{[^{}]*[:+]\s*entity:)(\d+)/gi,
};

/** Returns a text with each id in it replaced by what `idOf` says. */
export function withIdsInText(mark: TextMark, text: string, idOf: (id: number) => number): string {
	return text.replace(IDS[mark], (_, before: string, id: string) => before + idOf(Number(id)));
}
