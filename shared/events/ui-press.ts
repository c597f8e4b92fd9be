/** A button of the HUD was pressed, by a person or by a call. */

import { event } from '../contract/event.ts';
import { text } from '../contract/values.ts';

export const UiPress = event({
	kind: 'ui_press',
	summary: 'A button of the HUD was pressed',
	fields: { button: text('Name of the button') },
});
