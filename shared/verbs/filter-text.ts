/** Filters as texts, which select entities. */

import { namesBy } from '../contract/entity-mark.ts';
import { text } from '../contract/values.ts';

export const filterText = text(
	'Entities to include: any, entity:ID, team:N, role:R, tag:T, name:N or component:C, joined with +. Quotes hold blanks: name:"Oak 3"',
).meta({ ...namesBy('filter'), format: 'filter' });
