/**
 * Errors of scripts on the ticks of a call.
 * Owns: the limit of listed errors. All errors are counted.
 */

import type { StepScriptError } from '../../shared/routes/scripts.ts';
import { partState, type World } from '../sim/core/world.ts';
import { type RunningScript, Scripts } from '../sim/scripts/scripts.part.ts';

/** Maximum number of errors that an answer lists. They are the first ones. */
const MAX_LISTED = 5;

/** Collects the errors of scripts on the ticks of a call. */
export class ScriptErrors {
	readonly #listed: StepScriptError[] = [];
	#count = 0;
	#scripts: readonly RunningScript[];

	constructor(world: World) {
		this.#scripts = partState(world, Scripts).scripts;
	}

	/** Adds the errors of the tick that just ran. */
	addTick(world: World): void {
		const { scripts } = partState(world, Scripts);
		if (scripts === this.#scripts) return;
		for (const script of scripts) {
			const previous = this.#scripts.find(({ name }) => name === script.name);
			// The counter of a restarted script begins at 0.
			const newCount = script.failed - (previous?.source === script.source ? previous.failed : 0);
			if (newCount <= 0) continue;
			this.#count += newCount;
			for (const failure of script.failures.slice(-newCount))
				if (this.#listed.length < MAX_LISTED) this.#listed.push({ script: script.name, ...failure });
		}
		this.#scripts = scripts;
	}

	/** Returns fields for an answer; none if there were no errors. */
	fields() {
		if (this.#count === 0) return {};
		return { script_errors: this.#listed, script_error_count: this.#count };
	}
}
