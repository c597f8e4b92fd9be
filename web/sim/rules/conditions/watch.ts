/**
 * A condition that is looked at again and again.
 * Owns: its memory between looks: which entities were where.
 */

import type { Condition } from '../../../../shared/verbs/conditions/index.ts';
import type { World } from '../../core/world.ts';
import type { ConditionFinding } from './condition.ts';
import { ConditionLook } from './evaluate-condition.ts';

export class ConditionWatch {
	readonly condition: Condition;
	readonly #since: number;
	#before: ReadonlySet<string> | undefined;
	#last: { readonly tick: number; readonly finding: ConditionFinding } | undefined;

	/** Conditions count from `since`; left out, from the first tick. */
	constructor(condition: Condition, since = 0) {
		this.condition = condition;
		this.#since = since;
	}

	/** Returns a watch that remembers what another one did. */
	static having(condition: Condition, remembered: readonly string[] | undefined): ConditionWatch {
		const watch = new ConditionWatch(condition);
		watch.#before = remembered && new Set(remembered);
		return watch;
	}

	/** Returns the finding now; asked twice on one tick, the first finding. */
	find(world: World): ConditionFinding {
		if (this.#last?.tick === world.tick) return this.#last.finding;
		const look = this.#look(world);
		const finding = look.find(this.condition);
		this.#before = new Set(look.remembered);
		this.#last = { tick: world.tick, finding };
		return finding;
	}

	/** Another one that has seen the same. */
	copy(): ConditionWatch {
		const copy = new ConditionWatch(this.condition, this.#since);
		copy.#before = this.#before;
		copy.#last = this.#last;
		return copy;
	}

	/** All that it remembers, as a text: what it finds next depends on nothing else of the past. */
	get memory(): string {
		return this.#before === undefined ? '' : [...this.#before].sort().join(' ');
	}

	/** Returns the same as a list; undefined if it has not looked. */
	get remembered(): readonly string[] | undefined {
		return this.#before && [...this.#before];
	}

	/** Returns true if it would hold in a world that comes next. Nothing is remembered of it. */
	holdsIn(next: World): boolean {
		return this.#look(next).find(this.condition).passed;
	}

	#look(world: World): ConditionLook {
		return new ConditionLook(world, {
			since: this.#since,
			...(this.#before === undefined ? {} : { before: this.#before }),
		});
	}
}
