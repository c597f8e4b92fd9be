/** View of one entity in /observe and /entities/{id}, derived from the components. */

import * as z from 'zod';
import { components } from '../components/index.ts';
import { readoutKey, readoutSchema } from '../contract/component.ts';
import { digest, entityId, generation, ticks } from '../contract/values.ts';

const shape: Record<string, z.ZodType> = { id: entityId, generation };
for (const component of components) {
	const key = readoutKey(component);
	if (key !== null) {
		const readout = readoutSchema(component);
		shape[key] = readout
			.meta({ id: `Entity${component.title}`, description: readout.description ?? component.summary })
			.optional();
	}
	const second = component.readout?.second;
	if (second) shape[second.key] = second.schema.describe(component.summary).optional();
}

export const entityView = z
	.strictObject(shape)
	.describe('An entity; it has only the fields of its components')
	.meta({ id: 'EntityView' });

/** Tick and digest of a world. Every answer that reads or steps a world contains them. */
export const worldStamp = {
	tick: ticks.describe('Ticks completed'),
	state_digest: digest,
};

export const entityCount = z.int().describe('Number of living entities, rules among them');
export const ruleCount = z.int().describe('Number of rules');

export const worldName = z
	.string()
	.describe('Name of the world, from POST /rename, or from the `name` of its scenario or level; empty: none');
export const entities = z.array(entityView).describe('Entities in id order');
