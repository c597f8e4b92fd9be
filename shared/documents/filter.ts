/** Filters in typed form: which entities something is about. Owns: their vocabulary. */

import * as z from 'zod';
import { ROLES } from '../components/role.ts';
import { entityId, integer, text, toldApart, word } from '../contract/values.ts';

const leaf = z.discriminatedUnion('type', [
	z.strictObject({ type: z.literal('any') }),
	z.strictObject({ type: z.literal('entity'), entity: entityId }),
	z.strictObject({ type: z.literal('team'), team: integer('Team number', { max: 255 }) }),
	z.strictObject({ type: z.literal('role'), role: word(ROLES, 'Role') }),
	z.strictObject({ type: z.literal('tag'), tag: text('Label') }),
	z.strictObject({ type: z.literal('has_component'), component: text('Component') }),
]);

const all = <F extends z.ZodType>(inner: F) =>
	z.strictObject({ type: z.literal('and'), filters: z.array(inner).max(20) });

const inner = z.discriminatedUnion('type', [leaf, all(leaf)]).meta({ id: 'SimpleFilter' });
const middle = z.discriminatedUnion('type', [leaf, all(inner)]).meta({ id: 'InnerFilter' });

/** Typed form. */
export const filterDocument = toldApart(
	'type',
	z
		.discriminatedUnion('type', [leaf, all(middle)])
		.describe(
			'Which entities: any, entity, team, role, tag, has_component, or several with and, up to three deep',
		)
		.meta({ id: 'Filter' }),
	'filters',
);

export type Filter = z.output<typeof filterDocument>;
