/**
 * A condition that is evaluated repeatedly.
 * Owns: its memory between evaluations, such as the entities that were inside a zone.
 */

import type { Condition } from '../../../../shared/verbs/conditions/index.ts';
import type { World } from '../../core/world.ts';
import type { ConditionFinding } from './condition.ts';
import { ConditionLook } from './evaluate-condition.ts';

export class ConditionWatch {
	readonly condition: Condition;
	readonly #since: number;
	#keys: ReadonlySet<string> | undefined;
	#last: { readonly tick: number; readonly finding: ConditionFinding } | undefined;

	/** Periods start at tick `since`. */
	constructor(condition: Condition, since = 0) {
		this.condition = condition;
		this.#since = since;
	}

	/** Returns a watch with a saved memory. */
	static withMemory(condition: Condition, keys: readonly string[] | undefined): ConditionWatch {
		const watch = new ConditionWatch(condition);
		watch.#keys = keys && new Set(keys);
		return watch;
	}

	/** Returns the current finding. A second call on the same tick returns the first finding. */
	find(world: World): ConditionFinding {
		if (this.#last?.tick === world.tick) return this.#last.finding;
		const look = this.#look(world);
		const finding = look.find(this.condition);
		this.#keys = new Set(look.rememberedKeys);
		this.#last = { tick: world.tick, finding };
		return finding;
	}

	/** Returns a watch with the same condition and memory. */
	copy(): ConditionWatch {
		const copy = new ConditionWatch(this.condition, this.#since);
		copy.#keys = this.#keys;
		copy.#last = this.#last;
		return copy;
	}

	/** Its whole memory as a text. Later findings depend on nothing else of the past. */
	get memory(): string {
		return this.#keys === undefined ? '' : [...this.#keys].sort().join(' ');
	}

	/** Its memory as a list; undefined before the first evaluation. */
	get memoryKeys(): readonly string[] | undefined {
		return this.#keys && [...this.#keys];
	}

	/** Returns true if it would hold in a possible next world. Does not change the memory. */
	holdsIn(next: World): boolean {
		return this.#look(next).find(this.condition).passed;
	}

	#look(world: World): ConditionLook {
		return new ConditionLook(world, {
			since: this.#since,
			...(this.#keys === undefined ? {} : { rememberedKeys: this.#keys }),
		});
	}
}
