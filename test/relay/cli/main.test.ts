/**
 * The command line as a separate process.
 * Owns: cases that need real standard streams.
 */

import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, expect, test } from 'vitest';
import type { CallHandler, WireResponse } from '../../../shared/contract/wire.ts';
import { type ServedEngine, serveHandle } from '../../support/serve-engine.ts';

const PROGRAM = resolve(import.meta.dirname, '../../../relay/orrery.mjs');
const ANSWER = { status: 200, headers: {}, body: new TextEncoder().encode('{"ok":true}') };
const REFUSAL = { status: 404, headers: {}, body: new TextEncoder().encode('{"ok":false,"error":"No."}') };

let server: ServedEngine | undefined;
let child: ChildProcessWithoutNullStreams;
afterEach(async () => {
	child.kill();
	await server?.close();
	server = undefined;
});

/** Runs a command at a server that answers with `handle`. */
async function orrery(words: readonly string[], handle: CallHandler) {
	server = await serveHandle(handle);
	child = spawn(process.execPath, [PROGRAM, ...words], {
		env: { ...process.env, ORRERY_SERVER: server.url },
	});
	const ended = once(child, 'exit').then(([code]) => code as number | null);
	return { ended };
}

const callOf = (id: number, body: object) => {
	const args = { method: 'POST', path: '/notes', body };
	return `${JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params: { name: 'call', arguments: args } })}\n`;
};

test('orrery mcp answers a line that contains other Unicode line ends', async () => {
	const bodies: string[] = [];
	const { ended } = await orrery(['mcp'], async ({ body }) => {
		bodies.push(new TextDecoder().decode(body));
		return ANSWER;
	});
	const note = { text: 'one\u2028two\u2029three\u0085four' };
	child.stdin.end(callOf(7, note));
	const answer = JSON.parse(await text(child.stdout));
	expect(answer).toMatchObject({ id: 7, result: { content: [{ text: '{"ok":true}' }] } });
	expect(bodies).toEqual([JSON.stringify(note)]);
	expect(await ended).toBe(0);
});

/** Returns a handler that closes streams of the command and then answers. */
const answerUnread =
	(answer: WireResponse, ...streams: readonly ('stdout' | 'stderr')[]): CallHandler =>
	async () => {
		for (const stream of streams) {
			const closed = once(child[stream], 'close');
			child[stream].destroy();
			await closed;
		}
		return answer;
	};

test('orrery mcp exits normally after its output is closed', async () => {
	const { ended } = await orrery(['mcp'], answerUnread(ANSWER, 'stdout'));
	// Standard input stays open.
	child.stdin.write(callOf(1, {}));
	expect(await text(child.stderr)).toBe('');
	expect(await ended).toBe(0);
});

test('a command with a closed output exits as usual', async () => {
	const result = await orrery(['status'], answerUnread(ANSWER, 'stdout'));
	expect(await text(child.stderr)).toBe('');
	expect(await result.ended).toBe(0);
	await server!.close();
	const refused = await orrery(['status'], answerUnread(REFUSAL, 'stdout'));
	expect(await text(child.stderr)).toBe('orrery: refused with status 404: No.\n');
	expect(await refused.ended).toBe(1);
	await server!.close();
	expect(await (await orrery(['status'], answerUnread(REFUSAL, 'stdout', 'stderr'))).ended).toBe(1);
});
