/** The engine's end of the socket to the relay, on a clock of the test: when a tab that takes worlds gives up, and why. */

import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { CLOSE_REFUSED, decodeFrames, encodeFrames, type LinkFrame } from '../../../shared/contract/link.ts';
import type { CallSignal } from '../../../shared/contract/wire.ts';
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

const welcomeOf = (relay: string): LinkFrame => ({
	kind: 'welcome',
	resume: 'mine',
	resumed: false,
	gated: false,
	storage: '',
	last: null,
	journal: '',
	entries: 0,
	relay,
});

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

test('a relay that does not know the tab any more is answered at once with a fresh token, and asked again less and less often', async () => {
	const modes: string[] = [];
	const sockets: LinkSocket[] = [];
	link = linkRelay({
		url: 'ws://relay/link',
		token: 'token',
		world: () => 'w',
		handle: () => Promise.reject(new Error('No call comes.')),
		open: () => {
			const socket = {
				binaryType: '',
				readyState: 1,
				onopen: null,
				onclose: null,
				onerror: null,
				onmessage: null,
				send: (data: Uint8Array) => {
					const [frame] = decodeFrames(data);
					if (frame?.kind === 'hello') modes.push(frame.mode);
				},
				close: () => {},
			};
			sockets.push(socket);
			return socket;
		},
		freshToken: async () => 'fresh',
		onState: () => {},
	});
	const opens = (): void => sockets.at(-1)!.onopen?.({} as never);
	const closes = (code: number): void => sockets.at(-1)!.onclose?.({ code });
	opens();
	sockets.at(-1)!.onmessage?.({ data: encodeFrames([welcomeOf('one')]).buffer });
	// It is away for so long that the tab looks for it as seldom as it ever does.
	closes(1006);
	for (let away = 0; away < 10; away++) {
		await vi.advanceTimersByTimeAsync(1000);
		closes(1006);
	}
	await vi.advanceTimersByTimeAsync(1000);
	opens();
	expect(modes.at(-1)).toBe('resume');
	closes(CLOSE_REFUSED);
	await vi.advanceTimersByTimeAsync(0);
	opens();
	expect(modes.at(-1)).toBe('rejoin');
	const tried = sockets.length;
	closes(CLOSE_REFUSED);
	await vi.advanceTimersByTimeAsync(999);
	expect(sockets.length).toBe(tried);
	await vi.advanceTimersByTimeAsync(1);
	expect(sockets.length).toBe(tried + 1);
});

test('a call with a key goes on when another relay takes the place of the one that it came through: who sent it asks again', () => {
	const signals = new Map<string, CallSignal>();
	let socket: LinkSocket;
	const connect = (): LinkSocket => {
		socket = {
			binaryType: '',
			readyState: 1,
			onopen: null,
			onclose: null,
			onerror: null,
			onmessage: null,
			send: () => {},
			close: () => {},
		};
		return socket;
	};
	link = linkRelay({
		url: 'ws://relay/link',
		token: 'token',
		world: () => 'w',
		handle: ({ path }, signal) => {
			signals.set(path, signal!);
			return new Promise(() => {});
		},
		open: connect,
		freshToken: async () => 'fresh',
		onState: () => {},
	});
	const say = (frame: LinkFrame): void => socket.onmessage?.({ data: encodeFrames([frame]).buffer });
	const welcome = (relay: string): void => {
		socket.onopen?.({} as never);
		say(welcomeOf(relay));
	};
	const call = (id: number, path: string, headers: Record<string, string>): void =>
		say({
			kind: 'request',
			id,
			ends: 0,
			request: { method: 'POST', path, query: '', headers, body: new Uint8Array(0) },
		});
	welcome('one');
	call(1, '/step', { 'idempotency-key': 'mine' });
	call(2, '/spawn', {});
	call(3, '/despawn', { 'idempotency-key': 'given-up' });
	say({ kind: 'cancel', id: 3 });
	socket!.onclose?.({ code: 1006 });
	vi.advanceTimersByTime(5000);
	welcome('two');
	expect([...signals].map(([path, { aborted }]) => [path, aborted])).toEqual([
		['/step', false],
		['/spawn', true],
		['/despawn', true],
	]);
});
