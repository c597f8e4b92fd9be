/** Two colliders began or stopped touching. */

import { event, someone } from '../contract/event.ts';
import { flag } from '../contract/values.ts';

export const Collision = event({
	kind: 'collision',
	summary: 'Two colliders began or stopped touching',
	subject: 'a',
	source: 'b',
	fields: {
		a: someone('Entity with the lower id'),
		b: someone('The other entity'),
		started: flag('true: they began to touch; false: they stopped touching'),
	},
});
