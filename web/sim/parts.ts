/** The explicit list of a world's parts: state that is not columns. */

import { Events } from './core/events.ts';
import type { Part } from './core/part.ts';
import { Physics } from './physics/physics.part.ts';

export const parts: readonly Part[] = [Events as Part, Physics as Part];
