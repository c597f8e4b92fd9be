/** Types of parent.mjs for TypeScript. */

/** Calls `onEnd` when the parent process has ended. Returns the timer, or undefined if npm did not start this process. */
export function watchParent(onEnd: () => void): NodeJS.Timeout | undefined;
