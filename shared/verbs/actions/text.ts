/** The action `text`: shows a text over the picture. */

import { number, text as textField } from '../../contract/values.ts';
import { action } from './action.ts';

export const text = action({
	kind: 'text',
	also: 'show_text',
	fields: {
		text: textField('Text to show', 500),
		x: number('Horizontal position: 0 is the left edge, 1 the right edge').default(0.5),
		y: number('Vertical position: 0 is the top edge, 1 the bottom edge').default(0.1),
		size: number('Height of the letters', { unit: 'pixels', min: 1, max: 500 }).default(20),
		color: textField('Colour').default('white'),
	},
	form: 'WORDS',
	read: (_, __, rest) => ({ text: rest }),
	access: { reads: ['hud'], writes: ['hud'] },
});
