/**
 * The world's place in this browser profile: one tab of this origin has an engine at a time.
 * Owns: the lock. It is given up when the tab ends, and can be taken by force.
 */

/** The lock's name. */
export const PLACE = 'orrery-world';

/** The lock, held by this tab until it ends. */
export interface TabLock {
	/** Resolves when another tab has taken it by force. */
	readonly lost: Promise<void>;
}

/** Takes the place if no tab of this profile has it; undefined when one has. */
export function takeFreeTabLock(): Promise<TabLock | undefined> {
	return ask({ ifAvailable: true });
}

/** Stands in line, and has the place when the tab that has it ends. Rejects with an AbortError when told to leave. */
export function queueForTabLock(signal: AbortSignal): Promise<TabLock | undefined> {
	return ask({ signal });
}

/** Takes the place from whichever tab has it. */
export function stealTabLock(): Promise<TabLock | undefined> {
	return ask({ steal: true });
}

function ask(options: LockOptions): Promise<TabLock | undefined> {
	return new Promise((resolve, reject) => {
		let steal = (): void => {};
		const lost = new Promise<void>((done) => {
			steal = done;
		});
		let mine = false;
		navigator.locks
			.request(PLACE, options, (lock) => {
				if (lock === null) {
					resolve(undefined);
					return;
				}
				mine = true;
				resolve({ lost });
				return new Promise<never>(() => {});
			})
			.catch((error: unknown) => {
				// A lock that was stolen rejects with an AbortError: the only way to hear of it.
				if (mine && error instanceof DOMException && error.name === 'AbortError') steal();
				else reject(error);
			});
	});
}
