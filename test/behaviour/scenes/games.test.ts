/** Claims that hold for every game of public/scenes. `longest-game.test.ts` has the remaining game. */

import { describe } from 'vitest';
import { shorterGames } from '../../support/scenes.ts';
import { testGame } from './any-game.ts';

describe.each(shorterGames())('%s', testGame);
