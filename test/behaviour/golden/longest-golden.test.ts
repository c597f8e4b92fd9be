/** The longest game, see `golden.test.ts`. */

import { describe } from 'vitest';
import { LONGEST_GAME } from '../../support/scenes.ts';
import { testGame } from './any-game.ts';

describe(LONGEST_GAME, () => testGame(LONGEST_GAME));
