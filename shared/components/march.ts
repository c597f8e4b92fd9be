/** Which way an entity walks when it has nothing to fight. */

import { component, vector3 } from '../contract/component.ts';

export const March = component({
	name: 'march',
	title: 'MarchDirection',
	scope: 'state',
	summary: 'Direction a fighter walks in while it has no target',
	fields: { direction: vector3('Direction, of length 1', 'unit vector', [1, 0, 0]) },
});
