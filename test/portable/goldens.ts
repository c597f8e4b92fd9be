/** The golden traces of the games, as they stand beside their tests. */

import { fileURLToPath } from 'node:url';
import { readGoldens } from '../../relay/build/golden-list.ts';

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

export const goldens = await readGoldens(here('../behaviour/golden'), here('../../public/scenes'));
