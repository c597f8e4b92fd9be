/** The golden traces of the games. */

import { fileURLToPath } from 'node:url';
import { readGoldens } from '../../relay/build/golden-list.ts';

const pathOf = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

export const goldens = await readGoldens(pathOf('../behaviour/golden'), pathOf('../../public/scenes'));
