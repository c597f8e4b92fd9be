/** List of all handlers, one for every declared route. */

import { handlers as actions } from './actions.ts';
import { handlers as animation } from './animation.ts';
import { handlers as assertions } from './assertions.ts';
import { handlers as assets } from './assets.ts';
import { handlers as audio } from './audio.ts';
import { handlers as auth } from './auth.ts';
import { handlers as batch } from './batch.ts';
import { handlers as calls } from './calls.ts';
import { handlers as camera } from './camera.ts';
import { handlers as catalog } from './catalog.ts';
import { handlers as economy } from './economy.ts';
import { handlers as effects } from './effects.ts';
import { handlers as environment } from './environment.ts';
import { handlers as feedback } from './feedback.ts';
import { handlers as fighting } from './fighting.ts';
import { handlers as foliage } from './foliage.ts';
import { handlers as forks } from './forks.ts';
import { handlers as gameplay } from './gameplay.ts';
import { handlers as generate } from './generate.ts';
import type { Handler } from './handler.ts';
import { handlers as heroes } from './heroes.ts';
import { handlers as inevitable } from './inevitable.ts';
import { handlers as input } from './input.ts';
import { handlers as journal } from './journal.ts';
import { handlers as match } from './match.ts';
import { handlers as materials } from './materials.ts';
import { handlers as navigation } from './navigation.ts';
import { handlers as operations } from './operations.ts';
import { handlers as particles } from './particles.ts';
import { handlers as postprocess } from './postprocess.ts';
import { handlers as rules } from './rules.ts';
import { handlers as scenes } from './scenes.ts';
import { handlers as scripts } from './scripts.ts';
import { handlers as simulation } from './simulation.ts';
import { handlers as sky } from './sky.ts';
import { handlers as snapshots } from './snapshots.ts';
import { handlers as sweep } from './sweep.ts';
import { handlers as templates } from './templates.ts';
import { handlers as terrain } from './terrain.ts';
import { handlers as tuning } from './tuning.ts';
import { handlers as ui } from './ui.ts';
import { handlers as why } from './why.ts';
import { handlers as world } from './world.ts';
import { handlers as worlds } from './worlds.ts';

export const handlers: readonly Handler[] = [
	...world,
	...worlds,
	...simulation,
	...gameplay,
	...actions,
	...match,
	...heroes,
	...effects,
	...economy,
	...fighting,
	...rules,
	...operations,
	...why,
	...calls,
	...journal,
	...forks,
	...sweep,
	...inevitable,
	...scenes,
	...snapshots,
	...assertions,
	...batch,
	...templates,
	...tuning,
	...environment,
	...input,
	...camera,
	...materials,
	...sky,
	...postprocess,
	...feedback,
	...particles,
	...ui,
	...terrain,
	...foliage,
	...navigation,
	...audio,
	...animation,
	...scripts,
	...assets,
	...catalog,
	...generate,
	...auth,
];
