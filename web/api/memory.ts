/** What worlds take in memory, as several routes answer it. */

import type { Host } from './context.ts';

export function memoryOf({ worlds }: Host) {
	return { bytes: worlds.weight(), budget: worlds.budget };
}
