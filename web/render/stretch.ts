/**
 * Upper bound for the distance of a rig's vertices from its entity, at any moment of its clips.
 * Owns: this bound, which assumes all bones in one line. Entities farther than that from the picture are not drawn.
 */

import type { Rig, Track } from './pose.ts';

export class Stretch {
	readonly #rig: Rig;
	readonly #measured = new Set<readonly Track[]>();
	readonly #nodes = new Map<string, number>();
	/** Greatest distance of each node from its parent. */
	readonly #far: number[];
	/** Greatest size of each node. */
	readonly #size: number[];
	/** The bound before the entity's own scale (m). */
	reach = 0;

	constructor(rig: Rig) {
		this.#rig = rig;
		this.#far = rig.nodes.map(({ rest }) => Math.hypot(rest[0]!, rest[1]!, rest[2]!));
		this.#size = rig.nodes.map(({ rest }) => Math.max(...rest.subarray(7).map(Math.abs)));
		rig.nodes.forEach(({ name }, node) => {
			this.#nodes.set(name, node);
		});
		this.#measure();
	}

	/** Extends the bound for a clip. */
	add(tracks: readonly Track[] | null): void {
		if (tracks === null || this.#measured.has(tracks)) return;
		this.#measured.add(tracks);
		for (const { node, path, far } of tracks) {
			const at = this.#nodes.get(node);
			if (at === undefined) continue;
			if (path === 'place') this.#far[at] = Math.max(this.#far[at]!, far);
			if (path === 'size') this.#size[at] = Math.max(this.#size[at]!, far);
		}
		this.#measure();
	}

	#measure(): void {
		const { nodes, bones, morphs } = this.#rig;
		const ends: number[] = [];
		const sizes: number[] = [];
		nodes.forEach(({ parent }, node) => {
			const size = parent < 0 ? 1 : sizes[parent]!;
			ends[node] = (parent < 0 ? 0 : ends[parent]!) + this.#far[node]! * size;
			sizes[node] = size * this.#size[node]!;
		});
		// Weights of morph targets have no bound.
		this.reach =
			morphs.length > 0
				? Infinity
				: Math.max(0, ...bones.map(({ node, radius }) => ends[node]! + sizes[node]! * radius));
	}
}
