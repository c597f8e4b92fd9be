/** Types of parent.mjs for TypeScript. */

/** Calls `onGone` once the parent is gone. Returns the timer, or undefined if npm did not start this process. */
export function watchParent(onGone: () => void): NodeJS.Timeout | undefined;
