/**
 * Standard input, line by line.
 * Owns: what ends a line: a line feed alone, as JSON has the other line ends of Unicode within its strings.
 */

import { addAbortSignal, type Readable } from 'node:stream';

/**
 * Returns the lines of a stream of UTF-8, without what ends them: a line feed, or a carriage return and one. `unread`
 * ends them where they are.
 */
export async function* linesOf(input: Readable, unread: AbortSignal): AsyncGenerator<string> {
	let begun = '';
	const texts: AsyncIterable<string> = addAbortSignal(unread, input.setEncoding('utf8'));
	try {
		for await (const text of texts) {
			const [first, ...more] = text.split('\n');
			begun += first;
			for (const next of more) {
				yield withoutReturn(begun);
				begun = next;
			}
		}
	} catch (error) {
		if (unread.aborted) return;
		throw error;
	}
	if (begun !== '') yield withoutReturn(begun);
}

const withoutReturn = (line: string): string => (line.endsWith('\r') ? line.slice(0, -1) : line);
