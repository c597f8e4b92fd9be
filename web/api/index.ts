/** The explicit list of handlers, one for every declared route. */

import { handlers as assertions } from './assertions.ts';
import { handlers as assets } from './assets.ts';
import { handlers as batch } from './batch.ts';
import { handlers as calls } from './calls.ts';
import { handlers as camera } from './camera.ts';
import { handlers as economy } from './economy.ts';
import { handlers as effects } from './effects.ts';
import { handlers as fighting } from './fighting.ts';
import { handlers as forks } from './forks.ts';
import { handlers as gameplay } from './gameplay.ts';
import type { Handler } from './handler.ts';
import { handlers as heroes } from './heroes.ts';
import { handlers as match } from './match.ts';
import { handlers as materials } from './materials.ts';
import { handlers as operations } from './operations.ts';
import { handlers as rules } from './rules.ts';
import { handlers as scenes } from './scenes.ts';
import { handlers as simulation } from './simulation.ts';
import { handlers as sky } from './sky.ts';
import { handlers as snapshots } from './snapshots.ts';
import { handlers as templates } from './templates.ts';
import { handlers as terrain } from './terrain.ts';
import { handlers as tuning } from './tuning.ts';
import { handlers as ui } from './ui.ts';
import { handlers as world } from './world.ts';

export const handlers: readonly Handler[] = [
	...world,
	...simulation,
	...gameplay,
	...match,
	...heroes,
	...effects,
	...economy,
	...fighting,
	...rules,
	...operations,
	...calls,
	...forks,
	...scenes,
	...snapshots,
	...assertions,
	...batch,
	...templates,
	...tuning,
	...camera,
	...materials,
	...sky,
	...ui,
	...terrain,
	...assets,
];
