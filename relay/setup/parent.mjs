/**
 * Notices that the process that started this one is gone.
 * npm starts scripts through a shell that passes no signal on, so a stopped `npm start` or `npx` shows only there.
 * Owns: that check.
 */

/**
 * Calls `onGone` once the parent is gone. Returns the timer, or undefined if npm did not start this process.
 * @param {() => void} onGone
 * @returns {NodeJS.Timeout | undefined}
 */
export function watchParent(onGone) {
	if (process.env.npm_lifecycle_event === undefined || process.platform === 'win32') return undefined;
	const parent = process.ppid;
	const watch = setInterval(() => {
		if (process.ppid === parent) return;
		clearInterval(watch);
		onGone();
	}, 500);
	return watch;
}
