/** The purse of an entity. */

import * as z from 'zod';
import { component, scalar } from '../contract/component.ts';

export const Gold = component({
	name: 'gold',
	title: 'Gold',
	scope: 'state',
	summary: 'The purse of an entity',
	fields: { amount: scalar('i32', 'Gold carried') },
	readout: { schema: z.int(), from: (row) => row.amount },
});
