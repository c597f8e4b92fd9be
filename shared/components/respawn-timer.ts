/** Time at which a dead entity respawns. */

import { component, scalar } from '../contract/component.ts';
import { TICK } from '../contract/tick.ts';

export const RespawnTimer = component({
	name: 'respawn_timer',
	title: 'RespawnTimer',
	scope: 'state',
	summary: 'A dead entity that will respawn at the spawn point of its team',
	fields: { at: scalar('u32', 'Tick during which it respawns', { unit: TICK }) },
});
