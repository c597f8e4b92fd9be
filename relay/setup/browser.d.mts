/** Types of browser.mjs for TypeScript. */

/** True if a start with these flags opens a headless browser. */
export function startNeedsBrowser(flags: readonly string[]): boolean;
/** The path of an installed browser's program, or undefined. Throws if the environment names a wrong one. */
export function presentBrowser(): string | undefined;
/** The path of a browser's program; downloads one if none is installed. Rejects with what to install. */
export function findBrowser(node: string): Promise<string>;
