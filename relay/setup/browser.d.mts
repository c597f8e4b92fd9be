/** Types of browser.mjs for TypeScript. */

/** Returns true if a start with these flags opens a headless browser. */
export function startNeedsBrowser(flags: readonly string[]): boolean;
/** Returns the path of an installed browser's program, or undefined. Throws if the environment names a missing one. */
export function presentBrowser(): string | undefined;
/** Returns the path of a browser's program. Installs a browser if there is none. Rejects with an instruction if this fails. */
export function findBrowser(node: string): Promise<string>;
