/** An entity scored points. */

import { Hero } from '../components/hero.ts';
import { Name } from '../components/name.ts';
import { Role } from '../components/role.ts';
import { Tags } from '../components/tags.ts';
import { entityField, event } from '../contract/event.ts';
import { integer } from '../contract/values.ts';

const signed = { min: -0x80000000, max: 0x7fffffff };

export const Scored = event({
	kind: 'score',
	summary: 'An entity scored points; for a kill, victim is set',
	subject: 'entity',
	fields: {
		entity: entityField('Entity that scored'),
		points: integer('Number of points; negative: points were taken', signed),
		total: integer('Score of the entity after this', signed),
		team: integer('Team that the points count for', { max: 255 }).nullable(),
		victim: entityField('Entity whose death gave the points').nullable(),
	},
	remembers: [Name, Hero, Role, Tags],
});
