/**
 * The relay's end of the socket: who may be the engine, when it is gone, and what its frames ask for.
 * Owns: the upgrade, the hello, takeover and return of tabs, heartbeats. Never: parses a body; starts a browser.
 */

import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type RawData, type WebSocket, WebSocketServer } from 'ws';
import {
	CLOSE_BROKEN,
	CLOSE_REFUSED,
	CLOSE_REPLACED,
	decodeFrames,
	LINK_VERSION,
	type LinkFrame,
} from '../shared/contract/link.ts';
import type { DataFiles, FileResult } from './data-files.ts';
import type { Guard } from './guard.ts';
import type { Mailbox } from './mailbox.ts';
import { refuseStream } from './malformed.ts';
import { Tab } from './tab.ts';
import type { Tokens } from './tokens.ts';

/** `ready`: a tab is the engine. `lost`: its socket is gone and it may come back. `gone`: it will not. `hung`: it is silent. */
export type TabEvent = 'ready' | 'lost' | 'gone' | 'hung';

export interface TabSocketOptions {
	readonly guard: Guard;
	readonly tokens: Tokens;
	readonly mailbox: Mailbox;
	readonly files: DataFiles;
	readonly onTab: (event: TabEvent, tab: number) => void;
	/** Milliseconds in which a tab whose socket is lost may take its place up again. */
	readonly returnWait: number;
	/** Milliseconds between pings. */
	readonly pingEvery: number;
	/** Pings without a sign of life after which a tab counts as hung. */
	readonly pingsMissed: number;
}

/** Larger than any picture or saved world. Bytes. */
const LARGEST_MESSAGE = 256 * 1024 * 1024;
/** A socket that has not said hello by then is closed. Milliseconds. */
const HELLO_WAIT = 5000;

export class TabSocket {
	readonly #options: TabSocketOptions;
	readonly #server = new WebSocketServer({
		noServer: true,
		perMessageDeflate: false,
		maxPayload: LARGEST_MESSAGE,
		clientTracking: true,
	});
	#tab: Tab | undefined;
	#tabs = 0;
	#lastPing = performance.now();

	constructor(options: TabSocketOptions) {
		this.#options = options;
	}

	/** True while a tab is the engine and its socket is up. */
	get ready(): boolean {
		return this.#tab?.connected === true;
	}

	/** Takes an HTTP upgrade: a socket, or a refusal in JSON. */
	upgrade(request: IncomingMessage, stream: Duplex, head: Buffer): void {
		const fault = this.#options.guard.socket(request.headers);
		if (fault !== undefined) {
			refuseStream(stream, fault);
			return;
		}
		this.#server.handleUpgrade(request, stream, head, (socket) => this.#greet(socket));
	}

	/** Sends pings, notices silence, and gives up tabs that do not come back. Called a few times a second. */
	sweep(): void {
		const tab = this.#tab;
		const now = performance.now();
		if (tab === undefined) return;
		tab.tell();
		if (tab.lostAt !== undefined) {
			if (now - tab.lostAt > this.#options.returnWait) this.forget();
			return;
		}
		if (now - this.#lastPing < this.#options.pingEvery) return;
		this.#lastPing = now;
		if (tab.unanswered >= this.#options.pingsMissed) {
			this.#lose(tab);
			this.#options.onTab('hung', tab.number);
			return;
		}
		tab.unanswered++;
		tab.send({ kind: 'ping' });
	}

	/** The present tab is known to be dead: calls that it had are refused now, and it cannot come back. */
	forget(): void {
		const tab = this.#tab;
		if (tab === undefined) return;
		this.#tab = undefined;
		tab.disconnect();
		this.#options.mailbox.detach();
		this.#options.mailbox.abandon();
		this.#options.onTab('gone', tab.number);
	}

	/** Closes every socket. Tabs go on trying to come back until a relay is there again. */
	close(): void {
		this.#tab = undefined;
		for (const socket of this.#server.clients) socket.terminate();
		this.#server.close();
	}

	/** A socket of the right origin: nothing it sends counts until it shows a token. */
	#greet(socket: WebSocket): void {
		socket.on('error', () => socket.terminate());
		const late = setTimeout(() => socket.close(CLOSE_REFUSED, 'no hello'), HELLO_WAIT);
		socket.once('close', () => clearTimeout(late));
		socket.once('message', (data, isBinary) => {
			clearTimeout(late);
			const hello = isBinary ? framesOf(data)?.[0] : undefined;
			if (hello?.kind !== 'hello' || hello.version !== LINK_VERSION) socket.close(CLOSE_REFUSED, 'hello');
			else this.#admit(socket, hello.token, hello.mode);
		});
	}

	#admit(socket: WebSocket, token: string, mode: 'new' | 'resume' | 'rejoin'): void {
		const { mailbox, tokens, files } = this.#options;
		const before = this.#tab;
		if (mode === 'resume') {
			if (before === undefined || token !== before.resumeToken) {
				socket.close(CLOSE_REFUSED, 'resume');
				return;
			}
			before.connect(socket, true, files.folder);
			this.#serve(before, socket);
			mailbox.resume(before.request);
			this.#options.onTab('ready', before.number);
			return;
		}
		if (!tokens.use(token)) {
			socket.close(CLOSE_REFUSED, 'token');
			return;
		}
		// One that only wants its old place back does not push another tab out.
		if (mode === 'rejoin' && before?.connected === true) {
			socket.close(CLOSE_REPLACED, 'taken');
			return;
		}
		before?.end({ kind: 'replaced' }, CLOSE_REPLACED);
		this.#tabs++;
		const tab = new Tab(this.#tabs);
		this.#tab = tab;
		this.#lastPing = performance.now();
		tab.connect(socket, false, files.folder);
		this.#serve(tab, socket);
		mailbox.attach(tab.request);
		this.#options.onTab('ready', tab.number);
	}

	#serve(tab: Tab, socket: WebSocket): void {
		socket.on('message', (data, isBinary) => {
			if (!tab.isOn(socket)) return;
			tab.unanswered = 0;
			const frames = isBinary ? framesOf(data) : undefined;
			if (frames === undefined) return socket.close(CLOSE_BROKEN, 'frames');
			for (const frame of frames) this.#take(tab, frame);
		});
		socket.on('close', () => {
			if (!tab.isOn(socket)) return;
			this.#lose(tab);
			this.#options.onTab('lost', tab.number);
		});
	}

	#take(tab: Tab, frame: LinkFrame): void {
		const { mailbox, files } = this.#options;
		switch (frame.kind) {
			case 'answer':
				tab.received(frame.id);
				mailbox.answer(frame.id, frame.response);
				return;
			case 'read':
				return void files.read(frame.path).then((result) => sendFile(tab, frame.id, result));
			case 'write':
				return void files.write(frame.path, frame.bytes).then((result) => sendFile(tab, frame.id, result));
			default:
		}
	}

	#lose(tab: Tab): void {
		tab.disconnect();
		if (this.#tab === tab) this.#options.mailbox.detach();
	}
}

function sendFile(tab: Tab, id: number, result: FileResult): void {
	tab.send({ kind: 'file', id, outcome: result.outcome, bytes: result.bytes });
}

function framesOf(data: RawData): LinkFrame[] | undefined {
	const message = Array.isArray(data) ? Buffer.concat(data) : data;
	try {
		return decodeFrames(message instanceof ArrayBuffer ? new Uint8Array(message) : message);
	} catch {
		return undefined;
	}
}
