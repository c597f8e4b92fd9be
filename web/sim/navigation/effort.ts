/**
 * Limits of building a navigation mesh.
 * Owns: the limits, and the counters. A mesh that would exceed a limit is refused, and the previous one stays.
 */

import { ApiError } from '../../../shared/contract/errors.ts';
import { MAX_CELLS } from '../../../shared/documents/navmesh.ts';

/** Maximum number of places of a mesh: two floors above each other everywhere. */
export const MAX_PLACES = 2 * MAX_CELLS;
/** Maximum number of pieces of matter, one cell wide, of one tile. All are in memory together. */
export const MAX_PIECES = 1 << 20;
/** Maximum work of building a mesh (pieces). */
export const MAX_WORK = 1 << 23;
/** Number of visited triangles or places that count as one piece. */
const VISITS_PER_PIECE = 16;

/** Counters of one rebuild. */
export class Effort {
	#pieces = 0;
	#work = 0;
	#places = 0;

	/** Starts counting the pieces of the next tile. */
	startTile(): void {
		this.#pieces = 0;
	}

	/** Counts pieces of matter to cut. Throws `bad_navmesh`. */
	countPieces(count: number): void {
		this.#pieces += count;
		if (this.#pieces > MAX_PIECES)
			throw meshError(`has more than ${MAX_PIECES} pieces of static bodies over one of its tiles`);
		this.#work += count;
		if (this.#work > MAX_WORK) throw workError();
	}

	/** Counts triangles or places to visit. Throws `bad_navmesh`. */
	countVisits(count: number): void {
		this.#work += count / VISITS_PER_PIECE;
		if (this.#work > MAX_WORK) throw workError();
	}

	/** Counts the places of a tile. Throws `bad_navmesh`. */
	countPlaces(count: number): void {
		this.#places += count;
		if (this.#places > MAX_PLACES) throw meshError(`has more than ${MAX_PLACES} walkable cells`);
	}
}

const workError = () => meshError('takes too long to compute from the static bodies');

function meshError(problem: string): ApiError {
	return new ApiError('bad_navmesh', `The navigation mesh ${problem}.`, {
		fix: 'Generate it for a smaller area or with larger cells, use fewer triangles, or remove it with DELETE /navmesh.',
	});
}
