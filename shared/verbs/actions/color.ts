/** The action `color`: sets the colour of entities. */

import { colorText } from '../../components/color.ts';
import { Refusal } from '../../contract/errors.ts';
import { writeTarget } from '../targets/index.ts';
import { AT_ONCE, action, aimed, target } from './action.ts';

export const color = action({
	kind: 'color',
	when: AT_ONCE,
	alias: 'set_color',
	fields: { target, color: colorText },
	form: 'TARGET COLOR',
	read: ([whom, ...words], verb) => {
		if (words.length === 0) throw new Refusal(`the colour is missing after "${whom ?? verb}"`);
		return { ...aimed(whom), color: words.join(' ') };
	},
	write: ({ target: whom, color: word }) => [writeTarget(whom), word],
	access: { writes: ['color'] },
});
