/** Memory of all worlds, as several answers report it. */

import type { Host } from './context.ts';

export function memoryOf({ worlds }: Host) {
	return { bytes: worlds.room.totalBytes(), budget: worlds.room.memory.budget };
}
