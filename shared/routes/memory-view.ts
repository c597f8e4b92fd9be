/** What worlds take in memory, as several routes answer it. */

import * as z from 'zod';

export const memoryBytes = (description: string) =>
	z.int().min(0).describe(`${description} (bytes, estimated)`);

export const memory = z
	.strictObject({
		bytes: memoryBytes('Taken by all worlds and snapshots; what they share counts once'),
		budget: memoryBytes(
			'The most they may take; beyond it forks, snapshots and steps are refused as out_of_room',
		),
	})
	.describe('Memory of all worlds');
