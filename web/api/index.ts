/** The explicit list of handlers, one for every declared route. */

import { handlers as camera } from './camera.ts';
import { handlers as forks } from './forks.ts';
import { handlers as gameplay } from './gameplay.ts';
import type { Handler } from './handler.ts';
import { handlers as operations } from './operations.ts';
import { handlers as scenes } from './scenes.ts';
import { handlers as simulation } from './simulation.ts';
import { handlers as world } from './world.ts';

export const handlers: readonly Handler[] = [
	...world,
	...simulation,
	...gameplay,
	...operations,
	...forks,
	...scenes,
	...camera,
];
