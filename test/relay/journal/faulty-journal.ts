/** A journal whose disk is full or slow when a test requests it. */

import { type Journal, JournalError } from '../../../shared/transport/journal.ts';

export class FaultyDisk {
	/** True while appends fail because the disk is full. */
	isFull = false;
	#blocked: Promise<void> | undefined;
	#release: () => void = () => {};

	/** Makes appends wait until `release`. */
	hold(): void {
		this.#blocked = new Promise((resolve) => {
			this.#release = resolve;
		});
	}

	release(): void {
		this.#blocked = undefined;
		this.#release();
	}

	/** Returns the journal on this disk. */
	under<J extends Journal>(journal: J): J {
		const append: Journal['append'] = async (...given) => {
			if (this.#blocked !== undefined) await this.#blocked;
			if (this.isFull) throw new JournalError('full', 'The entries could not be written: the disk is full.');
			return journal.append(...given);
		};
		return new Proxy(journal, {
			get(target, name) {
				if (name === 'append') return append;
				const value: unknown = Reflect.get(target, name, target);
				return typeof value === 'function' ? value.bind(target) : value;
			},
		});
	}
}
