/** Two colliders met or parted. */

import { event, someone } from '../contract/event.ts';
import { flag } from '../contract/values.ts';

export const Collision = event({
	kind: 'collision',
	summary: 'Two colliders began or ceased to touch',
	subject: 'a',
	source: 'b',
	fields: {
		a: someone('The one with the lower id'),
		b: someone('The other'),
		started: flag('Whether they began to touch; otherwise they ceased to'),
	},
});
