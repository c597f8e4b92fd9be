/**
 * Folders of this program. A clone has the sources and runs them. An installed package has only the built files.
 * Owns: the paths of both.
 */

import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The folder of `package.json`. Code runs from `relay/` in a clone, and from `dist/node/` in a package. */
export const ROOT = rootAbove(import.meta.dirname);

/** True if this program runs from its sources. */
export const IS_CLONE = existsSync(join(ROOT, 'web/index.html'));

/** The built page. */
export const PAGE = join(ROOT, 'dist/page');

/** Scenes, models and sounds that come with the project. The built page has a copy of them. */
export const PUBLIC = IS_CLONE ? join(ROOT, 'public') : PAGE;

function rootAbove(folder: string): string {
	return existsSync(join(folder, 'package.json')) ? folder : rootAbove(dirname(folder));
}
