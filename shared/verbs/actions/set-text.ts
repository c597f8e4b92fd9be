/** The action `set_text`: changes a text on the HUD by its name. */

import { Refusal } from '../../contract/errors.ts';
import { optional } from '../../contract/values.ts';
import { elementId, lifetime, template, textFields } from '../../documents/hud.ts';
import { AT_ONCE, action } from './action.ts';

const { x, y, size, color, anchor } = textFields;

export const setText = action({
	kind: 'set_text',
	when: AT_ONCE,
	fields: {
		id: elementId,
		text: template,
		x: optional(x.unwrap()),
		y: optional(y.unwrap()),
		size: optional(size.unwrap()),
		color: optional(color.unwrap()),
		anchor: optional(anchor.unwrap()),
		lifetime,
	},
	doc: 'Changes the text or button of that name; fields left out keep their values. If there is none, it creates a text',
	form: 'ID WORDS',
	read: ([id], _, rest) => {
		if (id === undefined) throw new Refusal('"set_text" has no text');
		return { id, text: rest.slice(id.length).trim() };
	},
	write: ({ id, text: words }) => [id, words],
	access: { reads: ['hud'], writes: ['hud'], emits: ['action_failed'] },
});
