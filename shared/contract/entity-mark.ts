/**
 * References to entities in values: a handle, an id, or an id in a text. Owns: the mark of a schema for a reference, and
 * the replacement of ids in texts.
 */

import type { Marks } from './marks.ts';

/** Marks under the metadata key `entity` of a schema that names entities. */
export const ENTITY_MARKS = ['handle', 'id', 'filter', 'view_rule', 'measure', 'template'] as const;
export type EntityMark = (typeof ENTITY_MARKS)[number];

/** Marks of texts that contain ids. */
export type TextMark = Exclude<EntityMark, 'handle' | 'id'>;

/** Metadata of a schema that names entities. */
export const namesBy = (entity: EntityMark) => ({ entity });

/** Returns the mark of a schema, or undefined. */
export function entityMark({ entity }: Marks): EntityMark | undefined {
	return ENTITY_MARKS.find((mark) => mark === entity);
}

/** Patterns of an id in a text. Group 1 is the text before it, and group 2 the id. */
const IDS: Readonly<Record<TextMark, RegExp>> = {
	filter: /((?:^|\+)\s*entity:)(\d+)/gi,
	view_rule: /^((?:\s*not:)*\s*zone:)(\d+)/i,
	measure: /([:+]\s*entity:)(\d+)/gi,
	template: /(\{[^{}]*[:+]\s*entity:)(\d+)/gi,
};

/** Returns a text in which each id is replaced by the result of `idOf`. */
export function withIdsInText(mark: TextMark, text: string, idOf: (id: number) => number): string {
	return text.replace(IDS[mark], (_, textBefore: string, id: string) => textBefore + idOf(Number(id)));
}
