/**
 * Every frame between relay and tab is decoded as it was encoded, alone and with others.
 */

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { AGAIN_HEADER, CALL_HEADER, MAX_DOCUMENT_BYTES } from '../../shared/contract/wire.ts';
import {
	decodeFrames,
	encodeFrames,
	encodeMessages,
	isPassedHeader,
	LinkError,
	type LinkFrame,
	MAX_MESSAGE_BYTES,
} from '../../shared/transport/link.ts';
import { encodePackets } from '../../shared/transport/packet.ts';
import { check } from '../support/property.ts';

const id = fc.nat(0xffffffff);
const line = fc.string({ unit: 'grapheme', maxLength: 40 });
const name = fc
	.string({ minLength: 1, maxLength: 20 })
	.filter((text) => !/[\r\n]/.test(text) && text !== '__proto__' && !/^\d+$/.test(text));
const headers = fc.dictionary(name, line, { noNullPrototype: true, maxKeys: 6 });
/** Random bytes. Long byte arrays have another encoding than short ones. */
const bytes = fc.oneof(
	{ weight: 9, arbitrary: fc.uint8Array({ maxLength: 300 }) },
	{ weight: 1, arbitrary: fc.constant(new Uint8Array(20_000).fill(7)) },
);

const text = fc.string({ unit: 'grapheme' });

const frame: fc.Arbitrary<LinkFrame> = fc.oneof(
	fc.record({
		kind: fc.constant('page' as const),
		version: fc.nat(65535),
		token: text,
		holds: fc.boolean(),
	}),
	fc.record({
		kind: fc.constant('engine' as const),
		version: fc.nat(65535),
		token: text,
		lease: fc.option(fc.record({ journal: text, epoch: fc.maxSafeNat() })),
	}),
	fc.record({
		kind: fc.constant('welcome' as const),
		gated: fc.boolean(),
		server: text,
		storage: text,
		journal: text,
		durable: fc.boolean(),
		relay: text,
	}),
	fc.record({ kind: fc.constant('loaded' as const), world: text }),
	fc.record({ kind: fc.constant('reading' as const), next: fc.maxSafeNat(), end: fc.maxSafeNat() }),
	fc.record({ kind: fc.constantFrom('unreadable' as const, 'declined' as const), why: text }),
	fc.record({
		kind: fc.constant('role' as const),
		role: fc.constantFrom('hold' as const, 'visit' as const),
		key: text,
		holder: fc.constantFrom('headless' as const, 'tab' as const, 'nobody' as const),
	}),
	fc.record({
		kind: fc.constantFrom('replaced', 'ping', 'pong', 'claim', 'release', 'released'),
	}) as fc.Arbitrary<LinkFrame>,
	fc.record({
		kind: fc.constant('request' as const),
		id,
		again: fc.boolean(),
		request: fc.record({ method: text, path: text, query: text, headers, body: bytes }),
	}),
	fc.record({
		kind: fc.constant('answer' as const),
		id,
		response: fc.record({ status: fc.integer({ min: 100, max: 599 }), headers, body: bytes }),
	}),
	fc.record({ kind: fc.constant('cancel' as const), id }),
	fc.record({ kind: fc.constant('received' as const), ids: fc.array(id, { maxLength: 20 }) }),
	fc.record({ kind: fc.constant('ask' as const), id, errand: text, bytes }),
	fc.record({ kind: fc.constant('errand-answer' as const), id, bytes }),
	fc.record({
		kind: fc.constant('journal' as const),
		id,
		ask: fc.record({ ask: fc.constant('append' as const), epoch: fc.nat(), at: fc.maxSafeNat() }),
		bytes,
	}),
	fc.record({
		kind: fc.constant('journaled' as const),
		id,
		answer: fc.record({ fault: fc.constant('full' as const), message: text }),
		bytes,
	}),
	fc.record({ kind: fc.constant('read' as const), id, path: text }),
	fc.record({ kind: fc.constant('write' as const), id, path: text, agent: text, bytes }),
	fc.record({
		kind: fc.constant('file' as const),
		id,
		outcome: fc.constantFrom('done' as const, 'missing' as const, 'refused' as const, 'failed' as const),
		bytes,
	}),
);

test('frames arrive unchanged, many in one message', async () => {
	await check(100, [fc.array(frame, { maxLength: 12 })], (frames) => {
		expect(decodeFrames(encodeFrames(frames))).toEqual(frames);
	});
});

test('large answers travel in several messages', () => {
	const body = new Uint8Array(MAX_DOCUMENT_BYTES / 2);
	const frames: LinkFrame[] = [1, 2, 3, 4, 5].map((id) => ({
		kind: 'answer',
		id,
		response: { status: 200, headers: {}, body },
	}));
	const messages = encodeMessages(frames);
	expect(Math.max(...messages.map(({ length }) => length))).toBeLessThan(MAX_MESSAGE_BYTES / 2);
	expect(messages.flatMap(decodeFrames).map((frame) => 'id' in frame && frame.id)).toEqual([1, 2, 3, 4, 5]);
});

test('a message cut anywhere is refused or gives only whole frames', async () => {
	await check(100, [fc.array(frame, { minLength: 1, maxLength: 4 }), fc.nat(2000)], (frames, at) => {
		const message = encodeFrames(frames);
		const cut = message.subarray(0, Math.min(at, message.length));
		try {
			expect(frames.slice(0, decodeFrames(cut).length)).toEqual(decodeFrames(cut));
		} catch (error) {
			expect(error).toBeInstanceOf(LinkError);
		}
	});
});

test('random bytes only cause plain errors', async () => {
	await check(100, [fc.uint8Array({ maxLength: 200 })], (message) => {
		try {
			decodeFrames(message);
		} catch (error) {
			expect(error).toBeInstanceOf(LinkError);
		}
	});
});

test('bodies are views into the message, and a message may be part of a larger buffer', () => {
	const body = new Uint8Array([1, 2, 3]);
	const request = { method: 'POST', path: '/step', query: '', headers: {}, body };
	const message = encodeFrames([{ kind: 'request', id: 7, again: false, request }]);
	const larger = new Uint8Array(message.length + 5);
	larger.set(message, 5);
	const [decoded] = decodeFrames(larger.subarray(5));
	if (decoded?.kind !== 'request') throw new Error('not a request');
	expect(decoded.request.body).toEqual(body);
	expect(decoded.request.body.buffer).toBe(larger.buffer);
});

test('a frame without a field, or with another type in it, is refused', () => {
	for (const head of [
		{ kind: 'unknown' },
		{ kind: 'cancel' },
		{ kind: 'cancel', id: '1' },
		{ kind: 'answer', id: 1, response: null },
		{ kind: 'request', id: 1, again: false, request: { method: 'GET' } },
		null,
		7,
	])
		expect(() => decodeFrames(encodePackets([{ head: head as object, bytes: new Uint8Array(0) }]))).toThrow(
			LinkError,
		);
});

test('only headers that the engine uses are sent', () => {
	const passed = ['content-type', 'accept', 'user-agent', 'authorization', 'idempotency-key', 'x-agent'];
	expect(passed.every(isPassedHeader)).toBe(true);
	const own = [CALL_HEADER, AGAIN_HEADER];
	expect(['cookie', 'host', 'origin', 'connection', 'x-forwarded-for', ...own].some(isPassedHeader)).toBe(
		false,
	);
});
