/** Memory of all worlds, as several answers report it. */

import type { Host } from './context.ts';

export function memoryOf({ worlds }: Host) {
	return { bytes: worlds.room.weight(), budget: worlds.room.memory.budget };
}
