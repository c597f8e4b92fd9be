/** The action `color`: sets the colour of entities. */

import { colorText } from '../../components/color.ts';
import { Refusal } from '../../contract/errors.ts';
import { writeTarget } from '../targets/index.ts';
import { AT_ONCE, action, readTargetField, target } from './action.ts';

export const color = action({
	kind: 'color',
	when: AT_ONCE,
	alias: 'set_color',
	fields: { target, color: colorText },
	form: 'TARGET COLOR',
	read: ([target, ...words], verb) => {
		if (words.length === 0) throw new Refusal(`the colour is missing after "${target ?? verb}"`);
		return { ...readTargetField(target), color: words.join(' ') };
	},
	write: ({ target, color: word }) => [writeTarget(target), word],
	access: { writes: ['color'] },
});
