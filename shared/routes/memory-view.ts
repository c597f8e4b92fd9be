/** Memory that worlds take, as several routes answer it. */

import * as z from 'zod';

export const memoryBytes = (description: string) =>
	z.int().min(0).describe(`${description} (bytes, estimated)`);

export const memory = z
	.strictObject({
		bytes: memoryBytes('Memory used by all worlds and snapshots; shared memory counts once'),
		budget: memoryBytes(
			'Largest amount they may use; beyond it, forks, snapshots, steps and other calls that need memory are refused with out_of_room',
		),
	})
	.describe('Memory of all worlds');
