/** All recipes, in the order of the guide. Add a new recipe to the file of its topic. */

import { BODIES } from './bodies.ts';
import { GAMES } from './games.ts';
import { ODDS } from './odds.ts';
import type { Recipe } from './recipe.ts';
import { WHYS } from './whys.ts';

export const recipes: readonly Recipe[] = [...BODIES, ...GAMES, ...ODDS, ...WHYS];
