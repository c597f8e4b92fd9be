/**
 * Compressed copies of the page's files, and the choice of one for a browser.
 * Owns: codings, extensions and media types of compressed files. `relay/build/compress.ts` writes them.
 */

import type { IncomingHttpHeaders } from 'node:http';

/** Extensions of compressed files by their coding in HTTP, best first. */
export const CODINGS = { br: '.br', gzip: '.gz' } as const;
export type Coding = keyof typeof CODINGS;

/** Media types of files worth compressing, by extension. Pictures, models and music are already compressed. */
const COMPRESSIBLE_TYPES: Readonly<Record<string, string>> = {
	css: 'text/css; charset=utf-8',
	html: 'text/html; charset=utf-8',
	js: 'text/javascript; charset=utf-8',
	json: 'application/json; charset=utf-8',
	md: 'text/markdown; charset=utf-8',
	svg: 'image/svg+xml',
	txt: 'text/plain; charset=utf-8',
	wasm: 'application/wasm',
	wav: 'audio/wav',
};

/** Returns the media type of a file worth compressing; undefined for any other file. */
export const compressibleType = (path: string): string | undefined =>
	COMPRESSIBLE_TYPES[path.slice(path.lastIndexOf('.') + 1)];

/** Returns the best available coding that the browser accepts. Returns undefined if there is none, and for a range of a file. */
export function codingFor(
	{ 'accept-encoding': acceptedCodings = '', range }: IncomingHttpHeaders,
	isAvailable: (coding: Coding) => boolean,
): Coding | undefined {
	if (range !== undefined) return undefined;
	const qualities = new Map(
		String(acceptedCodings)
			.split(',')
			.map((part) => {
				const [name, ...parameters] = part
					.trim()
					.toLowerCase()
					.split(/\s*;\s*/);
				const quality = parameters.find((parameter) => parameter.startsWith('q='));
				return [name, quality === undefined ? 1 : Number(quality.slice(2))];
			}),
	);
	return (Object.keys(CODINGS) as Coding[]).find(
		(coding) => Number(qualities.get(coding)) > 0 && isAvailable(coding),
	);
}
