/** The engine's end of the socket to the relay, on a clock of the test: when a tab that takes worlds gives up, and why. */

import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { encodeFrames, type LinkFrame } from '../../../shared/contract/link.ts';
import { type LinkSocket, linkRelay, type RelayLink } from '../../../web/host/relay-link.ts';

beforeEach(() => {
	vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'performance'] });
});
let link: RelayLink | undefined;
afterEach(() => {
	link?.close();
	vi.useRealTimers();
});

/** A tab that takes worlds, and the relay's end of its socket. */
function taking() {
	const socket: LinkSocket & { readyState: number } = {
		binaryType: '',
		readyState: 0,
		onopen: null,
		onclose: null,
		onerror: null,
		onmessage: null,
		send: () => {},
		close: () => {},
	};
	const seen: { off: string | undefined; arrived: number; restored: boolean } = {
		off: undefined,
		arrived: 0,
		restored: false,
	};
	link = linkRelay({
		url: 'ws://relay/link',
		token: 'token',
		mode: 'take',
		world: () => '',
		handle: () => Promise.reject(new Error('No call comes before the worlds.')),
		open: () => socket,
		freshToken: async () => 'token',
		onState: () => {},
		onArriving: (bytes) => {
			seen.arrived = bytes;
		},
		take: () => {
			seen.restored = true;
			return new Promise(() => {});
		},
		onOff: (why) => {
			seen.off = why;
		},
	});
	return {
		seen,
		open: () => {
			socket.readyState = 1;
			socket.onopen?.({} as never);
		},
		say: (frame: LinkFrame) => socket.onmessage?.({ data: encodeFrames([frame]).buffer }),
	};
}

const part = (last: boolean): LinkFrame => ({ kind: 'part', last, world: 'w', bytes: new Uint8Array(1000) });

test('worlds may take as long as they like to come, as long as anything comes', () => {
	const { seen, open, say } = taking();
	open();
	for (let i = 0; i < 60; i++) {
		vi.advanceTimersByTime(10_000);
		say(i % 2 === 0 ? { kind: 'ping' } : part(i === 59));
		expect(seen.off).toBeUndefined();
	}
	expect(seen.arrived).toBe(30_000);
	expect(seen.restored).toBe(true);
	// While they are restored too.
	vi.advanceTimersByTime(14_000);
	say({ kind: 'ping' });
	vi.advanceTimersByTime(14_000);
	expect(seen.off).toBeUndefined();
});

test('a relay of which nothing is heard is given up, in words that say so', () => {
	const { seen, open, say } = taking();
	open();
	say(part(false));
	vi.advanceTimersByTime(16_000);
	expect(seen.off).toBe('Nothing was heard from the relay for 15 s.');
});

test('a relay that cannot be reached is given up', () => {
	const { seen } = taking();
	vi.advanceTimersByTime(6000);
	expect(seen.off).toBe('The relay could not be reached.');
});
