/** Targets of actions as data: whom an action is about. Owns: their vocabulary in typed form. */

import * as z from 'zod';
import { entityId, text, word } from '../contract/values.ts';
import { filterText } from './condition.ts';
import { teamNumber } from './spawn.ts';

/** Whom an action is about. */
export const targetDocument = z
	.union([
		word(['this', 'source'], 'The entity the rule fired for, or who caused it'),
		z.strictObject({ entity: entityId }),
		z.strictObject({ tag: text('All entities with this label') }),
		z.strictObject({ team: teamNumber.describe('All entities of this team') }),
		z.strictObject({
			nearest: filterText.describe('The entity nearest to this that the filter lets through'),
		}),
		z.strictObject({ all: filterText.describe('All entities that the filter lets through') }),
	])
	.describe('this, source, {entity}, {tag}, {team}, {nearest: filter} or {all: filter}')
	.meta({ id: 'Target' });

export type Target = z.output<typeof targetDocument>;
