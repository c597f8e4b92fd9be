/**
 * The frames between relay and tab: every one comes back as it went, in any company.
 */

import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
	decodeFrames,
	encodeFrames,
	encodeMessages,
	LARGEST_MESSAGE,
	LinkError,
	type LinkFrame,
	passesOn,
} from '../../shared/contract/link.ts';
import { CALL_HEADER, ENDS_HEADER, MAX_DOCUMENT_BYTES } from '../../shared/contract/wire.ts';
import { check } from '../support/property.ts';

const id = fc.nat(0xffffffff);
const line = fc.string({ unit: 'grapheme', maxLength: 40 }).filter((text) => !/[\r\n]/.test(text));
const name = fc
	.string({ minLength: 1, maxLength: 20 })
	.filter((text) => !/[\r\n]/.test(text) && text !== '__proto__' && !/^\d+$/.test(text));
const headers = fc.dictionary(name, line, { noNullPrototype: true, maxKeys: 6 });
const bytes = fc.uint8Array({ maxLength: 300 });

const frame: fc.Arbitrary<LinkFrame> = fc.oneof(
	fc.record({
		kind: fc.constant('hello' as const),
		version: fc.nat(65535),
		token: line,
		mode: fc.constantFrom('page', 'new', 'take', 'resume', 'rejoin'),
		world: line,
	}),
	fc.record({
		kind: fc.constant('welcome' as const),
		resume: line,
		resumed: fc.boolean(),
		gated: fc.boolean(),
		storage: line,
		last: fc.option(fc.record({ world: line.filter((text) => text !== ''), ended_at: line, why: line })),
		journal: line,
		entries: fc.maxSafeNat(),
		relay: line,
	}),
	fc.record({
		kind: fc.constant('holds' as const),
		world: line,
		journal: line,
		entries: fc.maxSafeNat(),
		place: fc.record({ next: fc.maxSafeNat(), mark: line }),
	}),
	fc.record({ kind: fc.constant('reading' as const), next: fc.maxSafeNat(), end: fc.maxSafeNat() }),
	fc.record({ kind: fc.constant('unreadable' as const), why: fc.string({ unit: 'grapheme' }) }),
	fc.record({
		kind: fc.constant('role' as const),
		role: fc.constantFrom('hold', 'take', 'visit', 'stand-by'),
		key: line,
		holder: fc.constantFrom('headless', 'tab', 'nobody'),
	}),
	fc.record({
		kind: fc.constantFrom('replaced', 'ping', 'pong', 'yield', 'more', 'released', 'leaving', 'kept'),
	}),
	fc.record({ kind: fc.constant('giving' as const), tick: fc.maxSafeNat(), digests: fc.string() }),
	fc.record({ kind: fc.constant('part' as const), last: fc.boolean(), world: line, bytes }),
	fc.record({ kind: fc.constant('have' as const), digests: fc.string() }),
	fc.record({ kind: fc.constant('off' as const), why: fc.string({ unit: 'grapheme' }) }),
	fc.record({
		kind: fc.constant('request' as const),
		id,
		ends: fc.nat(65535),
		request: fc.record({ method: line, path: line, query: line, headers, body: bytes }),
	}),
	fc.record({
		kind: fc.constant('answer' as const),
		id,
		response: fc.record({ status: fc.integer({ min: 100, max: 599 }), headers, body: bytes }),
	}),
	fc.record({ kind: fc.constant('cancel' as const), id }),
	fc.record({ kind: fc.constant('received' as const), ids: fc.array(id, { maxLength: 20 }) }),
	fc.record({ kind: fc.constant('ask' as const), id, errand: line, bytes }),
	fc.record({ kind: fc.constant('told' as const), id, bytes }),
	fc.record({ kind: fc.constant('append' as const), id, expected: fc.maxSafeNat(), bytes }),
	fc.record({ kind: fc.constant('journal' as const), id, ask: fc.string({ unit: 'grapheme' }), bytes }),
	fc.record({ kind: fc.constant('journaled' as const), id, told: fc.string({ unit: 'grapheme' }), bytes }),
	fc.record({ kind: fc.constant('read' as const), id, path: line }),
	fc.record({ kind: fc.constant('write' as const), id, path: line, bytes }),
	fc.record({
		kind: fc.constant('file' as const),
		id,
		outcome: fc.constantFrom('done' as const, 'missing' as const, 'refused' as const, 'failed' as const),
		bytes,
	}),
);

test('frames come back as they went, many to a message', async () => {
	await check(100, [fc.array(frame, { maxLength: 12 })], (frames) => {
		expect(decodeFrames(encodeFrames(frames))).toEqual(frames);
	});
});

test('large answers do not travel in one message', () => {
	const body = new Uint8Array(MAX_DOCUMENT_BYTES / 2);
	const frames: LinkFrame[] = [1, 2, 3, 4, 5].map((id) => ({
		kind: 'answer',
		id,
		response: { status: 200, headers: {}, body },
	}));
	const messages = encodeMessages(frames);
	expect(Math.max(...messages.map(({ length }) => length))).toBeLessThan(LARGEST_MESSAGE / 2);
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

test('random bytes never do anything but fail plainly', async () => {
	await check(100, [fc.uint8Array({ maxLength: 200 })], (message) => {
		try {
			decodeFrames(message);
		} catch (error) {
			expect(error).toBeInstanceOf(LinkError);
		}
	});
});

test('bodies are views into the message, and a message may lie inside a larger buffer', () => {
	const body = new Uint8Array([1, 2, 3]);
	const request = { method: 'POST', path: '/step', query: '', headers: {}, body };
	const message = encodeFrames([{ kind: 'request', id: 7, ends: 0, request }]);
	const larger = new Uint8Array(message.length + 5);
	larger.set(message, 5);
	const [decoded] = decodeFrames(larger.subarray(5));
	if (decoded?.kind !== 'request') throw new Error('not a request');
	expect(decoded.request.body).toEqual(body);
	expect(decoded.request.body.buffer).toBe(larger.buffer);
});

test('a line break in a header cannot make another header', () => {
	const response = { status: 200, headers: { a: 'x\nset-cookie\ny' }, body: new Uint8Array(0) };
	const [decoded] = decodeFrames(encodeFrames([{ kind: 'answer', id: 1, response }]));
	expect(decoded).toMatchObject({ response: { headers: { a: 'x set-cookie y' } } });
});

test('only headers that mean something to the engine travel', () => {
	const passed = ['content-type', 'accept', 'user-agent', 'authorization', 'idempotency-key', 'x-agent'];
	expect(passed.every(passesOn)).toBe(true);
	const own = [CALL_HEADER, ENDS_HEADER];
	expect(['cookie', 'host', 'origin', 'connection', 'x-forwarded-for', ...own].some(passesOn)).toBe(false);
});
