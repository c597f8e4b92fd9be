/** Somebody was given points. */

import { Hero } from '../components/hero.ts';
import { Role } from '../components/role.ts';
import { Tags } from '../components/tags.ts';
import { event, someone } from '../contract/event.ts';
import { integer } from '../contract/values.ts';

const signed = { min: -0x80000000, max: 0x7fffffff };

export const Scored = event({
	kind: 'score',
	summary: 'An entity was given points, for a kill if there is a victim',
	subject: 'entity',
	fields: {
		entity: someone('Who was given them'),
		points: integer('How many; below 0 they were taken', signed),
		total: integer('Its score now', signed),
		team: integer('Team that they count for', { max: 255 }).nullable(),
		victim: someone('Whose death they are for').nullable(),
	},
	remembers: [Hero, Role, Tags],
});
