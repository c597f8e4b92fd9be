/** Two colliders began or stopped touching. */

import { entityField, event } from '../contract/event.ts';
import { flag } from '../contract/values.ts';

export const Collision = event({
	kind: 'collision',
	summary: 'Two colliders began or stopped touching',
	subject: 'a',
	source: 'b',
	fields: {
		a: entityField('Entity with the lower id'),
		b: entityField('The other entity'),
		started: flag('true: they began to touch; false: they stopped touching'),
	},
});
