/**
 * Name of this browser and machine, according to the browser.
 * Owns: the recognised names of browsers and systems.
 */

/** Patterns in the order of their tests. A browser that also claims to be another one must come before it. */
const BROWSERS: readonly (readonly [name: string, version: RegExp])[] = [
	['Edge', /\bEdg\w*\/(\d+)/],
	['Opera', /\bOPR\/(\d+)/],
	['Firefox', /\bFirefox\/(\d+)/],
	['Chromium', /\b(?:Headless)?Chrom(?:e|ium)\/(\d+)/],
	['Safari', /\bVersion\/(\d+)[\d.]* (?:Mobile\/\w+ )?Safari\//],
];

const SYSTEMS: readonly (readonly [name: string, pattern: RegExp])[] = [
	['Android', /Android/],
	['iOS', /iPhone|iPad/],
	['macOS', /Mac OS X/],
	['Windows', /Windows/],
	['Linux', /Linux|X11/],
];

/** Returns a text such as `Firefox 153 on Linux x86_64`. Some browsers report x86 on every machine, for privacy. */
export function browserName(userAgent: string): string {
	const browser = BROWSERS.map(([name, version]) => [name, version.exec(userAgent)?.[1]] as const).find(
		([, version]) => version !== undefined,
	);
	const system = SYSTEMS.find(([, pattern]) => pattern.test(userAgent))?.[0];
	const processor = /\b(x86_64|aarch64|arm64|armv\w+|i686|x64)\b/i.exec(userAgent)?.[1];
	const browserText = browser === undefined ? 'This browser' : browser.join(' ');
	return [
		browserText,
		...(system === undefined ? [] : ['on', system]),
		...(processor ? [processor] : []),
	].join(' ');
}
