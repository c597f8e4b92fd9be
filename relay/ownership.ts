/**
 * The lease of a world, for the pages and engines on the relay's sockets.
 * Owns: connections of engines, and the effects of the transitions in `shared/transport/lease.ts` on engines and pages.
 * Never: decides which engine is the next owner; parses a body; opens sockets; starts a browser.
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
import type { EngineRequests } from './engine-requests.ts';
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
 * Event in the life of an engine.
 * `ready`: it answers calls.
 * `lost`: its socket is closed, and it may come back.
 * `left`: it will not come back, and the journal has its world.
 * `hung`: neither its page nor the engine has answered pings for too long.
 * `unreadable`: no engine can load the journal.
 * `keeper`: true for an engine in the relay's own browser.
 */
export type TabEvent =
	| { readonly kind: 'ready' | 'lost' | 'left' | 'hung'; readonly keeper: boolean }
	| { readonly kind: 'unreadable'; readonly why: string };

export interface OwnershipOptions extends HeartbeatOptions {
	readonly tokens: Tokens;
	readonly pendingCalls: PendingCalls;
	readonly files: DataFiles;
	readonly engineRequests: EngineRequests;
	readonly journal: JournalPort;
	readonly onTab: (event: TabEvent) => void;
	/** Milliseconds in which an owner may come back after its sockets were lost. */
	readonly returnWait: number;
	/** Milliseconds in which an owner may come back to a relay that was restarted. */
	readonly restartWait: number;
	/** Milliseconds in which the page of an ended engine must release it. */
	readonly endWait: number;
}

type Hello = LinkFrame & { readonly kind: 'page' | 'engine' };

export class Ownership {
	readonly #options: OwnershipOptions;
	readonly #pages: Pages;
	/** Connections of engines that are or were the owner. */
	readonly #tabs = new Map<number, Tab>();
	readonly #heartbeat: Heartbeat;
	/** Identity of this relay, which distinguishes its calls from those of another. */
	readonly #relay = newIdentity();
	#lease: Lease;
	#lastTabId = 0;
	/** Milliseconds on the steady clock at which the owner's connection was lost. */
	#lostAt: number | undefined;
	/** Time at which a page claimed the world (ms since 1970). */
	#claimedAt: number | undefined;
	/** Milliseconds in which the owner that is currently lost may come back. */
	#returnTime: number;
	/** Identity of the world that was loaded last; empty for none. */
	#world = '';
	#trouble: Trouble | undefined;
	/** Names of other worlds, which forks may not have. */
	#names: readonly string[] = [];

	constructor(options: OwnershipOptions) {
		this.#options = options;
		this.#pages = new Pages(options.tokens, (event) => this.#apply(event));
		this.#heartbeat = new Heartbeat(options);
		const isTaken = options.journal.isTaken && options.restartWait > 0;
		this.#lease = initialLease(isTaken, options.engineRequests.gated);
		this.#lostAt = isTaken ? performance.now() : undefined;
		this.#returnTime = options.restartWait;
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

	/** Milliseconds that a ping has waited for the engine's answer, 0 if none waits; undefined without a connection. */
	get silence(): number | undefined {
		return this.#owner?.silence;
	}

	/** Milliseconds since the owner lost its connection; undefined if it is connected, or there is no owner. */
	get lostFor(): number | undefined {
		return this.#lostAt === undefined ? undefined : performance.now() - this.#lostAt;
	}

	/** True if the relay runs an engine of its own, which owns the world when no other tab does. */
	get hasOwnEngine(): boolean {
		return this.#lease.headless;
	}

	/** True if a page of the relay's own browser is connected. */
	get isKeeperConnected(): boolean {
		return this.#pages.isKeeperConnected;
	}

	/** Trouble of the relay's own browser, if it dies repeatedly. */
	get trouble(): Trouble | undefined {
		return this.#trouble;
	}

	/** Stores the reason that the relay's own browser dies, and the time of its next start (ms since 1970). */
	setTrouble(why: string, next: number): void {
		this.#trouble = { why, next };
	}

	/** Progress of the next engine in reading the journal; undefined if none reads it. */
	get reading(): TabReading | undefined {
		return this.#owner?.reading;
	}

	/** Time at which the engine that loads the world connected (ms since 1970); undefined if none loads it. */
	get startingSince(): number | undefined {
		return this.#lease.owner.state === 'loading' ? this.#owner?.connectedAt : undefined;
	}

	/** Reason that no engine can load the journal; undefined if no engine has failed to. */
	get unreadable(): string | undefined {
		const { owner } = this.#lease;
		return owner.state === 'refused' ? owner.why : undefined;
	}

	/** Time at which the current handover began (ms since 1970), or undefined. */
	get movingSince(): number | undefined {
		return this.#claimedAt;
	}

	/** Sends the engine a ping beside the regular ones. */
	ping(): void {
		if (this.#owner?.isConnected === true) this.#owner.ping();
	}

	/** Sets whether the relay runs an engine of its own, which owns the world when no other tab does. */
	setHasOwnEngine(headless: boolean): void {
		this.#apply({ event: 'headless', headless });
	}

	/** Sends the engine the names of the other worlds. Its forks may not have them. */
	sendNames(names: ReadonlySet<string>): void {
		this.#names = [...names];
		this.#owner?.send({ kind: 'names', names: this.#names });
	}

	/** Admits or refuses the socket of a page or an engine, by its first frame. */
	admit(socket: WebSocket, hello: Hello): void {
		if (hello.kind === 'page') this.#pages.admit(socket, hello.token, hello.holds);
		else this.#admitEngine(socket, hello);
	}

	/** Applies an event to the lease, and runs the effects. */
	#apply(event: LeaseEvent): void {
		const [lease, effects] = transition(this.#lease, event);
		this.#lease = lease;
		for (const effect of effects) this.#run(effect);
		const owner = this.#owner;
		for (const tab of this.#tabs.values()) if (!tab.isConnected && tab !== owner) this.#tabs.delete(tab.id);
		this.#sendRoles();
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
				pendingCalls.detach(tab?.isConnected === true);
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

	/** Lets an engine acquire the lease and load the world, or continue with the lease that it has. */
	#welcome(tab: Tab): void {
		const { files, engineRequests, journal, pendingCalls } = this.#options;
		this.#heartbeat.restart();
		this.#lostAt = undefined;
		tab.mayAcquire = true;
		pendingCalls.detach(true);
		tab.send({
			kind: 'welcome',
			storage: files.folder,
			gated: engineRequests.gated,
			server: engineRequests.server,
			journal: journal.id,
			durable: journal.durable,
			relay: this.#relay,
		});
		if (this.#names.length > 0) tab.send({ kind: 'names', names: this.#names });
	}

	#admitEngine(socket: WebSocket, { token, lease }: Hello & { readonly kind: 'engine' }): void {
		const page = this.#pages.get(token);
		const issued = page ?? this.#options.tokens.redeem(token);
		if (issued === undefined) {
			socket.close(CLOSE_REFUSED, 'token');
			return;
		}
		const tab = new Tab(++this.#lastTabId, issued.keeper, socket);
		this.#tabs.set(tab.id, tab);
		tab.listen(
			(frame) => this.#handleFrame(tab, frame),
			(code) => this.#loseTab(tab, code),
		);
		this.#apply({
			event: 'engine-came',
			engine: tab.id,
			page: page?.key ?? null,
			keeper: tab.keeper,
			lease: this.#options.journal.compareLease(lease),
		});
	}

	#loseTab(tab: Tab, code: number): void {
		const isOwner = tab === this.#owner;
		this.#options.journal.drop(tab);
		if (isOwner) {
			this.#lostAt = performance.now();
			this.#returnTime = this.#options.returnWait;
			this.#options.onTab({ kind: 'lost', keeper: tab.keeper });
		}
		this.#apply({ event: 'engine-lost', engine: tab.id, orderly: isOrderly(code) });
	}

	/** Handles a frame of the owner. Frames of other engines are ignored: only their journal entries count. */
	#handleFrame(tab: Tab, frame: LinkFrame): void {
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
				journal.handle(tab, frame);
				return;
			case 'loaded':
				tab.world = frame.world;
				tab.reading = undefined;
				this.#world = frame.world;
				this.#apply({ event: 'loaded', engine: tab.id });
				return;
			case 'reading':
				tab.reading = { next: frame.next, end: frame.end };
				return;
			case 'unreadable':
				this.#apply({ event: 'unreadable', engine: tab.id, why: frame.why });
				return;
			case 'released':
				this.#apply({ event: 'released', engine: tab.id });
				return;
			case 'declined':
				this.#apply({ event: 'kept', engine: tab.id, why: frame.why });
				return;
			default:
		}
	}

	/** Passes on an answer once the journal has the entry that it names. Until then the tab keeps it. */
	#passOnAnswer(tab: Tab, { id, response }: LinkFrame & { readonly kind: 'answer' }): void {
		const { pendingCalls, journal } = this.#options;
		const pass = (error?: JournalError): void => {
			tab.received(id);
			pendingCalls.answer(id, error === undefined ? response : notKept(error.message));
		};
		const entry = Number(response.headers[ENTRY_HEADER]);
		if (Number.isSafeInteger(entry)) journal.waitForEntry(tab, entry, pass);
		else pass();
	}

	/** Sends pings, ends silent tabs, and releases the lease of an owner that does not come back. Called a few times a second. */
	checkTabs(): void {
		this.#owner?.sendStatus();
		if ((this.lostFor ?? 0) > this.#returnTime && this.#ownPage === undefined) this.#giveUp();
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
		this.#apply({ event: 'given-up' });
	}

	#endHungOwner(): void {
		const { keeper } = this.#owner!;
		const page = this.#ownPage;
		if (page !== undefined) this.#pages.remove(page);
		this.#giveUp();
		this.#options.onTab({ kind: 'hung', keeper });
	}

	/** Ends the connections of the relay's own browser, because it is dead. */
	forgetKeeper(): void {
		for (const page of this.#pages.all) if (page.keeper) this.#pages.remove(page);
		if (this.#owner?.keeper === true) this.#giveUp();
	}

	/**
	 * Ends the engine at a caller's request, even during a call. Its page reloads. If it does not, the page is ended too.
	 */
	endEngine(): void {
		const tab = this.#owner;
		if (tab === undefined) return;
		const page = this.#ownPage;
		// Its calls are refused and not run again, because one of them may be the call that hangs.
		this.#options.pendingCalls.abandon();
		tab.dismiss();
		this.#apply({ event: 'ended' });
		if (page === undefined) this.#options.onTab({ kind: 'hung', keeper: tab.keeper });
		else this.#pages.replace(page);
	}

	/** Sends every page its role. */
	#sendRoles(): void {
		const keeper = this.#owner?.keeper ?? this.#ownPage?.keeper;
		const holder: Holder = keeper === undefined ? 'nobody' : keeper ? 'headless' : 'tab';
		this.#pages.sendRoles(pageOf(this.#lease), holder);
	}

	/** Forgets all connections, because the relay ends. Tabs try to reconnect until a relay runs again. */
	close(): void {
		this.#tabs.clear();
		this.#pages.clear();
	}
}
