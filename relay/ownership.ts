/**
 * Who holds the world: one tab at a time, the same for every browser and profile that opens the page.
 * Owns: the pages that are open, the tab that is the engine, whose turn it is when that is gone, handovers between tabs,
 * heartbeats, and how the last world ended.
 * Never: parses a body; opens sockets; starts a browser.
 */

import type { WebSocket } from 'ws';
import {
	CLOSE_REFUSED,
	CLOSE_REPLACED,
	type Holder,
	type LastWorld,
	type LinkFrame,
} from '../shared/contract/link.ts';
import type { DataFiles, FileResult } from './data-files.ts';
import { Handover } from './handover.ts';
import type { Mailbox } from './mailbox.ts';
import { Page } from './page.ts';
import { Tab } from './tab.ts';
import type { Tokens } from './tokens.ts';

/**
 * `ready`: a tab is the engine. `lost`: its socket is gone and it may come back. `gone`: it will not, and its world is
 * lost. `hung`: neither its page nor its engine has given a sign of life for long. `keeper`: in the relay's own browser.
 */
export type TabEvent =
	| { readonly kind: 'ready' | 'lost'; readonly keeper: boolean }
	| { readonly kind: 'gone'; readonly keeper: boolean; readonly last: LastWorld }
	| { readonly kind: 'hung'; readonly keeper: boolean };

export interface OwnershipOptions {
	readonly tokens: Tokens;
	readonly mailbox: Mailbox;
	readonly files: DataFiles;
	readonly onTab: (event: TabEvent) => void;
	/** Milliseconds in which a tab whose sockets are lost may take its place up again. */
	readonly returnWait: number;
	/** Milliseconds between pings. */
	readonly pingEvery: number;
	/** Pings without a sign of life after which a tab counts as hung. */
	readonly pingsMissed: number;
}

type Hello = LinkFrame & { readonly kind: 'hello' };

/** A socket that was closed in order: by the tab itself, or by the browser when a person closes or reloads the page. */
const IN_ORDER = [1000, 1001];

export class Ownership {
	readonly #options: OwnershipOptions;
	/** In the order in which they came. */
	readonly #pages = new Map<string, Page>();
	#tab: Tab | undefined;
	/** The page that was told to start an engine which has not come yet. */
	#granted: Page | undefined;
	#handover: Handover | undefined;
	#last: LastWorld | null = null;
	#lastPing = performance.now();
	/** The relay runs a browser of its own, so that no visitor has to hold the world. */
	#keeps = false;

	constructor(options: OwnershipOptions) {
		this.#options = options;
	}

	/** Identity of the world that is held now; empty when none is known. */
	get world(): string {
		return this.#tab?.world ?? '';
	}

	/** Milliseconds since the engine was last heard; undefined while no socket of it is up. */
	get silence(): number | undefined {
		return this.#tab?.connected === true ? performance.now() - this.#tab.heardAt : undefined;
	}

	/** When the handover began that is under way (ms since 1970), or undefined. */
	get movingSince(): number | undefined {
		return this.#handover?.began;
	}

	/** Says whether the relay runs a browser of its own that holds the world when nobody else does. */
	keep(keeps: boolean): void {
		this.#keeps = keeps;
		this.#settle();
	}

	/** A socket that said hello. */
	admit(socket: WebSocket, hello: Hello): void {
		if (hello.mode === 'page') this.#admitPage(socket, hello);
		else if (hello.mode === 'resume') this.#resume(socket, hello);
		else this.#admitEngine(socket, hello);
	}

	/** Frames of an admitted engine. */
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
			case 'part':
			case 'more':
			case 'have':
			case 'released':
			case 'off':
				if (this.#handover?.from === tab || this.#handover?.to === tab) this.#handover.take(tab, frame);
				return;
			default:
		}
	}

	#admitPage(socket: WebSocket, hello: Hello): void {
		const issued = this.#options.tokens.use(hello.token);
		if (issued === undefined) {
			socket.close(CLOSE_REFUSED, 'token');
			return;
		}
		const page = new Page(socket, issued.keeper, hello.world);
		this.#pages.set(page.key, page);
		// The page of the engine that is here, which had lost this socket alone.
		const tab = this.#tab;
		if (tab !== undefined && hello.world !== '' && tab.world === hello.world && !this.#isOpen(tab.page))
			tab.page = page;
		socket.on('message', () => {
			page.unanswered = 0;
		});
		socket.on('close', (code) => {
			this.#pages.delete(page.key);
			if (this.#granted === page) this.#granted = undefined;
			if (this.#tab?.page === page && IN_ORDER.includes(code))
				this.#forget('Its tab was closed or reloaded.');
			else this.#settle();
		});
		this.#settle();
	}

	#resume(socket: WebSocket, hello: Hello): void {
		const tab = this.#tab;
		if (tab === undefined || hello.token !== tab.resumeToken) {
			socket.close(CLOSE_REFUSED, 'resume');
			return;
		}
		this.#connect(tab, socket, true);
		this.#options.mailbox.resume(tab);
		this.#options.onTab({ kind: 'ready', keeper: tab.keeper });
	}

	#admitEngine(socket: WebSocket, hello: Hello): void {
		const page = this.#pages.get(hello.token);
		const issued = page ?? this.#options.tokens.use(hello.token);
		if (issued === undefined) {
			socket.close(CLOSE_REFUSED, 'token');
			return;
		}
		const next = new Tab(issued.keeper, hello.world, page);
		if (hello.mode === 'take') {
			this.#handOver(socket, next);
			return;
		}
		const before = this.#tab;
		// An empty world pushes none out, and one that was away does not push out another that is here.
		const taken =
			hello.mode === 'new'
				? before !== undefined || (this.#granted !== undefined && this.#granted !== page)
				: before?.connected === true;
		if (taken) {
			socket.close(CLOSE_REPLACED, 'taken');
			return;
		}
		before?.end({ kind: 'replaced' }, CLOSE_REPLACED);
		if (before !== undefined && before.world !== hello.world)
			this.#lose(before, 'Its tab was away, and another one came with a world of its own.');
		this.#install(next, socket);
	}

	/** The tab is the engine from now on. */
	#install(tab: Tab, socket: WebSocket | undefined): void {
		this.#tab = tab;
		this.#granted = undefined;
		tab.page ??= [...this.#pages.values()].find(({ world }) => world !== '' && world === tab.world);
		if (socket !== undefined) this.#connect(tab, socket, false);
		this.#options.mailbox.attach(tab);
		this.#options.onTab({ kind: 'ready', keeper: tab.keeper });
		this.#settle();
	}

	#connect(tab: Tab, socket: WebSocket, resumed: boolean): void {
		this.#lastPing = performance.now();
		tab.connect(socket);
		tab.welcome(resumed, this.#options.files.folder, this.#last);
		this.#serve(tab, socket);
	}

	#serve(tab: Tab, socket: WebSocket): void {
		tab.listen(socket, (frame) => this.#take(tab, frame));
		socket.on('close', (code) => {
			if (!tab.isOn(socket)) return;
			tab.disconnect();
			if (this.#handover?.from === tab || this.#handover?.to === tab)
				this.#handover.end('The other tab is gone.');
			if (tab !== this.#tab) return;
			this.#options.mailbox.detach();
			this.#options.onTab({ kind: 'lost', keeper: tab.keeper });
			if (IN_ORDER.includes(code) && !this.#isOpen(tab.page)) this.#forget('Its tab was closed or reloaded.');
		});
	}

	#handOver(socket: WebSocket, to: Tab): void {
		const from = this.#tab;
		if (from?.connected !== true || this.#handover !== undefined) {
			const why =
				this.#handover === undefined
					? 'Nobody holds a world just now.'
					: 'The world is on its way to another tab already.';
			to.connect(socket);
			to.end({ kind: 'off', why }, CLOSE_REPLACED);
			return;
		}
		to.connect(socket);
		this.#serve(to, socket);
		// Calls wait here meanwhile; those that the old tab has are answered before it hands anything over.
		this.#options.mailbox.detach(true);
		this.#handover = new Handover(from, to, (moved) => {
			this.#handover = undefined;
			if (moved) {
				to.world = from.world;
				to.welcome(false, this.#options.files.folder, this.#last);
				this.#install(to, undefined);
				from.end({ kind: 'replaced' }, CLOSE_REPLACED);
			} else {
				if (this.#tab?.connected === true) this.#options.mailbox.resume(this.#tab);
				to.end(undefined, CLOSE_REPLACED);
			}
			this.#settle();
		});
	}

	/** Sends pings, notices silence, and gives up tabs that do not come back. Called a few times a second. */
	sweep(): void {
		const tab = this.#tab;
		const now = performance.now();
		tab?.tell();
		if (tab?.lostAt !== undefined && !this.#isOpen(tab.page) && now - tab.lostAt > this.#options.returnWait)
			this.#forget('Its tab was cut off and did not come back.');
		if (now - this.#lastPing < this.#options.pingEvery) return;
		this.#lastPing = now;
		this.#beat();
	}

	/** Whoever answers on either socket lives: an engine that computes is busy, and its page answers for it. */
	#beat(): void {
		const { pingsMissed } = this.#options;
		const tab = this.#tab;
		if (tab?.connected === true) {
			const page = this.#isOpen(tab.page) ? tab.page : undefined;
			if (tab.unanswered >= pingsMissed && (page?.unanswered ?? pingsMissed) >= pingsMissed) {
				const { keeper } = tab;
				this.#forget(`Its tab gave no sign of life for ${seconds(pingsMissed * this.#options.pingEvery)} s.`);
				this.#options.onTab({ kind: 'hung', keeper });
			} else {
				tab.unanswered++;
				tab.send({ kind: 'ping' });
			}
		}
		for (const page of [...this.#pages.values()]) {
			if (page.unanswered >= pingsMissed && this.#tab?.page !== page) {
				page.end();
				if (page.keeper) this.#options.onTab({ kind: 'hung', keeper: true });
			} else {
				page.unanswered++;
				page.send({ kind: 'ping' });
			}
		}
	}

	/** The relay's own browser is known to be dead. If it held the world, calls that it had are refused now. */
	forgetKeeper(why: string): void {
		for (const page of [...this.#pages.values()]) if (page.keeper) page.end();
		if (this.#tab?.keeper === true) this.#forget(why);
	}

	#forget(why: string): void {
		const tab = this.#tab;
		if (tab === undefined) return;
		tab.disconnect();
		if (this.#handover?.from === tab) this.#handover.end('The tab that held the world is gone.');
		this.#lose(tab, why);
		this.#settle();
	}

	#lose(tab: Tab, why: string): void {
		const { mailbox, onTab } = this.#options;
		if (this.#tab === tab) this.#tab = undefined;
		if (this.#isOpen(tab.page)) tab.page.end();
		mailbox.detach();
		mailbox.abandon();
		this.#last = { world: tab.world, ended_at: new Date().toISOString(), why };
		onTab({ kind: 'gone', keeper: tab.keeper, last: this.#last });
	}

	/** Sees to it that somebody holds the world, and tells every page what it is. */
	#settle(): void {
		const pages = [...this.#pages.values()];
		const grantedWorld = this.#granted?.world ?? '';
		if (this.#tab === undefined && grantedWorld === '') {
			// A page that comes with a world goes before those that would begin an empty one.
			const next =
				pages.find(({ world }) => world !== '') ??
				this.#granted ??
				pages.find(({ keeper }) => keeper) ??
				(this.#keeps ? undefined : pages[0]);
			this.#granted = next;
		}
		const owner = this.#tab?.page ?? this.#granted;
		const holder: Holder =
			this.#tab === undefined && this.#granted === undefined
				? 'nobody'
				: (this.#tab ?? this.#granted)!.keeper
					? 'headless'
					: 'tab';
		for (const page of pages) page.tell(page === owner ? 'hold' : page.keeper ? 'stand-by' : 'visit', holder);
	}

	#isOpen(page: Page | undefined): page is Page {
		return page !== undefined && this.#pages.has(page.key);
	}

	/** The relay ends. Tabs go on trying to come back until one is there again. */
	close(): void {
		this.#tab = undefined;
		this.#granted = undefined;
		this.#pages.clear();
	}
}

function sendFile(tab: Tab, id: number, result: FileResult): void {
	tab.send({ kind: 'file', id, outcome: result.outcome, bytes: result.bytes });
}

function seconds(milliseconds: number): number {
	return Math.round(milliseconds / 1000);
}
