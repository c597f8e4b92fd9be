/**
 * Detects the end of the parent process.
 * npm starts scripts through a shell that does not forward signals. So only the end of the shell shows that `npm start`
 * or `npx` was stopped.
 * Owns: this check.
 */

/**
 * Calls `onEnd` when the parent process has ended. Returns the timer, or undefined if npm did not start this process.
 * @param {() => void} onEnd
 * @returns {NodeJS.Timeout | undefined}
 */
export function watchParent(onEnd) {
	if (process.env.npm_lifecycle_event === undefined || process.platform === 'win32') return undefined;
	const parent = process.ppid;
	const timer = setInterval(() => {
		if (process.ppid === parent) return;
		clearInterval(timer);
		onEnd();
	}, 500);
	return timer;
}
