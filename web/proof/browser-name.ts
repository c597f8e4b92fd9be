/**
 * Name of this browser and machine, as far as the browser gives them. Owns: those words.
 * Owns: those words.
 */

/** Brands come in this order: what names itself after another says so later in its text. */
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

/** `Firefox 153 on Linux x86_64`. The processor is what the browser says it is: some say x86 on every machine, to tell less. */
export function browserName(userAgent: string): string {
	const browser = BROWSERS.map(([name, version]) => [name, version.exec(userAgent)?.[1]] as const).find(
		([, version]) => version !== undefined,
	);
	const system = SYSTEMS.find(([, pattern]) => pattern.test(userAgent))?.[0];
	const processor = /\b(x86_64|aarch64|arm64|armv\w+|i686|x64)\b/i.exec(userAgent)?.[1];
	const named = browser === undefined ? 'This browser' : browser.join(' ');
	return [named, ...(system === undefined ? [] : ['on', system]), ...(processor ? [processor] : [])].join(
		' ',
	);
}
