/** Filters written as texts: which entities are meant. */

import { namesBy } from '../contract/entity-mark.ts';
import { text } from '../contract/values.ts';

export const filterText = text(
	'Entities to include: any, entity:ID, team:N, role:R, tag:T or component:C, joined with +',
).meta({ ...namesBy('filter'), format: 'filter' });
