/**
 * The world's place: one tab of this origin holds it at a time.
 * Owns: the lock. It is given up when the tab ends, and taken by force when a person asks for it elsewhere.
 */

const LOCK = 'orrery-world';

export interface PlaceWatch {
	/** This tab holds the place now. */
	readonly held: () => void;
	/** Another tab holds it. */
	readonly waiting: () => void;
	/** This tab held it and another took it. */
	readonly lost: () => void;
}

/** Asks for the place, and keeps it until the tab ends or loses it. Answers a function that takes it by force. */
export function askForPlace(watch: PlaceWatch): () => void {
	const keep = () => new Promise<never>(() => {});

	function take(options: LockOptions): void {
		let mine = false;
		navigator.locks
			.request(LOCK, options, (lock) => {
				if (lock === null) {
					watch.waiting();
					return queue();
				}
				mine = true;
				watch.held();
				return keep();
			})
			.catch((error: unknown) => {
				// A lock that was stolen rejects with an AbortError: the only way to hear of it.
				if (!mine || !(error instanceof DOMException) || error.name !== 'AbortError') throw error;
				watch.lost();
				queue();
			});
	}

	/** Stands in line, so that the place is taken when the tab that holds it is closed. */
	let standing: AbortController | undefined;
	function queue(): void {
		standing = new AbortController();
		const { signal } = standing;
		let mine = false;
		navigator.locks
			.request(LOCK, { signal }, () => {
				mine = true;
				watch.held();
				return keep();
			})
			.catch((error: unknown) => {
				if (mine) {
					watch.lost();
					queue();
				} else if (!signal.aborted) throw error;
			});
	}

	take({ ifAvailable: true });
	return () => {
		standing?.abort();
		take({ steal: true });
	};
}
