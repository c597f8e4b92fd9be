/** The engine's end of the socket to the relay: answers, reconnection and running calls. The test controls the clock. */

import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { CallSignal } from '../../../shared/contract/wire.ts';
import { CLOSE_REFUSED, decodeFrames, encodeFrames, type LinkFrame } from '../../../shared/transport/link.ts';
import { RelayLink } from '../../../web/host/relay-link.ts';
import type { LinkSocket } from '../../../web/host/relay-socket.ts';

beforeEach(() => {
	vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'performance'] });
});
let link: RelayLink | undefined;
afterEach(() => {
	link?.close();
	vi.useRealTimers();
});

const welcomeOf = (relay: string): LinkFrame => ({
	kind: 'welcome',
	gated: false,
	server: '',
	storage: '',
	journal: '',
	durable: true,
	relay,
});

/** Returns an open socket that passes each sent message to `send`. */
const socketThat = (send: (data: Uint8Array) => void): LinkSocket => ({
	binaryType: '',
	readyState: 1,
	onopen: null,
	onclose: null,
	onerror: null,
	onmessage: null,
	send,
	close: () => {},
});

test('the answers to a ping and to a call beside it are sent in one message', async () => {
	const sent: string[][] = [];
	const socket = socketThat((data) => sent.push(decodeFrames(data).map(({ kind }) => kind)));
	link = new RelayLink({
		url: 'ws://relay/link',
		token: 'token',
		world: () => 'w',
		handle: async () => ({ status: 200, headers: {}, body: new Uint8Array(0) }),
		open: () => socket,
		freshToken: async () => 'fresh',
		onState: () => {},
	});
	socket.onopen?.({} as never);
	const say = (...frames: LinkFrame[]): void => socket.onmessage?.({ data: encodeFrames(frames).buffer });
	say(welcomeOf('one'));
	const request = { method: 'GET', path: '/', query: '', headers: {}, body: new Uint8Array(0) };
	say({ kind: 'ping' }, { kind: 'request', id: 1, again: false, request });
	await vi.waitFor(() => expect(sent.flat()).toContain('answer'));
	expect(sent.at(-1)).toEqual(['pong', 'answer']);
});

test('a tab that the relay refuses connects with a fresh token, a second after each refusal', async () => {
	const tokens: string[] = [];
	const sockets: LinkSocket[] = [];
	link = new RelayLink({
		url: 'ws://relay/link',
		token: 'token',
		world: () => 'w',
		handle: () => Promise.reject(new Error('No call comes.')),
		open: () => {
			const socket = socketThat((data) => {
				const [frame] = decodeFrames(data);
				if (frame?.kind === 'engine') tokens.push(frame.token);
			});
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
	// The relay is away until the tab tries at its longest interval.
	closes(1006);
	for (let attempt = 0; attempt < 10; attempt++) {
		await vi.advanceTimersByTimeAsync(1000);
		closes(1006);
	}
	await vi.advanceTimersByTimeAsync(1000);
	opens();
	expect(tokens.at(-1)).toBe('token');
	closes(CLOSE_REFUSED);
	await vi.advanceTimersByTimeAsync(1000);
	opens();
	expect(tokens.at(-1)).toBe('fresh');
	const tried = sockets.length;
	closes(CLOSE_REFUSED);
	await vi.advanceTimersByTimeAsync(999);
	expect(sockets.length).toBe(tried);
	await vi.advanceTimersByTimeAsync(1);
	expect(sockets.length).toBe(tried + 1);
});

test('a call with a key continues under another relay, because its sender sends it again', () => {
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
	link = new RelayLink({
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
			again: false,
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
