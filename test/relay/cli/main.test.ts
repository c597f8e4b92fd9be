/**
 * The command line as a process of its own.
 * Owns: what only real standard streams show.
 */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, expect, test } from 'vitest';
import type { CallHandler } from '../../../shared/contract/wire.ts';
import { type ServedEngine, serveHandle } from '../../support/serve-engine.ts';

const PROGRAM = resolve(import.meta.dirname, '../../../relay/orrery.mjs');
const ANSWER = { status: 200, headers: {}, body: new TextEncoder().encode('{"ok":true}') };

let server: ServedEngine | undefined;
afterEach(async () => {
	await server?.close();
	server = undefined;
});

/** Runs a command at a server that answers with `handle`. */
async function orrery(words: readonly string[], handle: CallHandler) {
	server = await serveHandle(handle);
	const child = spawn(process.execPath, [PROGRAM, ...words], {
		env: { ...process.env, ORRERY_SERVER: server.url },
	});
	const ended = once(child, 'exit').then(([code]) => code as number | null);
	return { child, ended };
}

const callOf = (id: number, body: object) => {
	const given = { method: 'POST', path: '/notes', body };
	return `${JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params: { name: 'call', arguments: given } })}\n`;
};

test('orrery mcp answers a line that has other line ends of Unicode within', async () => {
	const came: string[] = [];
	const { child, ended } = await orrery(['mcp'], async ({ body }) => {
		came.push(new TextDecoder().decode(body));
		return ANSWER;
	});
	const note = { text: 'one\u2028two\u2029three\u0085four' };
	child.stdin.end(callOf(7, note));
	const answer = JSON.parse(await text(child.stdout));
	expect(answer).toMatchObject({ id: 7, result: { content: [{ text: '{"ok":true}' }] } });
	expect(came).toEqual([JSON.stringify(note)]);
	expect(await ended).toBe(0);
});
