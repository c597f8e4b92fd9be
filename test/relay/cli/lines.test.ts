/** `readLines` splits standard input into lines, whatever its chunks are. */

import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { readLines } from '../../../relay/cli/lines.ts';

async function lines(...chunks: readonly (string | Uint8Array)[]): Promise<string[]> {
	const read: string[] = [];
	const input = Readable.from(chunks.map((chunk) => Buffer.from(chunk)));
	for await (const line of readLines(input, new AbortController().signal)) read.push(line);
	return read;
}

test.each<[string, string[]]>([
	['', []],
	['a\nb\n', ['a', 'b']],
	['a\n\nb', ['a', '', 'b']],
	['a\r\nb\r\n', ['a', 'b']],
	['a\rb\r\r\nc\r', ['a\rb\r', 'c']],
	['"\u2028\u2029\u0085\v\f"\nb', ['"\u2028\u2029\u0085\v\f"', 'b']],
])('%j is so many lines', async (text, read) => {
	expect(await lines(text)).toEqual(read);
});

test('lines do not depend on the cuts between chunks', async () => {
	const bytes = Buffer.from('{"a":"é\u2028𝄞"}\r\n\n{"b":1}');
	const read = ['{"a":"é\u2028𝄞"}', '', '{"b":1}'];
	for (let cut = 0; cut <= bytes.length; cut++)
		expect(await lines(bytes.subarray(0, cut), bytes.subarray(cut))).toEqual(read);
	expect(await lines(...[...bytes].map((byte) => Uint8Array.of(byte)))).toEqual(read);
});

test('a line is yielded when it ends', async () => {
	const input = new Readable({ read() {} });
	const read = readLines(input, new AbortController().signal);
	input.push('{"a":1}\n{"b"');
	expect(await read.next()).toEqual({ done: false, value: '{"a":1}' });
	input.push(':2}\n');
	expect(await read.next()).toEqual({ done: false, value: '{"b":2}' });
	input.push(null);
	expect((await read.next()).done).toBe(true);
});

test('a line may have any length', async () => {
	const chunk = 'x'.repeat(2 ** 16);
	const [whole] = await lines(...Array.from({ length: 256 }, () => chunk), '\n');
	expect(whole!.length).toBe(2 ** 24);
});

test('an unread stream is closed, and an error of the stream reaches the reader', async () => {
	const input = new Readable({ read() {} });
	const unread = new AbortController();
	const read = readLines(input, unread.signal);
	input.push('a\nb');
	expect((await read.next()).value).toBe('a');
	const next = read.next();
	unread.abort();
	expect(await next).toEqual({ done: true, value: undefined });
	expect(input.destroyed).toBe(true);

	const broken = readLines(
		new Readable({
			read() {
				this.destroy(new Error('gone'));
			},
		}),
		new AbortController().signal,
	);
	await expect(broken.next()).rejects.toThrow('gone');
});
