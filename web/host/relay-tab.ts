/**
 * The engine of a tab with a relay. It acquires the lease of the relay's journal and loads its world.
 * Owns: the start of the engine, and the release of the lease.
 * Never: depends on the page. It runs in the engine's Worker, and in Node for tests.
 */

import { reasonOf } from '../../shared/contract/reason.ts';
import type { WireRequest, WireResponse } from '../../shared/contract/wire.ts';
import { DRAW_METHOD } from '../../shared/transport/draw.ts';
import { JournalError } from '../../shared/transport/journal.ts';
import type { ShownLease } from '../../shared/transport/link.ts';
import { NO_RELAY_SERVICES } from '../store/no-relay-services.ts';
import { createEngine, type Engine, type EngineSettings } from './engine.ts';
import { RemoteJournal } from './journal/remote-journal.ts';
import { readingProgress } from './reading-progress.ts';
import { RelayLink, type RelayLinkOptions, type Welcome } from './relay-link.ts';
import type { RelayState } from './relay-socket.ts';
import { answerDraw } from './remote-view.ts';

export interface RelayTabOptions
	extends Pick<RelayLinkOptions, 'url' | 'token' | 'page' | 'open' | 'freshToken'> {
	/** Settings of the engine. Seed and owner are only for an empty journal. */
	readonly settings: EngineSettings;
	/** Draws frames of other engines. If omitted, such requests are refused. */
	readonly draw?: (request: WireRequest) => Promise<WireResponse>;
	/** Called once, when the engine answers. */
	readonly onBegun: (engine: Engine) => void;
	/** Called after changes of the engine, or of the connection to the relay. */
	readonly onChange: () => void;
	/** Called if reading the journal takes long, with the number of its next entry and the total. */
	readonly onReading?: (next: number, end: number) => void;
	/** Called when another engine has the lease, so that this one must end. */
	readonly onReplaced: () => void;
	/** Called with the error if the engine cannot start. */
	readonly onFailed: (error: unknown) => void;
}

export class RelayTab {
	/** Resolves when the engine answers. */
	readonly engine: Promise<Engine>;
	readonly link: RelayLink;
	readonly #options: RelayTabOptions;
	readonly #ready = Promise.withResolvers<Engine>();
	#engine: Engine | undefined;
	#journal: RemoteJournal | undefined;
	/** Identity of the relay's journal; empty before the first welcome. */
	#journalId = '';
	/** Names of other worlds. */
	#names: readonly string[] = [];
	#hasEnded = false;
	#state: RelayState = 'connecting';

	constructor(options: RelayTabOptions) {
		this.#options = options;
		this.engine = this.#ready.promise;
		// Every caller that waits gets the error. Without callers, it must not count as an unhandled rejection.
		this.engine.catch(() => {});
		const handlerReady = this.engine.then((engine) => engine.handleFrom('relay'));
		handlerReady.catch(() => {});
		const { url, token, page, open, freshToken } = options;
		const draw = options.draw ?? ((request) => answerDraw(null, NO_RELAY_SERVICES, request));
		this.link = new RelayLink({
			url,
			token,
			...(page === undefined ? {} : { page }),
			...(open === undefined ? {} : { open }),
			...(freshToken === undefined ? {} : { freshToken }),
			handle: async (request, signal) =>
				request.method === DRAW_METHOD ? draw(request) : (await handlerReady)(request, signal),
			world: () => this.#engine?.identity ?? '',
			lease: () => this.#lease,
			release: async () => (await this.engine).release(),
			onReplaced: () => this.#handleReplacement(),
			onReceived: (relay, ids) => this.#engine?.forgetCalls(ids.map((id) => ` ${relay}:${id}`)),
			onNames: (names) => {
				this.#names = names;
				this.#engine?.setNames(names);
			},
			onWelcome: (welcome) => void this.#handleWelcome(welcome),
			onState: (state) => {
				this.#state = state;
				if (this.#engine !== undefined) options.onChange();
			},
		});
	}

	get state(): RelayState {
		return this.#state;
	}

	get #lease(): ShownLease | null {
		const epoch = this.#journal?.epoch ?? 0;
		return epoch === 0 ? null : { journal: this.#journalId, epoch };
	}

	async #handleWelcome({ journal, durable, gated }: Welcome): Promise<void> {
		if (this.#engine !== undefined) {
			this.#engine.setGated(gated);
			// Entries that could not be stored are tried again before any call comes.
			this.#engine.tryJournal();
		}
		// After the first welcome, the journal repeats its unanswered requests by itself.
		if (this.#journalId !== '') return;
		this.#journalId = journal;
		try {
			this.#begin(await this.#load(gated, durable));
		} catch (error) {
			this.#handleFailure(error);
		}
	}

	/** Returns an engine with the world of the relay's journal. */
	#load(gated: boolean, durable: boolean): Promise<Engine> {
		this.#journal = new RemoteJournal(this.link.journalChannel, durable);
		const { settings, onReading } = this.#options;
		return createEngine({
			...settings,
			journal: this.#journal,
			files: this.link.files,
			gated,
			replaying: readingProgress((next, end) => {
				this.link.reportReading(next, end);
				onReading?.(next, end);
			}, settings.now),
		});
	}

	#begin(engine: Engine): void {
		if (this.#hasEnded) return;
		this.#engine = engine;
		engine.setRelayServices(this.link.relayServices);
		engine.setNames(this.#names);
		engine.onChange = () => {
			// Another engine has the lease, so this page must show the world of that engine.
			if (engine.journalTrouble?.taken === true) this.#handleReplacement();
			this.#options.onChange();
		};
		this.#ready.resolve(engine);
		this.#options.onBegun(engine);
		engine.onChange();
		this.link.reportLoaded();
	}

	#handleFailure(error: unknown): void {
		if (this.#hasEnded) return;
		// If the relay was lost, or another engine was faster, the page begins again.
		const isFenced = error instanceof JournalError && error.fault === 'fenced';
		if (isFenced || this.#state !== 'ready') {
			this.#handleReplacement();
			return;
		}
		this.#hasEnded = true;
		this.#ready.reject(error);
		this.link.reportUnreadable(reasonOf(error));
		this.#options.onFailed(error);
	}

	#handleReplacement(): void {
		if (this.#hasEnded) return;
		this.#hasEnded = true;
		this.link.close();
		this.#options.onReplaced();
	}
}
