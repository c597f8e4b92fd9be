/** Labels of an entity. */

import * as z from 'zod';
import { component, json } from '../contract/component.ts';
import { optional, text } from '../contract/values.ts';

const list = z.array(z.string());

export const tagList = z.array(text('Label', 100)).max(100).describe('Labels');

/** Returns each label once, in order. */
export function sortedTags(tags: readonly string[]): string[] {
	return [...new Set(tags)].sort();
}

export const Tags = component({
	name: 'tags',
	title: 'Tags',
	scope: 'state',
	summary: 'Labels, sorted',
	fields: { tags: json<readonly string[]>(list, [], 'The labels, sorted', { documentField: 'tags' }) },
	readout: { schema: list, from: (row) => row.tags },
	spawn: {
		fields: { tags: optional(tagList) },
		row: ({ tags }) => (tags == null ? null : { tags: sortedTags(tags) }),
		describe: (row) => ({ tags: row?.tags.slice() }),
	},
});
