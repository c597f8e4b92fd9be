/** Free labels on an entity. */

import * as z from 'zod';
import { component, json } from '../contract/component.ts';

const list = z.array(z.string());

export const Tags = component({
	name: 'tags',
	title: 'Tags',
	scope: 'state',
	summary: 'Labels, sorted',
	fields: { tags: json<readonly string[]>(list, [], 'The labels, sorted') },
	readout: { schema: list, from: (row) => row.tags },
});
