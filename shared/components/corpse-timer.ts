/** Time at which a corpse is removed. */

import { component, scalar } from '../contract/component.ts';
import { TICK } from '../contract/tick.ts';

export const CorpseTimer = component({
	name: 'corpse_timer',
	title: 'CorpseTimer',
	scope: 'state',
	summary: 'A dead entity that will be removed from the world',
	fields: { at: scalar('u32', 'Tick during which it is removed', { unit: TICK }) },
});
