/** All models of public/models, by the names of their files. */

import { FIGURES } from './figures.ts';
import type { Sculpture } from './sculpture.ts';
import { THINGS } from './things.ts';
import { VILLAGE } from './village.ts';

export const MODELS: Readonly<Record<string, () => Sculpture>> = { ...FIGURES, ...THINGS, ...VILLAGE };
