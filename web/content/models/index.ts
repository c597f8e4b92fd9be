/** List of all models of public/models, by the names of their files. */

import type { Sculpture } from '../../../relay/generate/procedural/sculpture.ts';
import { FIGURES } from './figures.ts';
import { THINGS } from './things.ts';
import { VILLAGE } from './village.ts';

export const MODELS: Readonly<Record<string, () => Sculpture>> = { ...FIGURES, ...THINGS, ...VILLAGE };
