/**
 * Standard input, line by line.
 * Owns: the line separator. Only a line feed ends a line, because JSON strings may contain the other line separators of
 * Unicode.
 */

import { addAbortSignal, type Readable } from 'node:stream';

/** Returns the lines of a stream of UTF-8, without their line ending (LF or CR LF). Aborting `signal` ends them. */
export async function* readLines(input: Readable, signal: AbortSignal): AsyncGenerator<string> {
	let partial = '';
	const chunks: AsyncIterable<string> = addAbortSignal(signal, input.setEncoding('utf8'));
	try {
		for await (const chunk of chunks) {
			const [end, ...starts] = chunk.split('\n');
			partial += end;
			for (const start of starts) {
				yield stripCarriageReturn(partial);
				partial = start;
			}
		}
	} catch (error) {
		if (signal.aborted) return;
		throw error;
	}
	if (partial !== '') yield stripCarriageReturn(partial);
}

const stripCarriageReturn = (line: string): string => (line.endsWith('\r') ? line.slice(0, -1) : line);
