/** The action `text`: shows a text over the picture. */

import { optional } from '../../contract/values.ts';
import { elementId, lifetime, textFields } from '../../documents/hud.ts';
import { AT_ONCE, action } from './action.ts';

export const text = action({
	kind: 'text',
	when: AT_ONCE,
	alias: 'show_text',
	fields: {
		...textFields,
		anchor: optional(textFields.anchor.unwrap()),
		id: optional(elementId.describe('Name of the text; left out: it replaces one at the same position')),
		lifetime,
	},
	doc: 'Shows a text on the HUD. It replaces one of the same name or at the same position',
	form: 'WORDS',
	read: (_, __, rest) => ({ text: rest }),
	write: ({ text: words }) => [words],
	access: { reads: ['hud'], writes: ['hud'], emits: ['action_failed'] },
});
