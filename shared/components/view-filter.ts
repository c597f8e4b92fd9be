/** What an entity, as an observer, sees. */

import * as z from 'zod';
import { component, json } from '../contract/component.ts';

const list = z.array(z.string());

export const ViewFilter = component({
	name: 'view_filter',
	title: 'ViewFilter',
	scope: 'state',
	summary: 'Makes the entity an observer: it sees itself and what all the rules allow',
	fields: {
		rules: json<readonly string[]>(
			list,
			[],
			'always, same-team, within:R, tag:NAME, zone:ID or not:RULE; all must hold',
		),
	},
	readout: { schema: list, from: (row) => row.rules },
});
