/** An entity died. */

import { Hero } from '../components/hero.ts';
import { Name } from '../components/name.ts';
import { Role } from '../components/role.ts';
import { Tags } from '../components/tags.ts';
import { Team } from '../components/team.ts';
import { entityField, event } from '../contract/event.ts';

export const Death = event({
	kind: 'death',
	summary: 'An entity died',
	subject: 'entity',
	source: 'killer',
	fields: {
		entity: entityField('Entity that died'),
		killer: entityField('Source of the last damage that had a source').nullable(),
	},
	remembers: [Name, Hero, Role, Team, Tags],
});
