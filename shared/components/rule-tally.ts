/** Number of times that a rule fired. It has view scope, because the state does not depend on it. */

import { component, scalar } from '../contract/component.ts';
import { TICK } from '../contract/tick.ts';

export const RuleTally = component({
	name: 'rule_tally',
	title: 'RuleTally',
	scope: 'view',
	summary: 'Number of firings of a rule, and the last one; GET /diagnose shows it',
	fields: {
		count: scalar('u32', 'Firings, each for one entity or for none', { hidden: true }),
		last: scalar('u32', 'Ticks completed when it last fired', { unit: TICK, hidden: true }),
	},
	readout: null,
	inEntries: false,
});
