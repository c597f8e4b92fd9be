/** The status effect that a trigger zone puts on what is inside it. */

import { component, json } from '../contract/component.ts';
import { type EffectDocument, effectDocument } from './effects.ts';

const DEFAULT: EffectDocument = effectDocument.parse({});

export const ZoneEffect = component({
	name: 'zone_effect',
	title: 'ZoneEffect',
	scope: 'state',
	summary: 'The status effect that a trigger zone puts on the living inside it, on every tick anew',
	fields: {
		effect: json<EffectDocument>(effectDocument, DEFAULT, 'The effect'),
	},
	readout: { schema: effectDocument, from: (row) => row.effect },
});
