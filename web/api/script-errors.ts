/**
 * Errors of scripts on the ticks of a call.
 * Owns: how many are listed; all are counted.
 */

import type { StepScriptError } from '../../shared/routes/scripts.ts';
import { partState, type World } from '../sim/core/world.ts';
import { type RunningScript, Scripts } from '../sim/scripts/scripts.part.ts';

/** Maximum number of errors that one answer lists: the first ones. */
const MAX_LISTED = 5;

export class ScriptErrors {
	readonly #first: StepScriptError[] = [];
	#count = 0;
	#before: readonly RunningScript[];

	constructor(world: World) {
		this.#before = partState(world, Scripts).scripts;
	}

	/** Takes the errors of the tick that was just made. */
	take(world: World): void {
		const { scripts } = partState(world, Scripts);
		if (scripts === this.#before) return;
		for (const script of scripts) {
			const before = this.#before.find(({ name }) => name === script.name);
			// A script that was started again counts from 0.
			const added = script.failed - (before?.source === script.source ? before.failed : 0);
			if (added <= 0) continue;
			this.#count += added;
			for (const failure of script.failures.slice(-added))
				if (this.#first.length < MAX_LISTED) this.#first.push({ script: script.name, ...failure });
		}
		this.#before = scripts;
	}

	/** Fields of the answer: none if there were no errors. */
	told() {
		if (this.#count === 0) return {};
		return { script_errors: this.#first, script_error_count: this.#count };
	}
}
