/** Handlers of the tag Gameplay that are about the environment for learning agents. */

import * as routes from '../../shared/routes/environment.ts';
import {
	agentEntities,
	environmentOf,
	environmentState,
	setEnvironment,
} from '../sim/environment/environment.ts';
import { handler } from './handler.ts';

export const handlers = [
	handler(routes.getEnvironment, ({ world }) => {
		const environment = environmentOf(world);
		const ids = agentEntities(world, environment);
		return {
			environment,
			agents: environment.agents.map(({ name }, i) => ({ name, entity_id: ids[i] ?? null })),
			state: environmentState(world),
		};
	}),

	handler(routes.setEnvironment, ({ world }, { body }) => {
		setEnvironment(world, body);
		return { message: `Declared the environment ${body.name}.` };
	}),
];
