/** Tests the longest game in a file of its own, so that it runs beside `golden.test.ts`. */

import { describe } from 'vitest';
import { LONGEST_GAME } from '../../support/scenes.ts';
import { testGame } from './any-game.ts';

describe(LONGEST_GAME, () => testGame(LONGEST_GAME));
