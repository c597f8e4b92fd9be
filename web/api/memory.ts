/** Memory that worlds take, as several routes answer it. */

import type { Host } from './context.ts';

export function memoryOf({ worlds }: Host) {
	return { bytes: worlds.room.weight(), budget: worlds.room.memory.budget };
}
