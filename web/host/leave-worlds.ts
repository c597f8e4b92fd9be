/**
 * A tab that is about to go has the relay keep its worlds.
 * Owns: holding the browser back until that is done. Never: asks a person; says what is sent.
 */

/** Longest time that the browser is held back (ms). After a second of silence it closes a page without its word. */
const HOLD_MS = 600;

/**
 * Told in `beforeunload`: `leave` has the engine's Worker begin, and write 1 to its argument when it is done. Answers whether
 * it was done in time. Meanwhile this thread waits in place, since nothing else keeps a browser from closing the tab, and
 * its Workers with it, at once; while the browser then asks whether to leave, the Worker goes on.
 */
export function leaveWorlds(leave: (kept: Int32Array<SharedArrayBuffer>) => void): boolean {
	if (!crossOriginIsolated) return false;
	const kept = new Int32Array(new SharedArrayBuffer(4));
	leave(kept);
	const end = performance.now() + HOLD_MS;
	while (Atomics.load(kept, 0) === 0) if (performance.now() > end) return false;
	return true;
}
