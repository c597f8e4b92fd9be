/** Memory of all worlds, as several answers report it. */

import type { Host } from './context.ts';

/** Returns the used memory of all worlds, and its limit (bytes). */
export function memoryOf({ worlds }: Host) {
	return { bytes: worlds.room.totalBytes(), budget: worlds.room.memory.maxBytes };
}
