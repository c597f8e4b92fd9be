/** Hashes of terrain tiles. */

import { expect, test } from 'vitest';
import { chunkCount, chunkPlace, type TerrainGround } from '../../../../shared/media/terrain.ts';
import { toBase64 } from '../../../../web/sim/core/base64.ts';
import { tileHashes } from '../../../../web/sim/terrain/tiles.ts';

function ground(width: number, height: number, heights: (count: number) => string): TerrainGround {
	const empty = { width, height, cell_size: 1, chunks: [] };
	const chunks = Array.from({ length: chunkCount(empty) }, (_, index) => {
		const { columns, rows } = chunkPlace(empty, index);
		return { heights: heights(columns * rows), paint: '' };
	});
	return { ...empty, chunks };
}

test('a flat tile has the same hash with omitted and with written heights', () => {
	// Some of these chunks have equal numbers of points, but other widths.
	for (const [width, height] of [
		[64, 10],
		[42, 32],
		[52, 48],
		[48, 52],
		[33, 40],
		[40, 33],
	] as const) {
		const flat = ground(width, height, () => '');
		const written = ground(width, height, (count) => toBase64(new Uint8Array(4 * count)));
		expect(tileHashes(flat), `${width} x ${height}`).toEqual(tileHashes(written));
	}
});
