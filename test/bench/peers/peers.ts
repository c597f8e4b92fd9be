/** All native peers that a registry provides. Without Python or a package, their rows have the reason. */

import type { Result } from '../measure.ts';
import { boxes } from './boxes.ts';
import { chance } from './chance.ts';
import { environments } from './environments.ts';

export async function peers(): Promise<Result[]> {
	return [...(await boxes()), ...(await chance()), ...(await environments())];
}
