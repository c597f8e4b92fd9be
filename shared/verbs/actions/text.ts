/** The action `text`: shows words over the picture. */

import { number, text as textField } from '../../contract/values.ts';
import { action } from './action.ts';

export const text = action({
	kind: 'text',
	also: 'show_text',
	fields: {
		text: textField('What to show', 500),
		x: number('From the left edge, 0 to 1').default(0.5),
		y: number('From the top edge, 0 to 1').default(0.1),
		size: number('Height of the letters', { unit: 'pixels', min: 1, max: 500 }).default(20),
		color: textField('Colour').default('white'),
	},
	form: 'WORDS',
	read: (_, __, rest) => ({ text: rest }),
	access: { reads: ['hud'], writes: ['hud'] },
});
