/**
 * The world's place in this browser profile: one tab of this origin has an engine at a time.
 * Owns: the lock. It is given up when the tab ends or its page is left, and can be taken by force.
 */

/** The lock's name. */
export const PLACE = 'orrery-world';

/** The lock, held by this tab until it ends, or its page is left. */
export interface TabLock {
	/** Resolves when another tab has taken it by force. */
	readonly lost: Promise<void>;
	/** For a tab that does without: the next one has it. */
	giveBack(): void;
}

/** Takes the place if no tab of this profile has it; undefined when one has. Gives it back when `left`, as the others do. */
export function takeFreeTabLock(left: AbortSignal): Promise<TabLock | undefined> {
	return ask({ ifAvailable: true }, left);
}

/** Stands in line, and has the place when the tab that has it ends. Never resolves when `left` before. */
export function queueForTabLock(left: AbortSignal): Promise<TabLock | undefined> {
	return ask({ signal: left }, left);
}

/** Takes the place from whichever tab has it. */
export function stealTabLock(left: AbortSignal): Promise<TabLock | undefined> {
	return ask({ steal: true }, left);
}

/** Whether a tab of this profile has the place. */
export async function isPlaceTaken(): Promise<boolean> {
	const { held = [] } = await navigator.locks.query();
	return held.some(({ name }) => name === PLACE);
}

function ask(options: LockOptions, left: AbortSignal): Promise<TabLock | undefined> {
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
				return new Promise<void>((giveBack) => {
					resolve({ lost, giveBack });
					if (left.aborted) giveBack();
					else left.addEventListener('abort', () => giveBack());
				});
			})
			.catch((error: unknown) => {
				// A lock that was stolen rejects with an AbortError: the only way to hear of it.
				if (mine && error instanceof DOMException && error.name === 'AbortError') steal();
				else if (!left.aborted) reject(error);
			});
	});
}
