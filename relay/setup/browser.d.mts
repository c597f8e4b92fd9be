/** Types of browser.mjs for TypeScript. */

/** The path of a browser's program that is there, or undefined. Throws when the environment names a wrong one. */
export function presentBrowser(): string | undefined;
/** The path of a browser's program; brings one when there is none. Rejects with what to install. */
export function findBrowser(root: string, node: string): Promise<string>;
