/** Priority queue of a path search. Owns: the order. */

/** Binary heap of places, or rooms, by cost. Of equal costs, the lowest place comes first. */
export class Heap {
	readonly #costs: number[] = [];
	readonly #places: number[] = [];

	push(cost: number, place: number): void {
		const costs = this.#costs;
		const places = this.#places;
		let at = costs.length;
		costs.push(cost);
		places.push(place);
		while (at > 0) {
			const up = (at - 1) >> 1;
			if (costs[up]! < cost || (costs[up] === cost && places[up]! <= place)) break;
			costs[at] = costs[up]!;
			places[at] = places[up]!;
			at = up;
		}
		costs[at] = cost;
		places[at] = place;
	}

	/** Removes and returns the place with the lowest cost; -1 if the heap is empty. */
	pop(): number {
		const costs = this.#costs;
		const places = this.#places;
		if (costs.length === 0) return -1;
		const top = places[0]!;
		const cost = costs.pop()!;
		const place = places.pop()!;
		const { length } = costs;
		if (length === 0) return top;
		let at = 0;
		for (;;) {
			let down = 2 * at + 1;
			if (down >= length) break;
			const other = down + 1;
			if (
				other < length &&
				(costs[other]! < costs[down]! || (costs[other] === costs[down] && places[other]! < places[down]!))
			)
				down = other;
			if (cost < costs[down]! || (cost === costs[down] && place <= places[down]!)) break;
			costs[at] = costs[down]!;
			places[at] = places[down]!;
			at = down;
		}
		costs[at] = cost;
		places[at] = place;
		return top;
	}
}
