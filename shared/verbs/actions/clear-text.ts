/** The action `clear_text`: removes texts from the HUD. */

import { optional } from '../../contract/values.ts';
import { elementId } from '../../documents/hud.ts';
import { AT_ONCE, action } from './action.ts';
import { inOrder, optionalWord, plainWord } from './words.ts';

export const clearText = action({
	kind: 'clear_text',
	when: AT_ONCE,
	fields: { id: optional(elementId.describe('Name of the element to remove; left out: all texts')) },
	doc: 'Removes the HUD element of that name, or all texts. If there is none, it does nothing',
	form: '[ID]',
	...inOrder(optionalWord(plainWord('id'))),
	access: { reads: ['hud'], writes: ['hud'] },
});
