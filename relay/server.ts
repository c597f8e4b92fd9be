/**
 * HTTP on this machine's own addresses: the page and its files, and every other call passed to the tab unparsed.
 * Owns: the listening sockets, reading bodies up to their limit, and writing answers.
 * Never: parses a body; knows a route; starts a browser.
 */

import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Fault } from '../shared/contract/errors.ts';
import { LINK_PATH, passesOn } from '../shared/contract/link.ts';
import { refusal } from '../shared/contract/refusal.ts';
import {
	type CallHandler,
	EMPTY_BODY,
	MAX_DOCUMENT_BYTES,
	type WireRequest,
	type WireResponse,
} from '../shared/contract/wire.ts';
import { DataFiles } from './data-files.ts';
import { Guard } from './guard.ts';
import { Mailbox, type MailboxLimits } from './mailbox.ts';
import { doorstepAnswer, type PageOptions, type PageSource, pageAnswer } from './static-page.ts';
import { type TabEvent, TabSocket } from './tab-socket.ts';
import { Tokens } from './tokens.ts';

export interface RelayOptions {
	/** 0 takes a free port. */
	readonly port: number;
	/** The data folder. */
	readonly data: string;
	/** Further names that the Host header may carry, without a port. */
	readonly hosts?: readonly string[];
	/** The page, or a function that makes it once the HTTP server is there. */
	readonly page: PageSource | ((server: Server) => Promise<PageSource>);
	readonly pageOptions?: PageOptions;
	readonly onTab?: (event: TabEvent, tab: number) => void;
	readonly limits?: Partial<RelayLimits>;
}

/** Times in milliseconds. */
export interface RelayLimits extends MailboxLimits {
	readonly returnWait: number;
	readonly pingEvery: number;
	readonly pingsMissed: number;
}

export const RELAY_LIMITS: RelayLimits = {
	calls: 1024,
	bytes: 2 * MAX_DOCUMENT_BYTES,
	tabWait: 15_000,
	answerWait: 300_000,
	returnWait: 10_000,
	pingEvery: 2000,
	pingsMissed: 15,
};

export interface Relay {
	readonly port: number;
	/** Such as `http://127.0.0.1:3917`. */
	readonly url: string;
	/** The data folder, absolute. */
	readonly data: string;
	/** Asks the engine as any caller would. */
	readonly call: CallHandler;
	/** Milliseconds that a call waits for a tab. */
	readonly tabWait: number;
	/** The present tab is known to have died: do not wait for it to come back. */
	forgetTab(): void;
	close(): Promise<void>;
}

/** Milliseconds between looks at what has waited too long. */
const SWEEP = 250;

/** Starts the relay. Rejects with a plain sentence when the port is taken. */
export async function startRelay(options: RelayOptions): Promise<Relay> {
	const limits = { ...RELAY_LIMITS, ...options.limits };
	const guard = new Guard(options.hosts);
	const tokens = new Tokens();
	const files = new DataFiles(options.data);
	const mailbox = new Mailbox(limits);
	const tabs = new TabSocket({
		guard,
		tokens,
		mailbox,
		files,
		onTab: options.onTab ?? (() => {}),
		...limits,
	});
	const pageOptions = options.pageOptions ?? { profile: 'full', seed: undefined };

	const servers: Server[] = [];
	const first = newServer();
	const port = await listen(first, options.port, '127.0.0.1');
	const page = typeof options.page === 'function' ? await options.page(first) : options.page;
	const second = newServer();
	if (await listensOnSix(second, port)) servers.push(second);
	const sweeper = setInterval(() => {
		mailbox.sweep();
		tabs.sweep();
	}, SWEEP);

	return {
		port,
		url: `http://127.0.0.1:${port}`,
		data: files.folder,
		tabWait: limits.tabWait,
		call: (request) => new Promise((resolve) => void mailbox.submit(request, resolve)),
		forgetTab: () => tabs.forget(),
		async close() {
			clearInterval(sweeper);
			mailbox.close();
			tabs.close();
			await Promise.all(servers.map(closeServer));
		},
	};

	function newServer(): Server {
		const server = createServer({ noDelay: true, keepAliveTimeout: 65_000 });
		server.on('request', take);
		server.on('checkContinue', take);
		server.on('upgrade', (request, stream, head) => {
			if (request.headers['sec-websocket-protocol']?.startsWith('vite-') === true) return;
			if (pathOf(request.url) === LINK_PATH) return tabs.upgrade(request, stream, head);
			stream.destroy();
		});
		return server;
	}

	async function listen(server: Server, wanted: number, host: string): Promise<number> {
		await listening(server, wanted, host);
		servers.push(server);
		return (server.address() as AddressInfo).port;
	}

	function take(request: IncomingMessage, response: ServerResponse): void {
		const url = request.url ?? '/';
		const at = url.indexOf('?');
		const path = at < 0 ? url : url.slice(0, at);
		const { method, headers } = request;
		if (method === 'GET' || method === 'HEAD') {
			if (path === '/' && headers.accept?.includes('text/html') === true)
				return void givePage(request, response, url);
			const file = page.file(path);
			if (file !== undefined) return void giveFile(request, response, file);
		}
		const fault = guard.call(headers) ?? (url.startsWith('/') ? undefined : notAPath(url));
		if (fault !== undefined) {
			refuse(request, response, fault);
			return;
		}
		if (page.serve?.(request, response, path) === true) return;
		const wire = {
			method: method ?? 'GET',
			path,
			query: at < 0 ? '' : url.slice(at + 1),
			headers: passedOn(request),
		};
		const length = headers['content-length'];
		if (length === undefined && headers['transfer-encoding'] === undefined) {
			forward(response, { ...wire, body: EMPTY_BODY });
			return;
		}
		readBody(request, response, Number(length ?? 0), (body) => forward(response, { ...wire, body }));
	}

	function forward(response: ServerResponse, request: WireRequest): void {
		let answered = false;
		const id = mailbox.submit(request, (answer) => {
			answered = true;
			give(response, answer);
		});
		if (!answered) {
			response.on('close', () => {
				if (!answered) mailbox.cancel(id);
			});
		}
	}

	async function givePage(request: IncomingMessage, response: ServerResponse, url: string): Promise<void> {
		const { fault, foreign } = guard.page(request.headers);
		if (fault !== undefined) return refuse(request, response, fault);
		try {
			give(response, foreign ? doorstepAnswer() : await pageAnswer(page, url, tokens.issue(), pageOptions));
		} catch (error) {
			give(response, refusal(new Fault('internal', `The page could not be made: ${messageOf(error)}`)));
		}
	}

	async function giveFile(
		request: IncomingMessage,
		response: ServerResponse,
		file: Promise<WireResponse>,
	): Promise<void> {
		const fault = guard.call(request.headers);
		// A file that was never wanted must not fail unheard.
		const read = await file.catch((error: unknown) =>
			refusal(new Fault('internal', `The file could not be read: ${messageOf(error)}`)),
		);
		if (fault !== undefined) refuse(request, response, fault);
		else give(response, read);
	}
}

/** Collects a body of at most 64 MiB; anything longer is refused as soon as that shows, and not read on. */
function readBody(
	request: IncomingMessage,
	response: ServerResponse,
	length: number,
	done: (body: Uint8Array) => void,
): void {
	if (length > MAX_DOCUMENT_BYTES) {
		refuse(request, response, tooLarge(length));
		return;
	}
	if (request.headers.expect !== undefined) response.writeContinue();
	const chunks: Buffer[] = [];
	let size = 0;
	const onData = (chunk: Buffer): void => {
		size += chunk.length;
		if (size > MAX_DOCUMENT_BYTES) {
			request.off('data', onData);
			request.off('end', onEnd);
			refuse(request, response, tooLarge(undefined));
			return;
		}
		chunks.push(chunk);
	};
	const onEnd = (): void => done(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks, size));
	request.on('data', onData);
	request.on('end', onEnd);
	// A caller that goes away in the middle of its body has asked for nothing.
	request.on('error', () => request.destroy());
}

function tooLarge(length: number | undefined): Fault {
	const size = length === undefined ? `more than ${MAX_DOCUMENT_BYTES}` : `${length}`;
	return new Fault('too_large', `The body has ${size} bytes; at most ${MAX_DOCUMENT_BYTES} are taken.`);
}

function notAPath(url: string): Fault {
	return new Fault('no_such_route', `"${url.slice(0, 100)}" is not a path.`, {
		fix: 'Send a path that begins with "/".',
	});
}

/**
 * Bytes of a refused body that are still taken in and dropped, and for how many milliseconds: many callers read nothing
 * until they have sent all, and cutting them off would make a broken connection of a plain refusal.
 */
const LEFTOVER_BYTES = 2 * MAX_DOCUMENT_BYTES;
const LEFTOVER_TIME = 10_000;

/** Answers a refusal and ends the connection if there is a body still on its way. */
function refuse(request: IncomingMessage, response: ServerResponse, fault: Fault): void {
	const answer = refusal(fault);
	const hasBody =
		!request.complete &&
		(request.headers['content-length'] !== undefined || request.headers['transfer-encoding'] !== undefined);
	if (!hasBody) {
		give(response, answer);
		return;
	}
	const { socket } = request;
	// Sent whole but not ended: at the end Node cuts the connection, and a caller that still sends would lose the answer.
	const end = give(response, { ...answer, headers: { ...answer.headers, connection: 'close' } }, false);
	const stop = setTimeout(() => socket.destroy(), LEFTOVER_TIME);
	socket.once('close', () => clearTimeout(stop));
	let left = LEFTOVER_BYTES;
	request.on('data', (chunk: Buffer) => {
		left -= chunk.length;
		// Beyond that only a caller that reads while it sends gets to see why it comes to a halt.
		if (left < 0) request.pause();
	});
	request.on('end', end);
}

/** Writes an answer, and ends it unless told to leave that to the function that it returns. */
function give(response: ServerResponse, answer: WireResponse, ends = true): () => void {
	const end = () => void response.end();
	if (response.destroyed || response.headersSent) return end;
	const { body } = answer;
	const headers: Record<string, string | number> = { ...answer.headers, 'content-length': body.length };
	headers['x-content-type-options'] = 'nosniff';
	headers['cross-origin-resource-policy'] = 'same-origin';
	headers['cache-control'] ??= 'no-store';
	try {
		response.writeHead(answer.status, headers);
	} catch (error) {
		const fault = new Fault('internal', `The engine's answer cannot be sent: ${messageOf(error)}`);
		const other = refusal(fault);
		response.writeHead(other.status, other.headers);
		response.end(other.body);
		return end;
	}
	const content = body.length === 0 ? undefined : Buffer.from(body.buffer, body.byteOffset, body.length);
	if (ends) response.end(content);
	else if (content !== undefined) response.write(content);
	return end;
}

function passedOn(request: IncomingMessage): Record<string, string> {
	const passed: Record<string, string> = {};
	const { headers } = request;
	for (const name in headers) {
		if (!passesOn(name)) continue;
		const value = headers[name];
		if (value !== undefined) passed[name] = typeof value === 'string' ? value : value.join(', ');
	}
	return passed;
}

function pathOf(url: string | undefined): string {
	return (url ?? '/').split('?', 1)[0]!;
}

function listening(server: Server, port: number, host: string): Promise<void> {
	return new Promise((resolve, reject) => {
		const failed = (error: NodeJS.ErrnoException): void => {
			if (error.code === 'EADDRINUSE') {
				reject(
					new Error(
						`Port ${port} is taken by another program. Stop it (another Orrery, perhaps), or choose a free one with --port N.`,
					),
				);
			} else if (error.code === 'EACCES') {
				reject(new Error(`Port ${port} is not open to this user. Choose one above 1023 with --port N.`));
			} else reject(error);
		};
		server.once('error', failed);
		server.listen(port, host, () => {
			server.off('error', failed);
			resolve();
		});
	});
}

/** Also answers on ::1, where the machine has it: some programs try that first for "localhost". */
async function listensOnSix(server: Server, port: number): Promise<boolean> {
	try {
		await listening(server, port, '::1');
		return true;
	} catch (error) {
		const code = error instanceof Error && 'code' in error ? error.code : undefined;
		if (code === 'EADDRNOTAVAIL' || code === 'EAFNOSUPPORT' || code === 'EINVAL') return false;
		throw error;
	}
}

function closeServer(server: Server): Promise<void> {
	return new Promise((resolve) => {
		server.close(() => resolve());
		server.closeAllConnections();
	});
}

function messageOf(error: unknown): string {
	return error instanceof Error ? error.message : String(error);
}
