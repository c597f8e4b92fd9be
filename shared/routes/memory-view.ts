/** Memory of worlds in answers of several routes. */

import * as z from 'zod';

/** Returns the schema of an amount of memory. */
export const memoryBytes = (description: string) =>
	z.int().min(0).describe(`${description} (bytes, estimated)`);

export const memory = z
	.strictObject({
		bytes: memoryBytes('Memory used by all worlds and snapshots; shared memory counts once'),
		budget: memoryBytes(
			'Maximum that they may use. Beyond it, forks, snapshots, steps and other calls that need memory are refused with out_of_room',
		),
	})
	.describe('Memory of all worlds');
