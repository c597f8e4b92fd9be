/**
 * Upper bound for the distance of a rig's vertices from its entity, at any moment of its clips.
 * Owns: this bound, which assumes that all bones are in one line. Entities that are farther outside the
 * picture are not drawn.
 */

import type { Rig, Track } from './pose.ts';

export class ReachBound {
	readonly #rig: Rig;
	readonly #clips = new Set<readonly Track[]>();
	readonly #nodes = new Map<string, number>();
	/** Maximum distance of each node from its parent (m). */
	readonly #distances: number[];
	/** Maximum size of each node. */
	readonly #sizes: number[];
	/** Upper bound, before the entity's own scale (m). */
	reach = 0;

	constructor(rig: Rig) {
		this.#rig = rig;
		this.#distances = rig.nodes.map(({ rest }) => Math.hypot(rest[0]!, rest[1]!, rest[2]!));
		this.#sizes = rig.nodes.map(({ rest }) => Math.max(...rest.subarray(7).map(Math.abs)));
		rig.nodes.forEach(({ name }, node) => {
			this.#nodes.set(name, node);
		});
		this.#updateReach();
	}

	/** Extends the bound for a clip. */
	addClip(tracks: readonly Track[] | null): void {
		if (tracks === null || this.#clips.has(tracks)) return;
		this.#clips.add(tracks);
		for (const { node, path, maxLength } of tracks) {
			const index = this.#nodes.get(node);
			if (index === undefined) continue;
			if (path === 'place') this.#distances[index] = Math.max(this.#distances[index]!, maxLength);
			if (path === 'size') this.#sizes[index] = Math.max(this.#sizes[index]!, maxLength);
		}
		this.#updateReach();
	}

	#updateReach(): void {
		const { nodes, bones, morphs } = this.#rig;
		const distances: number[] = [];
		const sizes: number[] = [];
		nodes.forEach(({ parent }, node) => {
			const size = parent < 0 ? 1 : sizes[parent]!;
			distances[node] = (parent < 0 ? 0 : distances[parent]!) + this.#distances[node]! * size;
			sizes[node] = size * this.#sizes[node]!;
		});
		// Weights of morph targets have no bound.
		this.reach =
			morphs.length > 0
				? Infinity
				: Math.max(0, ...bones.map(({ node, radius }) => distances[node]! + sizes[node]! * radius));
	}
}
