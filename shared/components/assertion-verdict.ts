/** Result of an assertion's last evaluation. It has view scope, because an evaluation must not change the digest. */

import * as z from 'zod';
import { component, json, scalar } from '../contract/component.ts';
import { TICK } from '../contract/tick.ts';

export const AssertionVerdict = component({
	name: 'assertion_verdict',
	title: 'AssertionVerdict',
	scope: 'view',
	summary: 'Latest verdict on an assertion',
	fields: {
		passed: json<boolean>(z.boolean(), false, 'true: it held'),
		vacuous: json<boolean>(z.boolean(), false, 'true: there was no entity to check'),
		message: json<string>(z.string(), '', 'Explanation for people'),
		tick: scalar('u32', 'Ticks completed when it was evaluated', { unit: TICK }),
	},
	readout: null,
	inEntries: false,
});
