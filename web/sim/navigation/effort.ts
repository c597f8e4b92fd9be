/**
 * Limits of building a navigation mesh.
 * Owns: the limits, and counting towards them. A mesh that would go over one is refused, and the previous one stays.
 */

import { ApiError } from '../../../shared/contract/errors.ts';
import { MAX_CELLS } from '../../../shared/documents/navmesh.ts';

/** Maximum number of places of a mesh: two floors above each other everywhere. */
export const MAX_PLACES = 2 * MAX_CELLS;
/** Maximum number of pieces of matter, one cell wide, of one tile: all are there at once. */
export const MAX_PIECES = 1 << 20;
/** Maximum number of pieces made for a mesh, and the number of triangles or places that count as one. */
export const MAX_WORK = 1 << 23;
const LOOKS_PER_PIECE = 16;

export class Effort {
	#pieces = 0;
	#work = 0;
	#places = 0;

	/** Another tile is counted. */
	begin(): void {
		this.#pieces = 0;
	}

	/** Counts pieces of matter to cut. Throws `bad_navmesh`. */
	pieces(count: number): void {
		this.#pieces += count;
		if (this.#pieces > MAX_PIECES)
			throw refused(`has more than ${MAX_PIECES} pieces of static bodies over one of its tiles`);
		this.#work += count;
		if (this.#work > MAX_WORK) throw tooMuch();
	}

	/** Counts triangles or places to look at. Throws `bad_navmesh`. */
	look(count: number): void {
		this.#work += count / LOOKS_PER_PIECE;
		if (this.#work > MAX_WORK) throw tooMuch();
	}

	/** A tile has this many places. Throws `bad_navmesh`. */
	placed(count: number): void {
		this.#places += count;
		if (this.#places > MAX_PLACES) throw refused(`has more than ${MAX_PLACES} walkable cells`);
	}
}

const tooMuch = () => refused('takes too long to compute from the static bodies');

function refused(what: string): ApiError {
	return new ApiError('bad_navmesh', `The navigation mesh ${what}.`, {
		fix: 'Generate it for a smaller area or with larger cells, use fewer triangles, or remove it with DELETE /navmesh.',
	});
}
