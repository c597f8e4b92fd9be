/** Filters in typed form: which entities something is about. Owns: their vocabulary. */

import * as z from 'zod';
import { ROLES } from '../components/role.ts';
import { entityId, integer, text, word } from '../contract/values.ts';

const leaf = z.discriminatedUnion('type', [
	z.strictObject({ type: z.literal('any') }),
	z.strictObject({ type: z.literal('entity'), entity: entityId }),
	z.strictObject({ type: z.literal('team'), team: integer('Team number', { max: 255 }) }),
	z.strictObject({ type: z.literal('role'), role: word(ROLES, 'Role') }),
	z.strictObject({ type: z.literal('tag'), tag: text('Label') }),
	z.strictObject({ type: z.literal('has_component'), component: text('Component') }),
]);

/** Typed form. */
export const filterDocument = z
	.union([leaf, z.strictObject({ type: z.literal('and'), filters: z.array(leaf).max(20) })])
	.describe('Which entities: any, entity, team, role, tag, has_component, or several with and')
	.meta({ id: 'Filter' });

export type Filter = z.output<typeof filterDocument>;
