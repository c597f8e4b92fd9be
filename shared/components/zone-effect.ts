/** The status effect that a trigger zone applies to entities inside it. */

import { component, json } from '../contract/component.ts';
import { type EffectDocument, effectDocument } from './effects.ts';

const DEFAULT: EffectDocument = effectDocument.parse({});

export const ZoneEffect = component({
	name: 'zone_effect',
	title: 'ZoneEffect',
	scope: 'state',
	summary: 'Status effect that a trigger zone applies to each living entity inside it, on every tick',
	fields: {
		effect: json<EffectDocument>(effectDocument, DEFAULT, 'The effect'),
	},
	readout: { schema: effectDocument, from: (row) => row.effect },
});
