/**
 * The relay against bare sockets. For any bytes in any pieces, each connection gets its answer or a clear refusal,
 * and the relay answers the next caller.
 */

import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Relay, type RelayLimits, startRelay } from '../../relay/server.ts';
import type { PageSource } from '../../relay/static-page.ts';
import { openPage, openTab, text } from './fake-tab.ts';

const PAGE: PageSource = {
	html: async () => '<!doctype html><html><head><title>t</title></head><body></body></html>',
	serve: () => false,
};
const MIB = 1024 * 1024;

let data: string;
let relay: Relay;
let calls: string[];
const cleanups: (() => unknown)[] = [];

beforeEach(async () => {
	data = await mkdtemp(join(tmpdir(), 'orrery-raw-'));
	await start();
});

afterEach(async () => {
	// After each test, the relay still answers a plain call on a new connection.
	const [health] = answersIn(await exchange(head('GET /health')));
	for (const end of cleanups.splice(0).reverse()) await end();
	await rm(data, { recursive: true, force: true });
	expect(health).toMatchObject({ status: 200, body: 'GET /health ' });
});

/** Replaces the relay with one that has these limits, and an engine that answers with the call's method, path and body. */
async function start(limits: Partial<RelayLimits> = {}, page: PageSource = PAGE): Promise<void> {
	for (const end of cleanups.splice(0).reverse()) await end();
	calls = [];
	const newRelay = await startRelay({ port: 0, data, page, limits });
	cleanups.push(() => newRelay.close());
	relay = newRelay;
	const tab = await openTab(relay.url, async (request) => {
		const echo = `${request.method} ${request.path} ${new TextDecoder().decode(request.body)}`;
		calls.push(echo);
		if (request.path === '/slow') await new Promise((resolve) => setTimeout(resolve, 100));
		return text(request.path === '/big' ? 'x'.repeat(16 * MIB) : echo);
	});
	cleanups.push(() => tab.close());
}

/** Returns the head of a request, with the header Host and these headers. */
function head(line: string, ...headers: string[]): string {
	return [`${line} HTTP/1.1`, `Host: 127.0.0.1:${relay.port}`, ...headers, '', ''].join('\r\n');
}

const UPGRADE = [
	'Connection: Upgrade, HTTP2-Settings',
	'Upgrade: h2c',
	'HTTP2-Settings: AAMAAABkAAQCAAAAAAIAAAAA',
];
const JSON_BODY = 'Content-Type: application/json';

async function open(): Promise<Socket> {
	const socket = connect({ port: relay.port, host: '127.0.0.1', allowHalfOpen: true });
	cleanups.push(() => socket.destroy());
	await new Promise<void>((resolve, reject) => {
		socket.once('connect', resolve);
		socket.once('error', reject);
	});
	return socket;
}

/** Returns all bytes that a connection gets until the relay ends it, or until `count` answers are complete. */
function readAnswers(socket: Socket, count = Number.POSITIVE_INFINITY): Promise<string> {
	return new Promise((resolve, reject) => {
		let bytes = '';
		socket.on('data', (chunk) => {
			bytes += chunk.toString('latin1');
			if (answersIn(bytes).length >= count) resolve(bytes);
		});
		socket.on('end', () => resolve(bytes));
		socket.on('close', () => resolve(bytes));
		socket.on('error', (error) => (bytes === '' ? reject(error) : resolve(bytes)));
		socket.resume();
	});
}

/** Sends a request, and reads until `count` answers are complete or the relay ends the connection. */
async function exchange(request: string | Buffer, count = 1): Promise<string> {
	const socket = await open();
	const output = readAnswers(socket, count);
	socket.write(request);
	const bytes = await output;
	socket.destroy();
	return bytes;
}

interface SocketAnswer {
	readonly status: number;
	readonly headers: Readonly<Record<string, string>>;
	readonly body: string;
}

/** Returns the complete answers in the bytes of a connection. Each has a Content-Length, except "100 Continue". */
function answersIn(bytes: string): SocketAnswer[] {
	const answers: SocketAnswer[] = [];
	for (let offset = 0; offset < bytes.length; ) {
		const end = bytes.indexOf('\r\n\r\n', offset);
		if (end < 0) break;
		const [line, ...lines] = bytes.slice(offset, end).split('\r\n');
		const headers = Object.fromEntries(
			lines.map((header) => [
				header.slice(0, header.indexOf(':')).toLowerCase(),
				header.slice(header.indexOf(':') + 1).trim(),
			]),
		);
		const length = Number(headers['content-length'] ?? 0);
		if (bytes.length < end + 4 + length) break;
		const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(line!)?.[1]);
		answers.push({ status, headers, body: bytes.slice(end + 4, end + 4 + length) });
		offset = end + 4 + length;
	}
	return answers;
}

function refusalIn(bytes: string): { status: number | undefined; code: string; fix: string } {
	const [answer] = answersIn(bytes);
	return { status: answer?.status, ...JSON.parse(answer?.body ?? '{}') };
}

/** Polls a condition. The test's own timeout ends it. */
async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
	while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, 5));
}

test('an upgrade to HTTP/2 is ignored: the call is answered in HTTP/1.1, and so is the next one', async () => {
	const socket = await open();
	const first = readAnswers(socket, 1);
	socket.write(head('GET /a?b=1', ...UPGRADE));
	expect(answersIn(await first)).toMatchObject([{ status: 200, body: 'GET /a ' }]);
	const second = readAnswers(socket, 1);
	socket.write(head('GET /b'));
	expect(answersIn(await second)).toMatchObject([{ status: 200, body: 'GET /b ' }]);
});

test('upgrades with bodies in pieces or chunks are answered, many on one connection', async () => {
	const socket = await open();
	const warnings: string[] = [];
	const addWarning = (warning: Error): void => void warnings.push(warning.message);
	process.on('warning', addWarning);
	cleanups.push(() => process.off('warning', addWarning));
	for (let i = 0; i < 15; i++) {
		const output = readAnswers(socket, 1);
		const body = `{"n":${i}}`;
		if (i % 2 === 0) {
			socket.write(
				head('POST /n', ...UPGRADE, JSON_BODY, `Content-Length: ${body.length}`) + body.slice(0, 3),
			);
			await new Promise((resolve) => setImmediate(resolve));
			socket.write(body.slice(3));
		} else {
			const chunk = `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`;
			socket.write(head('POST /n', ...UPGRADE, JSON_BODY, 'Transfer-Encoding: chunked') + chunk);
		}
		expect(answersIn(await output)).toMatchObject([{ status: 200, body: `POST /n ${body}` }]);
		socket.removeAllListeners();
	}
	expect(warnings).toEqual([]);
});

test('an upgrade behind a long call waits for it', async () => {
	const socket = await open();
	const both = readAnswers(socket, 2);
	socket.write(head('GET /slow') + head('GET /b', ...UPGRADE));
	expect(answersIn(await both).map(({ body }) => body)).toEqual(['GET /slow ', 'GET /b ']);
	const next = readAnswers(socket, 1);
	socket.write(head('GET /c'));
	expect(answersIn(await next)).toMatchObject([{ status: 200, body: 'GET /c ' }]);
});

test('an upgrade passes the origin check too, and only the link accepts one', async () => {
	const foreign = await exchange(head('GET /a', ...UPGRADE, 'Origin: http://evil.example'));
	expect(refusalIn(foreign)).toMatchObject({ status: 403, code: 'origin_refused' });
	const websocket = ['Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Version: 13'];
	const key = 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==';
	const other = await exchange(head('GET /x', ...websocket, key));
	expect(answersIn(other)).toMatchObject([{ status: 200, body: 'GET /x ' }]);
	const link = await exchange(head('GET /link', ...websocket, key, 'Origin: http://evil.example'));
	expect(refusalIn(link)).toMatchObject({ status: 403, code: 'origin_refused' });
	expect(answersIn(await exchange(head('GET /link', ...UPGRADE)))).toMatchObject([{ status: 200 }]);
});

test('sockets of vite from foreign pages are refused and closed', async () => {
	const vite = ['Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Version: 13'];
	vite.push('Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==', 'Sec-WebSocket-Protocol: vite-hmr');
	const foreign = head('GET /x', ...vite, 'Origin: http://evil.example', 'Connection: close');
	for (let i = 0; i < 20; i++)
		expect(refusalIn(await exchange(foreign))).toMatchObject({ status: 403, code: 'origin_refused' });

	// With vite, the origin check runs first, and only permitted requests reach vite.
	let upgrades = 0;
	await start(
		{},
		{
			...PAGE,
			sockets: {
				accepts: (request) => request.headers['sec-websocket-protocol'] === 'vite-hmr',
				upgrade: (_, stream) => {
					upgrades++;
					stream.end('HTTP/1.1 101 Switching Protocols\r\n\r\n');
				},
			},
		},
	);
	expect(refusalIn(await exchange(head('GET /x', ...vite, 'Origin: http://evil.example')))).toMatchObject({
		status: 403,
	});
	expect(upgrades).toBe(0);
	const allowed = await exchange(head('GET /x', ...vite, `Origin: ${relay.url}`));
	expect(allowed).toContain('101');
	expect(upgrades).toBe(1);
});

test('the relay ends a refused link socket, even if its caller keeps it open', async () => {
	const socket = await open();
	const closed = new Promise((resolve) => socket.once('close', resolve));
	const output = readAnswers(socket);
	const key = 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==';
	socket.write(
		head('GET /link', 'Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Version: 13', key),
	);
	expect(refusalIn(await output)).toMatchObject({ status: 403, code: 'origin_refused' });
	// This side stays open, so only the relay can end the connection.
	socket.write('x');
	await until(() => {
		socket.write('x');
		return socket.destroyed;
	});
	await closed;
});

/** Returns the start of a WebSocket frame of `length` bytes: its head, and `sent` bytes of its content. */
function frameOf(length: number, sent: number): Buffer {
	const head = Buffer.alloc(14);
	head.writeUInt8(0x82);
	head.writeUInt8(0x80 | 127, 1);
	head.writeBigUInt64BE(BigInt(length), 2);
	return Buffer.concat([head, Buffer.alloc(sent)]);
}

test('a link socket of no engine is closed for a long message, and for silence', async () => {
	await start({ helloWait: 60_000 });
	const upgrade = ['Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Version: 13'];
	upgrade.push('Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==');
	const openLink = async (): Promise<Socket> => {
		const socket = await open();
		const answer = once(socket, 'data');
		socket.write(head('GET /link', ...upgrade, `Origin: ${relay.url}`));
		expect(String((await answer)[0])).toContain('101');
		// A socket that is cut while it sends gets an error.
		socket.on('error', () => {});
		return socket;
	};
	const closed = (socket: Socket) =>
		new Promise((resolve) => socket.once('end', resolve).once('close', resolve).resume());
	const stranger = await openLink();
	const refused = closed(stranger);
	stranger.write(frameOf(200 * 1024 * 1024, 128 * 1024));
	await refused;

	// A page may send only short messages.
	const page = await openPage(relay.url);
	page.send(new Uint8Array(128 * 1024));
	await page.closed;

	await start({ helloWait: 50 });
	await closed(await openLink());
});

test('unasked HTTP/2, TLS and nonsense get 400 with a clear error', async () => {
	for (const bytes of [
		'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
		Buffer.from('16030100c8010000c40303', 'hex'),
		'hello there\r\n\r\n',
		'GET /a b HTTP/1.1\r\n\r\n',
		'GET / HTTP/9.9\r\n\r\n',
		`FETCH / HTTP/1.1\r\nHost: 127.0.0.1:1\r\n\r\n`,
	])
		expect(refusalIn(await exchange(bytes))).toMatchObject({ status: 400, code: 'bad_http', ok: false });
});

test('CONNECT is refused', async () => {
	expect(refusalIn(await exchange(head('CONNECT example.com:443')))).toMatchObject({
		status: 405,
		code: 'method_not_allowed',
	});
});

describe('an absolute URL as the path', () => {
	const ownUrl = (rest: string) => `http://127.0.0.1:${relay.port}${rest}`;

	test('is reduced to its path, if its host is this machine', async () => {
		for (const [target, path] of [
			[ownUrl('/observe?tick=1'), '/observe'],
			[`HTTP://LocalHost:${relay.port}/a/b`, '/a/b'],
			[ownUrl(''), '/'],
			[ownUrl('?a=/b'), '/'],
		])
			expect(answersIn(await exchange(head(`GET ${target}`)))).toMatchObject([
				{ status: 200, body: `GET ${path} ` },
			]);
		const posted = `${head(`POST ${ownUrl('/b')}`, JSON_BODY, 'Content-Length: 2')}{}`;
		expect(answersIn(await exchange(posted))).toMatchObject([{ status: 200, body: 'POST /b {}' }]);
	});

	test('uses its own host, and not the header Host', async () => {
		const absolute = (target: string, ...headers: string[]) =>
			exchange([`GET ${target} HTTP/1.1`, ...headers, '', ''].join('\r\n'));
		expect(answersIn(await absolute(ownUrl('/a'), 'Host: evil.example'))).toMatchObject([{ status: 200 }]);
		for (const foreign of ['evil.example', 'localhost@evil.example', 'evil.example:80', ''])
			expect(refusalIn(await exchange(head(`GET http://${foreign}/`))), foreign).toMatchObject({
				status: 403,
				code: 'host_refused',
			});
		expect(refusalIn(await absolute(ownUrl('/a')))).toMatchObject({ code: 'host_refused' });
		const origin = `Origin: http://127.0.0.1:${relay.port}`;
		expect(answersIn(await exchange(head(`GET ${ownUrl('/a')}`, origin)))).toMatchObject([{ status: 200 }]);
		const other = head(`GET http://localhost:${relay.port}/a`, origin);
		expect(refusalIn(await exchange(other))).toMatchObject({ code: 'origin_refused' });
		expect(refusalIn(await exchange(head(`GET ftp://127.0.0.1:${relay.port}/`)))).toMatchObject({
			code: 'no_such_route',
		});
	});
});

test('pipelined calls are answered in order, good and bad', async () => {
	const all = [
		head('GET /slow'),
		`${head('POST /b', JSON_BODY, 'Content-Length: 2')}{}`,
		head('GET /c', 'Origin: http://evil.example'),
		head('GET /d'),
	].join('');
	const answers = answersIn(await exchange(all, 4));
	expect(answers.map(({ status }) => status)).toEqual([200, 200, 403, 200]);
	expect(answers.map(({ body }) => body.slice(0, 7))).toEqual(['GET /sl', 'POST /b', '{"ok":f', 'GET /d ']);
});

test('nonsense pipelined behind a call does not mix with its answer', async () => {
	const socket = await open();
	const output = readAnswers(socket);
	socket.write(`${head('GET /slow')}nonsense\r\n\r\n`);
	const bytes = await output;
	const answers = answersIn(bytes);
	// The caller gets the refusal alone, or nothing. It never gets parts of two answers.
	expect(answers.length).toBeLessThanOrEqual(1);
	if (answers.length === 1) expect(refusalIn(bytes)).toMatchObject({ status: 400, code: 'bad_http' });
});

test('a caller that ends its side is disconnected, and gets no further bytes', async () => {
	const socket = await open();
	const output = readAnswers(socket);
	socket.end(head('GET /slow'));
	expect(await output).toBe('');
});

test('a caller that ends in the middle of head or body has sent no request', async () => {
	for (const bytes of [
		'GET /a HTT',
		head('GET /a').slice(0, -2),
		`${head('POST /a', JSON_BODY, 'Content-Length: 9')}{"a"`,
	]) {
		const socket = await open();
		const output = readAnswers(socket);
		socket.end(bytes);
		const answer = await output;
		if (answer !== '') expect(refusalIn(answer)).toMatchObject({ status: 400, code: 'bad_http' });
	}
	expect(calls).toEqual([]);
});

test('a head that comes slowly or never is given up: 408', async () => {
	await start({ headWait: 300 });
	const silent = await open();
	const dripping = await open();
	const answers = [readAnswers(silent), readAnswers(dripping)];
	const whole = head('GET /a', 'X-A: 1');
	let sentCount = 0;
	const drip = setInterval(() => dripping.writable && dripping.write(whole[sentCount++ % 20]!), 50);
	cleanups.push(() => clearInterval(drip));
	for (const answer of answers)
		expect(refusalIn(await answer)).toMatchObject({ status: 408, code: 'too_slow' });
	clearInterval(drip);
	expect(calls).toEqual([]);
});

test('a body that stalls or never ends is given up: 408', async () => {
	await start({ bodyStall: 200, requestWait: 500, headWait: 400 });
	const stalled = await open();
	const answer = readAnswers(stalled);
	stalled.write(`${head('POST /a', JSON_BODY, 'Content-Length: 100')}{"a":`);
	expect(refusalIn(await answer)).toMatchObject({ status: 408, code: 'too_slow' });
	const dripping = await open();
	const late = readAnswers(dripping);
	dripping.write(head('POST /a', JSON_BODY, 'Content-Length: 10000'));
	const drip = setInterval(() => dripping.writable && dripping.write(' '), 50);
	cleanups.push(() => clearInterval(drip));
	expect(refusalIn(await late)).toMatchObject({ status: 408, code: 'too_slow' });
	clearInterval(drip);
	expect(calls).toEqual([]);
});

test('large bodies in flight share a limit, small calls pass, and a closed connection frees its share', async () => {
	const small = 1024;
	// Three bodies of one MiB leave too little room for the second KiB of a fourth body.
	await start({ bodies: 3 * (MIB - small) + small - 1, exemptBytes: small });
	const uploads: Socket[] = [];
	for (let i = 0; i < 3; i++) {
		const socket = await open();
		socket.write(head('POST /a', JSON_BODY, `Content-Length: ${31 * MIB}`));
		socket.write(Buffer.alloc(MIB, 32));
		uploads.push(socket);
	}
	const send = async (bytes: number): Promise<SocketAnswer | undefined> => {
		const sent = head('POST /b', JSON_BODY, `Content-Length: ${bytes}`) + ' '.repeat(bytes);
		return answersIn(await exchange(sent))[0];
	};
	await until(async () => (await send(2 * small))?.status === 503);
	const busy = await send(2 * small);
	expect(busy?.headers['retry-after']).toBe('1');
	const heldBytes = 3 * (MIB - small);
	expect(JSON.parse(busy!.body)).toMatchObject({
		ok: false,
		code: 'busy',
		error: `Request bodies still being received hold ${heldBytes} bytes, not counting the first ${small} bytes of each. The next part of this body would exceed the limit of ${heldBytes + small - 1} bytes.`,
	});
	expect(await send(small)).toMatchObject({ status: 200 });
	for (const upload of uploads) upload.destroy();
	await until(async () => (await send(2 * small))?.status === 200);
	expect(calls.some((call) => call.startsWith('POST /a'))).toBe(false);
});

test.each([
	['an absurd Content-Length', ['Content-Length: 99999999999999999999999'], 400],
	['one above what numbers hold exactly', ['Content-Length: 9007199254740993'], 413],
	['a negative one', ['Content-Length: -1'], 400],
	['one that is no number', ['Content-Length: 2, 2'], 400],
	['two that differ', ['Content-Length: 2', 'Content-Length: 3'], 400],
	['two alike', ['Content-Length: 2', 'Content-Length: 2'], 400],
	['one beside chunks', ['Content-Length: 2', 'Transfer-Encoding: chunked'], 400],
	['an unknown coding', ['Transfer-Encoding: gzip, chunked, identity'], 400],
	['a folded header', ['X-A: 1', '\t2', 'Content-Length: 2'], 400],
	['a header without a name', [': 1', 'Content-Length: 2'], 400],
	['a NUL in a header', ['X-A: a\0b', 'Content-Length: 2'], 400],
	['a bare line feed in a header', ['X-A: a\nContent-Length: 2'], 400],
])('%s is refused', async (_, headers, status) => {
	const bytes = await exchange(`${head('POST /a', JSON_BODY, ...headers)}{}`);
	expect(refusalIn(bytes)).toMatchObject({ status, ok: false });
	expect(calls).toEqual([]);
});

test.each([
	['no number', 'zz\r\n{}\r\n0\r\n\r\n'],
	['a negative one', '-2\r\n{}\r\n0\r\n\r\n'],
	['one too large for any memory', 'ffffffffffffffffff\r\n{}\r\n0\r\n\r\n'],
	['one that is not what comes', '1\r\n{}\r\n0\r\n\r\n'],
	['a line of extensions without end', `2;${'a'.repeat(20_000)}\r\n{}\r\n0\r\n\r\n`],
])('a chunk size that is %s is refused', async (_, chunks) => {
	const bytes = await exchange(head('POST /a', JSON_BODY, 'Transfer-Encoding: chunked') + chunks);
	expect(refusalIn(bytes)).toMatchObject({ ok: false, code: 'bad_http' });
	expect(calls).toEqual([]);
});

test('chunks with trailers: the body counts, the trailers do not', async () => {
	const chunks = '1\r\n{\r\n1;note=x\r\n}\r\n0\r\nX-Trailer: 1\r\nContent-Type: text/plain\r\n\r\n';
	const bytes = await exchange(head('POST /a', JSON_BODY, 'Transfer-Encoding: chunked') + chunks);
	expect(answersIn(bytes)).toMatchObject([{ status: 200, body: 'POST /a {}' }]);
});

test('Expect: 100-continue is answered before the body, or refused if the body is too long, and other values are ignored', async () => {
	const socket = await open();
	const continued = readAnswers(socket, 1);
	socket.write(head('POST /a', JSON_BODY, 'Content-Length: 2', 'Expect: 100-continue'));
	expect(answersIn(await continued)).toMatchObject([{ status: 100 }]);
	const answer = readAnswers(socket, 1);
	socket.write('{}');
	expect(answersIn(await answer)).toMatchObject([{ status: 200, body: 'POST /a {}' }]);
	const refusal = await exchange(
		head('POST /a', JSON_BODY, `Content-Length: ${900 * MIB}`, 'Expect: 100-continue'),
	);
	expect(refusalIn(refusal)).toMatchObject({ status: 413, code: 'too_large' });
	const ignored = await exchange(`${head('POST /a', JSON_BODY, 'Content-Length: 2', 'Expect: tea')}{}`);
	expect(answersIn(ignored)).toMatchObject([{ status: 200, body: 'POST /a {}' }]);
});

test('paths: NUL and control bytes are refused, and any other reaches the engine unchanged', async () => {
	for (const path of ['/a\0b', '/a\x01b', '/a\x7fb'])
		expect(refusalIn(await exchange(head(`GET ${path}`)))).toMatchObject({ status: 400, code: 'bad_http' });
	expect(answersIn(await exchange(head('GET /a%00b/../%2e%2e//c')))).toMatchObject([
		{ status: 200, body: 'GET /a%00b/../%2e%2e//c ' },
	]);
});

test('an invalid path is refused with a clear error: a star, a word, a bare query, bytes that are not ASCII', async () => {
	for (const method of ['OPTIONS', 'GET'])
		expect(refusalIn(await exchange(head(`${method} *`)))).toMatchObject({
			status: 404,
			code: 'no_such_route',
		});
	for (const target of ['digest', '?future=true', '/digest?world=\xff', '/\xc3\xa9'])
		expect(refusalIn(await exchange(Buffer.from(head(`GET ${target}`), 'latin1'))), target).toMatchObject({
			status: 400,
			code: 'bad_http',
		});
	expect(calls).toEqual([]);
});

test('a path that nearly fills the head arrives unchanged, and so do double, trailing and encoded slashes', async () => {
	for (const path of [`/${'a'.repeat(15_000)}`, '//digest', '/digest//', '/entities/1%2F2'])
		expect(answersIn(await exchange(head(`GET ${path}`)))).toMatchObject([
			{ status: 200, body: `GET ${path} ` },
		]);
});

test('Expect and chunks are accepted without a body, and together with trailers', async () => {
	const expectAnswer = await exchange(head('GET /a', 'Expect: 100-continue'));
	expect(answersIn(expectAnswer)).toMatchObject([{ status: 200, body: 'GET /a ' }]);
	const chunked = await exchange(`${head('GET /a', 'Transfer-Encoding: chunked')}0\r\n\r\n`);
	expect(answersIn(chunked)).toMatchObject([{ status: 200, body: 'GET /a ' }]);
	const all = ['Transfer-Encoding: chunked', 'Trailer: X-A', 'Expect: 100-continue', JSON_BODY];
	const both = await exchange(`${head('POST /a', ...all)}2\r\n{}\r\n0\r\nX-A: 1\r\n\r\n`, 2);
	expect(answersIn(both)).toMatchObject([{ status: 100 }, { status: 200, body: 'POST /a {}' }]);
});

test('1 MB of headers is refused also for a caller that reads nothing until it has sent all', async () => {
	for (const headers of [
		[`X-A: ${'a'.repeat(MIB)}`],
		Array.from({ length: 40_000 }, (_, i) => `X-${i}: ${i} and more`),
	]) {
		const socket = await open();
		socket.pause();
		await new Promise<void>((resolve, reject) =>
			socket.write(head('GET /a', ...headers), (error) => (error == null ? resolve() : reject(error))),
		);
		expect(refusalIn(await readAnswers(socket))).toMatchObject({ status: 431, code: 'headers_too_large' });
	}
	const long = await exchange(head(`GET /${'a'.repeat(MIB)}`));
	expect(refusalIn(long)).toMatchObject({ status: 431, code: 'headers_too_large' });
});

test('a call without a Host or with a foreign one is refused with a clear error, also in HTTP/1.0', async () => {
	for (const bytes of [
		'GET /a HTTP/1.1\r\n\r\n',
		'GET /a HTTP/1.0\r\n\r\n',
		'GET /a HTTP/1.1\r\nHost: evil.example\r\n\r\n',
		'GET /a HTTP/1.1\r\nHost: \r\n\r\n',
		`GET /a HTTP/1.1\r\nHost: evil.example\r\nHost: 127.0.0.1:${relay.port}\r\n\r\n`,
	])
		expect(refusalIn(await exchange(bytes))).toMatchObject({ status: 403, code: 'host_refused' });
	const own = `Host: 127.0.0.1:${relay.port}`;
	const doubled = `GET /a HTTP/1.1\r\n${own}\r\nHost: evil.example\r\n\r\n`;
	expect(refusalIn(await exchange(doubled))).toMatchObject({ status: 400, code: 'bad_http' });
});

test('a caller that reads nothing blocks no other', async () => {
	const greedy = await open();
	greedy.pause();
	const body = ' '.repeat(MIB);
	for (let i = 0; i < 20; i++) greedy.write(`${head('POST /a', JSON_BODY, `Content-Length: ${MIB}`)}${body}`);
	await until(() => calls.length > 0);
	expect(answersIn(await exchange(head('GET /b')))).toMatchObject([{ status: 200 }]);
});

test('the next pipelined call starts only after the client has read the previous answer', async () => {
	const greedy = await open();
	greedy.pause();
	greedy.write(head('GET /big').repeat(10));
	await until(() => calls.length > 0);
	for (let i = 0; i < 20; i++) await exchange(head('GET /b'));
	expect(calls.filter((call) => call.startsWith('GET /big'))).toHaveLength(1);
	greedy.resume();
	await until(() => calls.filter((call) => call.startsWith('GET /big')).length === 10);
});

test('connections beyond the limit are refused, and accepted again after others leave', async () => {
	await start({ connections: 6 });
	const sockets: Socket[] = [];
	// The tab has one of the connections.
	for (let i = 0; i < 8; i++) sockets.push(await open());
	await until(() =>
		sockets.some((socket) => socket.readableEnded || socket.destroyed || socket.resume().closed),
	);
	for (const socket of sockets) socket.destroy();
	await until(async () => {
		try {
			return answersIn(await exchange(head('GET /b')))[0]?.status === 200;
		} catch {
			return false;
		}
	});
});
