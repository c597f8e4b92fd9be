/**
 * The lease of the world, as the relay runs it for pages and engines on its sockets.
 * Owns: connections of engines, and what the transitions of `shared/transport/lease.ts` make of them and of the pages.
 * Never: decides which is next; parses a body; opens sockets; starts a browser.
 */

import type { WebSocket } from 'ws';
import { notKept } from '../shared/contract/error-response.ts';
import { ENTRY_HEADER } from '../shared/contract/wire.ts';
import { newIdentity } from '../shared/transport/identity.ts';
import type { JournalError } from '../shared/transport/journal.ts';
import {
	engineOf,
	initialLease,
	type Lease,
	type LeaseEffect,
	type LeaseEvent,
	pageOf,
	transition,
} from '../shared/transport/lease.ts';
import { CLOSE_REFUSED, type Holder, type LinkFrame } from '../shared/transport/link.ts';
import type { DataFiles } from './data-files.ts';
import type { ErrandRunner } from './errands.ts';
import { Heartbeat, type HeartbeatOptions } from './heartbeat.ts';
import type { JournalPort } from './journal/journal-port.ts';
import type { Page } from './page.ts';
import { isOrderly, Pages } from './pages.ts';
import type { PendingCalls } from './pending-calls.ts';
import { type Trouble, unreadableAnswer } from './status.ts';
import { Tab, type TabReading } from './tab-connection.ts';
import { serveRequest } from './tab-requests.ts';
import type { Tokens } from './tokens.ts';

/**
 * `ready`: an engine answers. `lost`: its socket is gone and it may come back. `left`: it will not, and the journal has its world.
 * `hung`: neither its page nor its engine has given a sign of life for long. `unreadable`: no engine can load the journal. `keeper`:
 * in the relay's own browser.
 */
export type TabEvent =
	| { readonly kind: 'ready' | 'lost' | 'left' | 'hung'; readonly keeper: boolean }
	| { readonly kind: 'unreadable'; readonly why: string };

export interface OwnershipOptions extends HeartbeatOptions {
	readonly tokens: Tokens;
	readonly pendingCalls: PendingCalls;
	readonly files: DataFiles;
	readonly errands: ErrandRunner;
	readonly journal: JournalPort;
	readonly onTab: (event: TabEvent) => void;
	/** Milliseconds in which an owner whose sockets are lost may come back. */
	readonly returnWait: number;
	/** Milliseconds in which an owner may come back to a relay that was restarted. */
	readonly restartWait: number;
	/** Milliseconds in which the page of an engine that was ended releases it. */
	readonly endWait: number;
}

type Hello = LinkFrame & { readonly kind: 'page' | 'engine' };

export class Ownership {
	readonly #options: OwnershipOptions;
	readonly #pages: Pages;
	/** Connections of engines that are the owner or were. */
	readonly #tabs = new Map<number, Tab>();
	readonly #heartbeat: Heartbeat;
	/** Tells the calls of this relay from those of another. */
	readonly #relay = newIdentity();
	#lease: Lease;
	#lastTab = 0;
	/** Time at which the owner's connection was lost, on the steady clock. */
	#lostAt: number | undefined;
	/** Time at which a page claimed the world (ms since 1970). */
	#claimedAt: number | undefined;
	#wait: number;
	/** Identity of the world that was loaded last; empty for none. */
	#world = '';
	#trouble: Trouble | undefined;
	/** Names that forks may not have. */
	#names: readonly string[] = [];

	constructor(options: OwnershipOptions) {
		this.#options = options;
		this.#pages = new Pages(options.tokens, (event) => this.#tell(event));
		this.#heartbeat = new Heartbeat(options);
		const isTaken = options.journal.isTaken && options.restartWait > 0;
		this.#lease = initialLease(isTaken, options.errands.gated);
		this.#lostAt = isTaken ? performance.now() : undefined;
		this.#wait = options.restartWait;
	}

	get #owner(): Tab | undefined {
		return this.#tabs.get(engineOf(this.#lease) ?? 0);
	}

	get #ownPage(): Page | undefined {
		return this.#pages.get(pageOf(this.#lease) ?? '');
	}

	/** Identity of the world that an engine holds now; empty if none does. */
	get world(): string {
		return this.#owner?.world ?? '';
	}

	/** Identity of the world that is held, or that the next engine loads; empty if none is known. */
	get identity(): string {
		return this.#world;
	}

	/** Milliseconds that the engine has left a ping unanswered, 0 when none waits; undefined while none is connected. */
	get silence(): number | undefined {
		return this.#owner?.silence;
	}

	/** Milliseconds for which the owner has had no connection; undefined while it has one, or there is none. */
	get lostFor(): number | undefined {
		return this.#lostAt === undefined ? undefined : performance.now() - this.#lostAt;
	}

	/** True if the relay runs a browser of its own, which owns the world when no other tab does. */
	get keeps(): boolean {
		return this.#lease.headless;
	}

	/** True if a page of the relay's own browser is connected. */
	get keeperHere(): boolean {
		return this.#pages.keeperHere;
	}

	/** Reason that the relay's own browser does not hold the world, if it dies again and again. */
	get trouble(): Trouble | undefined {
		return this.#trouble;
	}

	/** Says why the relay's own browser dies, and when it is started again (ms since 1970). */
	setTrouble(why: string, next: number): void {
		this.#trouble = { why, next };
	}

	/** Progress of the next engine in reading the journal; undefined if none reads it. */
	get reading(): TabReading | undefined {
		return this.#owner?.reading;
	}

	/** Since when an engine has been loading (ms since 1970); undefined if none is. */
	get startingSince(): number | undefined {
		return this.#lease.owner.state === 'loading' ? this.#owner?.came : undefined;
	}

	/** Reason that no engine can load the journal; undefined if nothing is known against it. */
	get unreadable(): string | undefined {
		const { owner } = this.#lease;
		return owner.state === 'refused' ? owner.why : undefined;
	}

	/** Time at which the handover began that is under way (ms since 1970), or undefined. */
	get movingSince(): number | undefined {
		return this.#claimedAt;
	}

	/** Asks the engine for a sign of life, beside the pings at their time. */
	ask(): void {
		if (this.#owner?.connected === true) this.#owner.ping();
	}

	/** Says whether the relay runs a browser of its own that holds the world when no other tab does. */
	keep(headless: boolean): void {
		this.#tell({ event: 'headless', headless });
	}

	/** Tells the engine the names of worlds beside its own, which its forks may not have. */
	sendNames(names: ReadonlySet<string>): void {
		this.#names = [...names];
		this.#owner?.send({ kind: 'names', names: this.#names });
	}

	/** A socket whose first frame is this. */
	admit(socket: WebSocket, hello: Hello): void {
		if (hello.kind === 'page') this.#pages.admit(socket, hello.token, hello.holds);
		else this.#admitEngine(socket, hello);
	}

	#tell(event: LeaseEvent): void {
		const [lease, effects] = transition(this.#lease, event);
		this.#lease = lease;
		for (const effect of effects) this.#run(effect);
		const owner = this.#owner;
		for (const tab of this.#tabs.values()) if (!tab.connected && tab !== owner) this.#tabs.delete(tab.id);
		this.#tellRoles();
	}

	#run(effect: LeaseEffect): void {
		const { pendingCalls, journal, onTab } = this.#options;
		const tab = 'engine' in effect ? this.#tabs.get(effect.engine) : undefined;
		switch (effect.effect) {
			case 'admit':
				this.#welcome(tab!);
				return;
			case 'dismiss':
				tab?.dismiss();
				return;
			case 'drop':
				tab?.disconnect();
				if (tab !== undefined) journal.drop(tab);
				return;
			case 'release':
				this.#claimedAt = Date.now();
				tab?.send({ kind: 'release' });
				return;
			case 'serve':
				this.#lostAt = undefined;
				this.#claimedAt = undefined;
				this.#trouble = undefined;
				pendingCalls.resume(tab!);
				onTab({ kind: 'ready', keeper: tab!.keeper });
				return;
			case 'suspend':
				pendingCalls.detach(tab?.connected === true);
				return;
			case 'vacate':
				this.#lostAt = undefined;
				if (tab !== undefined) {
					journal.drop(tab);
					tab.mayAcquire = false;
				}
				pendingCalls.detach(this.#claimedAt !== undefined);
				pendingCalls.passOn();
				if (tab !== undefined) onTab({ kind: 'left', keeper: tab.keeper });
				return;
			case 'decline':
				this.#pages.get(effect.page)?.send({ kind: 'declined', why: effect.why });
				return;
			case 'refuse':
				pendingCalls.refuse(unreadableAnswer(effect.why));
				onTab({ kind: 'unreadable', why: effect.why });
		}
	}

	/** The engine may acquire the lease and load, or continues under the one that it has. */
	#welcome(tab: Tab): void {
		const { files, errands, journal, pendingCalls } = this.#options;
		this.#heartbeat.restart();
		this.#lostAt = undefined;
		tab.mayAcquire = true;
		pendingCalls.detach(true);
		tab.send({
			kind: 'welcome',
			storage: files.folder,
			gated: errands.gated,
			server: errands.server,
			journal: journal.id,
			durable: journal.durable,
			relay: this.#relay,
		});
		if (this.#names.length > 0) tab.send({ kind: 'names', names: this.#names });
	}

	#admitEngine(socket: WebSocket, { token, lease }: Hello & { readonly kind: 'engine' }): void {
		const page = this.#pages.get(token);
		const issued = page ?? this.#options.tokens.use(token);
		if (issued === undefined) {
			socket.close(CLOSE_REFUSED, 'token');
			return;
		}
		const tab = new Tab(++this.#lastTab, issued.keeper, socket);
		this.#tabs.set(tab.id, tab);
		tab.listen(
			(frame) => this.#take(tab, frame),
			(code) => this.#loseTab(tab, code),
		);
		this.#tell({
			event: 'engine-came',
			engine: tab.id,
			page: page?.key ?? null,
			keeper: tab.keeper,
			lease: this.#options.journal.lookAt(lease),
		});
	}

	#loseTab(tab: Tab, code: number): void {
		const isOwner = tab === this.#owner;
		this.#options.journal.drop(tab);
		if (isOwner) {
			this.#lostAt = performance.now();
			this.#wait = this.#options.returnWait;
			this.#options.onTab({ kind: 'lost', keeper: tab.keeper });
		}
		this.#tell({ event: 'engine-lost', engine: tab.id, orderly: isOrderly(code) });
	}

	/** Takes a frame of the owner. What any other engine did counts only once it is in the journal, from which the owner knows it. */
	#take(tab: Tab, frame: LinkFrame): void {
		if (tab !== this.#owner) return;
		const { journal } = this.#options;
		switch (frame.kind) {
			case 'answer':
				this.#passOnAnswer(tab, frame);
				return;
			case 'read':
			case 'write':
			case 'ask':
				void serveRequest(tab, frame, this.#options);
				return;
			case 'journal':
				journal.take(tab, frame);
				return;
			case 'loaded':
				tab.world = frame.world;
				tab.reading = undefined;
				this.#world = frame.world;
				this.#tell({ event: 'loaded', engine: tab.id });
				return;
			case 'reading':
				tab.reading = { next: frame.next, end: frame.end };
				return;
			case 'unreadable':
				this.#tell({ event: 'unreadable', engine: tab.id, why: frame.why });
				return;
			case 'released':
				this.#tell({ event: 'released', engine: tab.id });
				return;
			case 'declined':
				this.#tell({ event: 'kept', engine: tab.id, why: frame.why });
				return;
			default:
		}
	}

	/** An answer goes out when the journal has the entry that it names. Until then the tab keeps it, and may be asked again. */
	#passOnAnswer(tab: Tab, { id, response }: LinkFrame & { readonly kind: 'answer' }): void {
		const { pendingCalls, journal } = this.#options;
		const pass = (why?: JournalError): void => {
			tab.received(id);
			pendingCalls.answer(id, why === undefined ? response : notKept(why.message));
		};
		const entry = Number(response.headers[ENTRY_HEADER]);
		if (Number.isSafeInteger(entry)) journal.hold(tab, entry, pass);
		else pass();
	}

	/** Sends pings, notices silence, and gives up owners that do not come back. Called a few times a second. */
	sweep(): void {
		this.#owner?.sendStatus();
		if ((this.lostFor ?? 0) > this.#wait && this.#ownPage === undefined) this.#giveUp();
		const { endWait, returnWait } = this.#options;
		if (this.#pages.endHung(endWait, returnWait)?.keeper === true)
			this.#options.onTab({ kind: 'hung', keeper: true });
		const silent = this.#heartbeat.beat(this.#owner, this.#ownPage, this.#pages.all);
		if (silent.owner) this.#endHungOwner();
		for (const page of silent.pages) {
			page.end();
			if (page.keeper) this.#options.onTab({ kind: 'hung', keeper: true });
		}
	}

	#giveUp(): void {
		this.#owner?.disconnect();
		this.#tell({ event: 'given-up' });
	}

	#endHungOwner(): void {
		const { keeper } = this.#owner!;
		const page = this.#ownPage;
		if (page !== undefined) this.#pages.remove(page);
		this.#giveUp();
		this.#options.onTab({ kind: 'hung', keeper });
	}

	/** The relay's own browser is known to be dead. */
	forgetKeeper(): void {
		for (const page of this.#pages.all) if (page.keeper) this.#pages.remove(page);
		if (this.#owner?.keeper === true) this.#giveUp();
	}

	/**
	 * Ends the engine at a caller's request, whatever it is at work on. Its page, which lives on beside it, reloads, or is ended as well
	 * when it does not.
	 */
	endEngine(): void {
		const tab = this.#owner;
		if (tab === undefined) return;
		const page = this.#ownPage;
		// A call that hangs is one of them: it is not run again.
		this.#options.pendingCalls.abandon();
		tab.dismiss();
		this.#tell({ event: 'ended' });
		if (page === undefined) this.#options.onTab({ kind: 'hung', keeper: tab.keeper });
		else this.#pages.replace(page);
	}

	/** Tells every page what it is. */
	#tellRoles(): void {
		const keeper = this.#owner?.keeper ?? this.#ownPage?.keeper;
		const holder: Holder = keeper === undefined ? 'nobody' : keeper ? 'headless' : 'tab';
		this.#pages.tellRoles(pageOf(this.#lease), holder);
	}

	/** The relay ends. Tabs continue trying to come back until one is there again. */
	close(): void {
		this.#tabs.clear();
		this.#pages.clear();
	}
}
