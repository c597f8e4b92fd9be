/** Surface of an entity, in addition to its colour. The state does not depend on it, so no digest includes it. */

import * as z from 'zod';
import { component, json } from '../contract/component.ts';
import { optional } from '../contract/values.ts';
import {
	type MaterialValues,
	materialFields,
	materialName,
	materialSchema,
	materialValues,
} from '../media/material.ts';

const materialDocument = z
	.strictObject({
		name: optional(materialName.describe('Named material; the other fields override it')),
		...materialFields,
	})
	.describe('A material by its fields')
	.meta({ id: 'Material' });

const readout = z.strictObject({ name: z.string().optional(), ...materialFields });

export const Material = component({
	name: 'material',
	title: 'Material',
	scope: 'view',
	summary: 'Surface: a named material, and values that override it',
	fields: {
		name: json<string | null>(z.string().nullable(), null, 'Named material, or null'),
		values: json<MaterialValues>(materialSchema, {}, 'Values of this entity alone'),
	},
	readout: {
		schema: readout,
		from: ({ name, values }) => ({ ...(name === null ? {} : { name }), ...values }),
	},
	spawn: {
		fields: {
			material: optional(
				z
					.union([materialName, materialDocument])
					.describe('Surface: the name of a material of /material/define, or its fields'),
			),
		},
		row: ({ material }) => {
			if (material == null) return null;
			if (typeof material === 'string') return { name: material, values: {} };
			return { name: material.name ?? null, values: materialValues(material) };
		},
		describe: (row) => {
			if (row === undefined) return { material: undefined };
			const { name, values } = row;
			const hasNoValues = Object.keys(values).length === 0;
			if (hasNoValues && name !== null) return { material: name };
			return { material: { ...(name === null ? {} : { name }), ...(values as object) } };
		},
	},
});
