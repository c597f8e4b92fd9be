/** The golden trace of the longest game, see `golden.test.ts`. */

import { test } from 'vitest';
import { GAME_TIMEOUT, LONGEST_GAME } from '../../support/scenes.ts';
import { playsAsAccepted } from './plays-as-accepted.ts';

test(`golden trace of ${LONGEST_GAME}`, { timeout: GAME_TIMEOUT }, () => playsAsAccepted(LONGEST_GAME));
