/** Observers that see an entity. */

import * as z from 'zod';
import { component, json } from '../contract/component.ts';

const ids = z.array(z.int());

export const VisibleTo = component({
	name: 'visible_to',
	title: 'VisibleTo',
	scope: 'state',
	summary: 'Ids of the observers that saw the entity on the last tick, ascending',
	fields: { observers: json<readonly number[]>(ids, [], 'Observer ids, ascending') },
	readout: { schema: ids, from: (row) => row.observers },
});
