/** Priority queue of a path search. Owns: the order. */

/** Binary heap of places or rooms by cost. For equal costs, the lowest number comes first. */
export class Heap {
	readonly #costs: number[] = [];
	readonly #places: number[] = [];

	push(cost: number, place: number): void {
		const costs = this.#costs;
		const places = this.#places;
		let index = costs.length;
		costs.push(cost);
		places.push(place);
		while (index > 0) {
			const parent = (index - 1) >> 1;
			if (costs[parent]! < cost || (costs[parent] === cost && places[parent]! <= place)) break;
			costs[index] = costs[parent]!;
			places[index] = places[parent]!;
			index = parent;
		}
		costs[index] = cost;
		places[index] = place;
	}

	/** Removes and returns the place or room with the lowest cost; -1 if the heap is empty. */
	pop(): number {
		const costs = this.#costs;
		const places = this.#places;
		if (costs.length === 0) return -1;
		const top = places[0]!;
		const cost = costs.pop()!;
		const place = places.pop()!;
		const { length } = costs;
		if (length === 0) return top;
		let index = 0;
		for (;;) {
			let child = 2 * index + 1;
			if (child >= length) break;
			const right = child + 1;
			if (
				right < length &&
				(costs[right]! < costs[child]! || (costs[right] === costs[child] && places[right]! < places[child]!))
			)
				child = right;
			if (cost < costs[child]! || (cost === costs[child] && place <= places[child]!)) break;
			costs[index] = costs[child]!;
			places[index] = places[child]!;
			index = child;
		}
		costs[index] = cost;
		places[index] = place;
		return top;
	}
}
