/** Mass of a Dynamic body. */

import * as z from 'zod';
import { component, scalar, singleValueSpawn } from '../contract/component.ts';
import { number, optional } from '../contract/values.ts';

const kilograms = number('Mass of a Dynamic body; without it 1', { unit: 'kg', min: 1e-3, max: 1e6 });

export const Mass = component({
	name: 'mass',
	title: 'Mass',
	scope: 'state',
	summary:
		'Mass of a Dynamic body. With the volume of its collider it decides how deep the body floats in water: 600 kg in 1 m³ is wood',
	fields: { kilograms: scalar('f32', 'Mass', { unit: 'kg', initial: 1, range: [1e-3, 1e6] }) },
	readout: { schema: z.number(), from: (row) => row.kilograms },
	spawn: singleValueSpawn('mass', 'kilograms', optional(kilograms)),
});
