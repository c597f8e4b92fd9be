/**
 * Who holds the world: one tab at a time, the same for every browser and profile that opens the page.
 * Owns: the pages that are open, the tab that is the engine, whose turn it is when that is gone, handovers between tabs and
 * to the relay, heartbeats, and how the last world ended.
 * Never: parses a body; opens sockets; starts a browser.
 */

import type { WebSocket } from 'ws';
import { notKept } from '../shared/contract/error-response.ts';
import { newIdentity } from '../shared/contract/identity.ts';
import { type JournalError, mayBeOne, NOWHERE } from '../shared/contract/journal.ts';
import type { JournalTold } from '../shared/contract/journal-ask.ts';
import {
	CLOSE_REFUSED,
	CLOSE_REPLACED,
	type Holder,
	type LastWorld,
	type LinkFrame,
} from '../shared/contract/link.ts';
import { EMPTY_BODY, ENTRY_HEADER } from '../shared/contract/wire.ts';
import type { DataFiles, FileResult } from './data-files.ts';
import type { Errands } from './errands.ts';
import { Handover, type HandoverOptions, type Side } from './handover.ts';
import type { JournalPort } from './journal/journal-port.ts';
import { KeptWorlds, takerInto } from './kept-worlds.ts';
import { Page } from './page.ts';
import type { PendingCalls } from './pending-calls.ts';
import { type Trouble, unreadableAnswer } from './status.ts';
import { type Reading, Tab } from './tab.ts';
import type { Tokens } from './tokens.ts';
import { WorldsFile } from './worlds-file.ts';

/**
 * `ready`: a tab is the engine. `lost`: its socket is gone and it may come back. `gone`: it will not, and its world is
 * lost. `left`: it is gone, and the journal or the relay has its worlds. `hung`: neither its page nor its engine has given a
 * sign of life for long. `unreadable`: it cannot go on with what the journal says. `keeper`: in the relay's own browser.
 */
export type TabEvent =
	| { readonly kind: 'ready'; readonly keeper: boolean; readonly world: string }
	| { readonly kind: 'lost' | 'left'; readonly keeper: boolean }
	| { readonly kind: 'gone'; readonly keeper: boolean; readonly last: LastWorld }
	| { readonly kind: 'hung'; readonly keeper: boolean }
	| { readonly kind: 'unreadable'; readonly keeper: boolean; readonly why: string };

export interface OwnershipOptions {
	readonly tokens: Tokens;
	readonly pendingCalls: PendingCalls;
	readonly files: DataFiles;
	readonly errands: Errands;
	/** Undefined where none is kept. */
	readonly journal: JournalPort | undefined;
	/** Identity of the world that a relay here had when it was killed; empty for none. */
	readonly worldBefore: string;
	readonly onTab: (event: TabEvent) => void;
	/** Milliseconds in which a tab whose sockets are lost may take its place up again. */
	readonly returnWait: number;
	/** Milliseconds in which the page of an engine that was ended lets go of it. */
	readonly endWait: number;
	/** Milliseconds between pings. */
	readonly pingEvery: number;
	/** Pings without a sign of life after which a tab counts as hung. */
	readonly pingsMissed: number;
}

type Hello = LinkFrame & { readonly kind: 'hello' };

/** The page of an engine that a caller ended. It is to begin anew, which one that hangs as well never does. */
interface Ended {
	readonly page: Page;
	/** In milliseconds on the steady clock. */
	readonly since: number;
}

/** A tab that has given its worlds to the relay, and may go at any moment. */
interface Leaving {
	readonly tab: Tab;
	readonly began: number;
	/** Pings since then that its page has answered. */
	answered: number;
}

/**
 * Pings that a page answers before a tab that was about to go counts as one that stays: while a browser asks the person,
 * the page answers none, and one or two may come in while another page is on its way into its place.
 */
const STAYS = 3;

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
	readonly #kept = new KeptWorlds();
	#leaving: Leaving | undefined;
	#ended: Ended | undefined;
	/** Told when no tab is on its way out with its worlds half given. */
	#whenGiven: (() => void)[] = [];
	#last: LastWorld | null = null;
	/** Why nobody can go on with what the journal says; undefined unless an engine tried and said so. */
	#unreadable: string | undefined;
	/** Tells the calls of this relay from those of another. */
	readonly #relay = newIdentity();
	/** What the relay before this one had, until it is known whether that came back. */
	#before: string;
	/** Identity of a world that a tab has left, and that is kept. */
	#goesOn = '';
	#lastPing = performance.now();
	/** The relay runs a browser of its own, so that no visitor has to hold the world. */
	#keeps = false;
	#trouble: Trouble | undefined;

	constructor(options: OwnershipOptions) {
		this.#options = options;
		this.#before = options.worldBefore;
	}

	/** Identity of the world that is held now; empty when none is known. */
	get world(): string {
		return this.#tab?.world ?? '';
	}

	/** Identity of the world that is held, or that the next tab goes on with; empty when none is known. */
	get identity(): string {
		return this.world || this.keptWorld || this.#goesOn;
	}

	/**
	 * Milliseconds that the engine has left a ping unanswered, 0 when none waits; undefined while no socket of it is up. One
	 * that nobody asked anything is not silent.
	 */
	get silence(): number | undefined {
		const tab = this.#tab;
		if (tab?.connected !== true) return undefined;
		return tab.askedAt === undefined ? 0 : performance.now() - tab.askedAt;
	}

	/** Milliseconds for which the tab that holds the world has had no connection; undefined while it has one, or there is none. */
	get lostFor(): number | undefined {
		const tab = this.#tab;
		return tab === undefined || tab.connected || tab.lostAt === undefined
			? undefined
			: performance.now() - tab.lostAt;
	}

	/** How the last world was lost; null when none was. */
	get last(): LastWorld | null {
		return this.#last;
	}

	/** Identity of the world that the relay has for the next tab; empty while a tab holds one, or there is none. */
	get keptWorld(): string {
		return this.#tab === undefined ? (this.#kept.copy?.world ?? '') : '';
	}

	/** Whether the relay runs a browser of its own that holds the world when nobody else does. */
	get keeps(): boolean {
		return this.#keeps;
	}

	/** Whether the relay's own browser has a page that is connected. */
	get keeperHere(): boolean {
		return [...this.#pages.values()].some(({ keeper }) => keeper);
	}

	/** Why the relay's own browser does not hold the world, where it dies again and again. */
	get trouble(): Trouble | undefined {
		return this.#trouble;
	}

	/** Says why the relay's own browser dies, and when it is started again (ms since 1970). */
	setTrouble(why: string, next: number): void {
		this.#trouble = { why, next };
	}

	/** How far the next engine is with reading the journal; undefined when none is at it. */
	get reading(): Reading | undefined {
		return this.#tab?.reading;
	}

	/** Since when a tab has been about to begin with the world (ms since 1970); undefined when none is. */
	get startingSince(): number | undefined {
		return this.#tab?.begun === false ? this.#tab.came : undefined;
	}

	/** Why nobody can go on with what the journal says; undefined when nothing is known against it. */
	get unreadable(): string | undefined {
		return this.#unreadable;
	}

	/** Asks the engine for a sign of life, beside the pings at their time. */
	ask(): void {
		if (this.#tab?.connected === true) this.#tab.ping();
	}

	/** When the handover began that is under way (ms since 1970), or undefined. */
	get movingSince(): number | undefined {
		return this.#handover?.began ?? this.#leaving?.began;
	}

	/** Resolves when no tab is giving its worlds to the relay: at once, mostly. The page that takes its place comes after. */
	given(): Promise<void> {
		if (this.#handover === undefined || this.#handover.to instanceof Tab) return Promise.resolve();
		return new Promise((resolve) => this.#whenGiven.push(resolve));
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
		const { files, errands } = this.#options;
		switch (frame.kind) {
			case 'answer':
				this.#passOnAnswer(tab, frame);
				return;
			case 'read':
				return void files.read(frame.path).then((result) => sendFile(tab, frame.id, result));
			case 'write':
				return void files.write(frame.path, frame.bytes).then((result) => sendFile(tab, frame.id, result));
			case 'ask':
				// Only who holds the world speaks for its callers.
				if (tab !== this.#tab) return;
				return void errands
					.run(frame.errand, frame.bytes)
					.then((bytes) => tab.send({ kind: 'told', id: frame.id, bytes }));
			case 'append':
			case 'journal':
				this.#takeForJournal(tab, frame);
				return;
			case 'holds':
				this.#begins(tab, frame);
				return;
			case 'reading':
				tab.reading = { next: frame.next, end: frame.end };
				return;
			case 'unreadable':
				if (tab !== this.#tab) return;
				this.#unreadable = frame.why;
				this.#options.pendingCalls.refuse(unreadableAnswer(frame.why));
				this.#options.onTab({ kind: 'unreadable', keeper: tab.keeper, why: frame.why });
				return;
			case 'leaving':
				this.#takeIn(tab);
				return;
			case 'giving':
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

	/** The tab has its world, and says which journal it writes to, and how far it has come there. */
	#begins(tab: Tab, { world, journal, entries, place }: LinkFrame & { readonly kind: 'holds' }): void {
		const mine = this.#options.journal?.id ?? '';
		const here = this.#options.journal?.place ?? NOWHERE;
		tab.kept = journal !== '' && mine !== '';
		tab.world = world;
		// Its world is kept elsewhere, and here is another; or others have gone on with it since, over another relay, and this is what it was.
		const stale =
			journal !== mine
				? 'It was written down in another journal.'
				: entries < here.next || !mayBeOne(place, here)
					? 'Others have gone on with it in the journal.'
					: undefined;
		if (tab.kept && stale !== undefined) {
			tab.end({ kind: 'replaced' }, CLOSE_REPLACED);
			if (tab === this.#tab) this.#forget(stale);
			return;
		}
		if (tab !== this.#tab || tab.begun) return;
		tab.reading = undefined;
		this.#unreadable = undefined;
		this.#goOn(tab);
	}

	/** Only who holds the world writes down what becomes of it. */
	#takeForJournal(tab: Tab, frame: LinkFrame & { readonly kind: 'append' | 'journal' }): void {
		const { journal } = this.#options;
		if (journal !== undefined && tab === this.#tab) {
			journal.take(tab, frame);
			return;
		}
		const message =
			journal === undefined
				? 'The relay keeps no journal of this world; it said why when it was started.'
				: 'This tab does not hold the world.';
		const told = JSON.stringify({ fault: 'failed', message } satisfies JournalTold);
		tab.send({ kind: 'journaled', id: frame.id, told, bytes: EMPTY_BODY });
	}

	/** An answer goes out when the journal has the entry that it names. Until then the tab keeps it, and may be asked again. */
	#passOnAnswer(tab: Tab, { id, response }: LinkFrame & { readonly kind: 'answer' }): void {
		const { pendingCalls, journal } = this.#options;
		const pass = (why?: JournalError): void => {
			tab.received(id);
			pendingCalls.answer(id, why === undefined ? response : notKept(why.message));
		};
		const entry = Number(response.headers[ENTRY_HEADER]);
		if (journal === undefined || !Number.isSafeInteger(entry)) pass();
		else journal.hold(tab, entry, pass);
	}

	#admitPage(socket: WebSocket, hello: Hello): void {
		const issued = this.#options.tokens.use(hello.token);
		if (issued === undefined) {
			socket.close(CLOSE_REFUSED, 'token');
			return;
		}
		const page = new Page(socket, issued.keeper, hello.world);
		this.#pages.set(page.key, page);
		if (page.keeper && this.#ended?.page.keeper === true) this.#ended = undefined;
		// The page of the engine that is here, which had lost this socket alone.
		const tab = this.#tab;
		if (tab !== undefined && !this.#isOpen(tab.page) && isPageOf(tab, page)) tab.page = page;
		socket.on('message', () => {
			page.unanswered = 0;
		});
		socket.on('close', (code) => {
			this.#pages.delete(page.key);
			if (this.#granted === page) this.#granted = undefined;
			if (this.#tab?.page === page && IN_ORDER.includes(code))
				this.#forget('Its tab was closed, reloaded or killed.');
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
		// It went on by itself when it was cut off.
		this.#leaving = undefined;
		if (!tab.begun) return;
		this.#options.pendingCalls.resume(tab);
		this.#options.onTab({ kind: 'ready', keeper: tab.keeper, world: tab.world });
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
		if (!this.#mayHold(issued.keeper)) {
			socket.close(CLOSE_REPLACED, 'gated');
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
			this.#lose(before, 'Its tab was disconnected, and another one connected with a world of its own.');
		this.#install(next, socket);
	}

	/**
	 * Whoever holds the world sees the sessions of all callers and writes the journal. Where they sign in and the relay has a browser of its
	 * own, that is nobody else, also while the browser is being started anew.
	 */
	#mayHold(keeper: boolean): boolean {
		return keeper || !this.#keeps || !this.#options.errands.gated;
	}

	/** The tab is the engine from now on. */
	#install(tab: Tab, socket: WebSocket | undefined): void {
		if (this.#tab !== undefined) this.#options.journal?.drop(this.#tab);
		this.#tab = tab;
		this.#granted = undefined;
		tab.page ??= [...this.#pages.values()].find((page) => isPageOf(tab, page));
		this.#missBefore(tab.world);
		if (socket !== undefined) this.#connect(tab, socket, false);
		// Where there is a journal, a tab says when it has gone on with it; calls wait for that.
		if (this.#options.journal === undefined) this.#goOn(tab);
		else this.#options.pendingCalls.detach(true);
		this.#settle();
	}

	/** The tab answers calls from now on. */
	#goOn(tab: Tab): void {
		const { pendingCalls, onTab } = this.#options;
		tab.begun = true;
		this.#goesOn = '';
		this.#trouble = undefined;
		// Without the journal nobody knows what became of the calls that another engine had.
		if (!tab.kept) pendingCalls.abandon();
		pendingCalls.resume(tab);
		onTab({ kind: 'ready', keeper: tab.keeper, world: tab.world });
	}

	/** The first tab shows what became of the world that the relay before this one had: it comes with it, or it is lost. */
	#missBefore(world: string): void {
		const before = this.#before;
		this.#before = '';
		if (before === '' || before === world) return;
		const why =
			'The relay was killed, and when another was started, no tab had this world any more. That is when it was noticed.';
		this.#last = { world: before, ended_at: new Date().toISOString(), why };
		this.#options.onTab({ kind: 'gone', keeper: false, last: this.#last });
	}

	#connect(tab: Tab, socket: WebSocket, resumed: boolean): void {
		this.#lastPing = performance.now();
		this.#options.journal?.drop(tab);
		// What was on its way over its last socket is lost, also where nobody has noticed that this is gone.
		if (resumed) this.#endHandoverOf(tab);
		tab.connect(socket);
		this.#welcome(tab, resumed);
		this.#serve(tab, socket);
	}

	#serve(tab: Tab, socket: WebSocket): void {
		tab.listen(socket, (frame) => this.#take(tab, frame));
		socket.on('close', (code) => {
			if (!tab.isOn(socket)) return;
			tab.disconnect();
			this.#options.journal?.drop(tab);
			this.#endHandoverOf(tab);
			if (tab !== this.#tab) return;
			this.#options.pendingCalls.detach();
			this.#options.onTab({ kind: 'lost', keeper: tab.keeper });
			if (IN_ORDER.includes(code) && !this.#isOpen(tab.page))
				this.#forget('Its tab was closed, reloaded or killed.');
		});
	}

	#endHandoverOf(tab: Tab): void {
		if (this.#handover?.from === tab || this.#handover?.to === tab)
			this.#handover.end('The other tab was closed, or its connection was lost.');
	}

	/** Hands the worlds over to a tab: those of the tab that holds them, else those that are kept. */
	#handOver(socket: WebSocket, to: Tab): void {
		const from = this.#tab;
		const refused = this.#refusedHandover(from, to);
		if (refused !== undefined) {
			to.connect(socket);
			to.end({ kind: 'off', why: refused }, CLOSE_REPLACED);
			return;
		}
		to.connect(socket);
		this.#serve(to, socket);
		if (from === undefined) this.#giveOut(to);
		else this.#passOn(from, to);
	}

	#refusedHandover(from: Tab | undefined, to: Tab): string | undefined {
		if (this.#handover !== undefined) return 'The world is already being moved to another tab.';
		if (this.#leaving !== undefined) return 'The tab that holds the world is being closed.';
		if ((from !== undefined && this.#options.errands.gated && !to.keeper) || !this.#mayHold(to.keeper))
			return 'Callers sign in here, so the world stays with the tab that holds it.';
		const there = from === undefined ? this.#kept.copy !== undefined : from.connected;
		if (!there) return 'No tab holds a world at the moment.';
		// What it has is not the world yet, and whether the journal has that is not known.
		return from?.begun === false
			? 'The tab that holds the world is still reading it. Try again soon.'
			: undefined;
	}

	/** From tab to tab. Where the journal does not have it, the relay keeps a copy of what passes, for when the new tab is lost. */
	#passOn(from: Tab, to: Tab): void {
		const copy = from.kept ? undefined : new WorldsFile();
		// Calls wait here meanwhile; those that the old tab has are answered before it hands anything over.
		this.#options.pendingCalls.detach(true);
		this.#begin({
			from,
			to,
			world: from.world,
			// Nobody waits for one part: reading the copy tells of what could not be written.
			onPart: (bytes) => void copy?.add(bytes).catch(() => {}),
			done: (given) => {
				if (given === undefined) {
					void copy?.close();
					if (this.#tab?.connected === true && this.#tab.begun) this.#options.pendingCalls.resume(this.#tab);
					to.end(undefined, CLOSE_REPLACED);
					return;
				}
				if (copy !== undefined) this.#kept.put(copy, { ...given, world: from.world });
				to.kept = from.kept;
				this.#handTo(to, from.world);
				from.end({ kind: 'replaced' }, CLOSE_REPLACED);
			},
		});
	}

	/** From the relay to a tab. */
	#giveOut(to: Tab): void {
		const { world } = this.#kept.copy!;
		const giver: Side = this.#kept.giver((frame) => this.#handover?.take(giver, frame));
		this.#begin({
			from: giver,
			to,
			world,
			done: (given) => {
				if (given !== undefined) {
					this.#handTo(to, world);
					return;
				}
				// A tab that died on the way says nothing of the copy; one that could not go on with it does.
				if (to.connected) this.#dropKept(world);
				to.end(undefined, CLOSE_REPLACED);
			},
		});
	}

	#dropKept(world: string): void {
		this.#kept.drop();
		const why = 'The copy of it that was kept could not be read back.';
		this.#last = { world, ended_at: new Date().toISOString(), why };
		this.#options.onTab({ kind: 'gone', keeper: false, last: this.#last });
	}

	/** From a tab that is about to go to the relay. */
	#takeIn(tab: Tab): void {
		if (tab !== this.#tab || !tab.begun || this.#handover !== undefined || this.#leaving !== undefined)
			return;
		const { pendingCalls } = this.#options;
		const file = new WorldsFile();
		const taker: Side = takerInto(file, (frame) => this.#handover?.take(taker, frame));
		pendingCalls.detach(true);
		this.#begin({
			from: tab,
			to: taker,
			world: tab.world,
			done: (given) => {
				if (given === undefined) {
					void file.close();
					if (this.#tab === tab && tab.connected) pendingCalls.resume(tab);
					return;
				}
				this.#kept.put(file, { ...given, world: tab.world });
				this.#leaving = { tab, began: Date.now(), answered: 0 };
				tab.send({ kind: 'kept' });
			},
		});
	}

	#begin({ done, ...options }: HandoverOptions): void {
		this.#handover = new Handover({
			...options,
			done: (given) => {
				this.#handover = undefined;
				done(given);
				for (const tell of this.#whenGiven.splice(0)) tell();
				this.#settle();
			},
		});
	}

	/** Tells a tab that it is the engine. */
	#welcome(tab: Tab, resumed: boolean, journal = this.#options.journal?.id ?? ''): void {
		const { files, errands } = this.#options;
		tab.welcome({
			resumed,
			storage: files.folder,
			gated: errands.gated,
			last: this.#last,
			journal,
			entries: this.#options.journal?.place.next ?? 0,
			relay: this.#relay,
		});
	}

	/** A tab that has all worlds is the engine from now on. */
	#handTo(tab: Tab, world: string): void {
		tab.world = world;
		// Worlds that are not in the journal cannot go on there.
		this.#welcome(tab, false, tab.kept ? undefined : '');
		this.#install(tab, undefined);
	}

	/** A tab that was about to go stays after all, and goes on. */
	#stay(tab: Tab): void {
		this.#leaving = undefined;
		tab.send({ kind: 'off', why: 'The tab was not closed.' });
		this.#options.pendingCalls.resume(tab);
	}

	/** Sends pings, notices silence, and gives up tabs that do not come back. Called a few times a second. */
	sweep(): void {
		const tab = this.#tab;
		const now = performance.now();
		tab?.sendStatus();
		if (tab?.lostAt !== undefined && !this.#isOpen(tab.page) && now - tab.lostAt > this.#options.returnWait)
			this.#forget('Its tab lost the connection and did not reconnect.');
		this.#endHungPage(now);
		if (now - this.#lastPing < this.#options.pingEvery) return;
		this.#lastPing = now;
		this.#beat();
	}

	/** A page that was to begin anew and has not is of no use; where it is the relay's own, neither is its browser. */
	#endHungPage(now: number): void {
		if (this.#ended === undefined) return;
		const { page, since } = this.#ended;
		const { endWait, returnWait } = this.#options;
		if (now - since <= (this.#isOpen(page) ? endWait : returnWait)) return;
		this.#ended = undefined;
		page.end();
		if (page.keeper) this.#options.onTab({ kind: 'hung', keeper: true });
	}

	/** A tab that answers on either socket is alive: an engine that computes is busy, and its page answers for it. */
	#beat(): void {
		const { pingsMissed, pingEvery } = this.#options;
		const long = `${seconds(pingsMissed * pingEvery)} s`;
		const tab = this.#tab;
		if (tab?.connected === true) {
			if (this.#hangs(tab)) {
				const { keeper } = tab;
				this.#forget(`Its tab did not respond for ${long}.`);
				this.#options.onTab({ kind: 'hung', keeper });
			} else {
				const leaving = this.#leaving;
				const answers = this.#isOpen(tab.page) ? tab.page : tab;
				if (leaving?.tab === tab && answers.unanswered === 0 && ++leaving.answered >= STAYS) this.#stay(tab);
				tab.unanswered++;
				tab.ping();
			}
		}
		// The tab that is taking the worlds may wait and work for long: it hears that the relay is there, and says that it is.
		const taker = this.#handover?.to;
		if (taker instanceof Tab) {
			if (this.#hangs(taker))
				this.#handover?.end(`The tab that takes the world did not respond for ${long}.`);
			else {
				taker.unanswered++;
				taker.ping();
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

	/** Neither the engine of a tab nor its page has answered a ping for long. */
	#hangs({ unanswered, page }: Tab): boolean {
		const { pingsMissed } = this.#options;
		return unanswered >= pingsMissed && (!this.#isOpen(page) || page.unanswered >= pingsMissed);
	}

	/** The relay's own browser is known to be dead. If it held the world, calls that it had are refused now. */
	forgetKeeper(why: string): void {
		for (const page of [...this.#pages.values()]) if (page.keeper) page.end();
		if (this.#tab?.keeper === true) this.#forget(why);
	}

	/**
	 * Ends the engine at a caller's request, whatever it is at work on, and says how its world ended. Its page, which lives on
	 * beside it, begins anew, or is ended as well when it does not.
	 */
	endEngine(): LastWorld | null {
		const tab = this.#tab;
		if (tab === undefined) return this.#last;
		const { page, keeper } = tab;
		// What ends with its engine is not the page.
		tab.page = undefined;
		tab.end({ kind: 'replaced' }, CLOSE_REPLACED);
		if (this.#isOpen(page)) {
			page.send({ kind: 'replaced' });
			this.#ended = { page, since: performance.now() };
		}
		// What hangs is one of them: it is not done again.
		this.#options.pendingCalls.abandon();
		this.#forget('A caller ended its engine.');
		if (!this.#isOpen(page)) this.#options.onTab({ kind: 'hung', keeper });
		return this.#last;
	}

	#forget(why: string): void {
		const tab = this.#tab;
		if (tab === undefined) return;
		tab.disconnect();
		if (this.#handover?.from === tab) this.#handover.end('The tab that held the world was lost.');
		this.#lose(tab, why);
		this.#settle();
	}

	/** A tab is gone for good. What becomes of its worlds depends on what the relay has of them. */
	#lose(tab: Tab, why: string): void {
		const { pendingCalls, journal, onTab } = this.#options;
		journal?.drop(tab);
		// One that had not begun has done nothing that is not in the journal.
		const kept = tab.kept || (!tab.begun && journal !== undefined);
		const left = this.#leaving?.tab === tab || kept;
		this.#leaving = undefined;
		if (this.#tab === tab) this.#tab = undefined;
		if (this.#isOpen(tab.page)) tab.page.end();
		pendingCalls.detach();
		if (kept) pendingCalls.passOn();
		else pendingCalls.abandon();
		if (left) {
			// One that was still reading did not say.
			this.#goesOn = tab.world || this.#goesOn;
			onTab({ kind: 'left', keeper: tab.keeper });
			return;
		}
		this.#goesOn = '';
		this.#last = { world: tab.world, ended_at: new Date().toISOString(), why: `${why}${this.#rest(tab)}` };
		onTab({ kind: 'gone', keeper: tab.keeper, last: this.#last });
	}

	/** What is left of a lost tab's worlds, as a sentence; it goes on under a name of its own. */
	#rest({ world }: Tab): string {
		const { copy } = this.#kept;
		if (copy?.world !== world) {
			this.#kept.drop();
			return '';
		}
		this.#kept.rename(newIdentity());
		return ` The world continues as it was at tick ${copy.tick}, when a tab last handed it over.`;
	}

	/** Sees to it that somebody holds the world, and tells every page what it is. */
	#settle(): void {
		const pages = [...this.#pages.values()].filter((page) => page !== this.#ended?.page);
		const grantedWorld = this.#granted?.world ?? '';
		if (this.#tab === undefined && grantedWorld === '') {
			// A page that comes with a world goes before those that would begin an empty one.
			const next =
				pages.find(({ world, keeper }) => world !== '' && this.#mayHold(keeper)) ??
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
		const takes = this.#tab === undefined && this.#kept.copy !== undefined && owner?.world === '';
		for (const page of pages)
			page.tellRole(page === owner ? (takes ? 'take' : 'hold') : page.keeper ? 'stand-by' : 'visit', holder);
	}

	#isOpen(page: Page | undefined): page is Page {
		return page !== undefined && this.#pages.has(page.key);
	}

	/** The relay ends. Tabs go on trying to come back until one is there again. */
	close(): void {
		this.#tab = undefined;
		this.#granted = undefined;
		this.#kept.drop();
		this.#pages.clear();
	}
}

/** Whether a page is that of an engine which came by itself: it names the same world, in the same kind of browser. */
function isPageOf(tab: Tab, page: Page): boolean {
	return page.world !== '' && page.world === tab.world && page.keeper === tab.keeper;
}

function sendFile(tab: Tab, id: number, result: FileResult): void {
	tab.send({ kind: 'file', id, outcome: result.outcome, bytes: result.bytes });
}

function seconds(milliseconds: number): number {
	return Math.round(milliseconds / 1000);
}
