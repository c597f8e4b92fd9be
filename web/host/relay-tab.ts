/**
 * The engine of a tab that has a relay: it acquires the lease of the relay's journal and loads what that says.
 * Owns: the time to begin, and the time to release the lease.
 * Never: knows the page (it runs in the engine's Worker, and in Node for tests).
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
	/** Of an engine whose journal is empty. */
	readonly settings: EngineSettings;
	/** Draws frames of other engines; nothing draws unless given. */
	readonly draw?: (request: WireRequest) => Promise<WireResponse>;
	/** The engine answers. Called once. */
	readonly onBegun: (engine: Engine) => void;
	/** Something happened to the engine, or to the way to the relay. */
	readonly onChange: () => void;
	/** Reading the journal takes long: its next entry, and the total. */
	readonly onReading?: (next: number, end: number) => void;
	/** Another engine has the lease: this one is to end. */
	readonly onReplaced: () => void;
	/** There will be no engine, and why. */
	readonly onFailed: (error: unknown) => void;
}

export class RelayTab {
	/** Resolves when it answers. */
	readonly engine: Promise<Engine>;
	readonly link: RelayLink;
	readonly #options: RelayTabOptions;
	readonly #ready = Promise.withResolvers<Engine>();
	#engine: Engine | undefined;
	#journal: RemoteJournal | undefined;
	/** Identity of the relay's journal; empty before the first welcome. */
	#journalId = '';
	/** Names of worlds beside this one. */
	#names: readonly string[] = [];
	#isOver = false;
	#state: RelayState = 'connecting';

	constructor(options: RelayTabOptions) {
		this.#options = options;
		this.engine = this.#ready.promise;
		// A failure reaches every caller that waits; that none does is no fault.
		this.engine.catch(() => {});
		const answers = this.engine.then((engine) => engine.handleFrom('relay'));
		answers.catch(() => {});
		const { url, token, page, open, freshToken } = options;
		const draw = options.draw ?? ((request) => answerDraw(null, NO_RELAY_SERVICES, request));
		this.link = new RelayLink({
			url,
			token,
			...(page === undefined ? {} : { page }),
			...(open === undefined ? {} : { open }),
			...(freshToken === undefined ? {} : { freshToken }),
			handle: async (request, signal) =>
				request.method === DRAW_METHOD ? draw(request) : (await answers)(request, signal),
			world: () => this.#engine?.identity ?? '',
			lease: () => this.#lease,
			release: async () => (await this.engine).release(),
			onReplaced: () => this.#replaced(),
			onReceived: (relay, ids) => this.#engine?.forgetCalls(ids.map((id) => ` ${relay}:${id}`)),
			onNames: (names) => {
				this.#names = names;
				this.#engine?.setNames(names);
			},
			onWelcome: (welcome) => void this.#welcomed(welcome),
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

	async #welcomed({ journal, durable, gated }: Welcome): Promise<void> {
		if (this.#engine !== undefined) {
			this.#engine.setGated(gated);
			// What failed is tried again before any call comes.
			this.#engine.tryJournal();
		}
		// What was asked of the journal before goes out again by itself.
		if (this.#journalId !== '') return;
		this.#journalId = journal;
		try {
			this.#begin(await this.#load(gated, durable));
		} catch (error) {
			this.#failed(error);
		}
	}

	/** Returns an engine with what the journal says. */
	#load(gated: boolean, durable: boolean): Promise<Engine> {
		this.#journal = new RemoteJournal(this.link.line, durable);
		const { settings, onReading } = this.#options;
		return createEngine({
			...settings,
			journal: this.#journal,
			files: this.link.files,
			gated,
			replaying: readingProgress((next, end) => {
				this.link.reading(next, end);
				onReading?.(next, end);
			}, settings.now),
		});
	}

	#begin(engine: Engine): void {
		if (this.#isOver) return;
		this.#engine = engine;
		engine.setRelayServices(this.link.relayServices);
		engine.setNames(this.#names);
		engine.onChange = () => {
			// Another engine has the lease: what was done there is to be seen here.
			if (engine.journalTrouble?.taken === true) this.#replaced();
			this.#options.onChange();
		};
		this.#ready.resolve(engine);
		this.#options.onBegun(engine);
		engine.onChange();
		this.link.loaded();
	}

	#failed(error: unknown): void {
		if (this.#isOver) return;
		// The relay went away, or another engine was faster: the page begins again.
		const isFenced = error instanceof JournalError && error.fault === 'fenced';
		if (isFenced || this.#state !== 'ready') {
			this.#replaced();
			return;
		}
		this.#isOver = true;
		this.#ready.reject(error);
		this.link.unreadable(reasonOf(error));
		this.#options.onFailed(error);
	}

	#replaced(): void {
		if (this.#isOver) return;
		this.#isOver = true;
		this.link.close();
		this.#options.onReplaced();
	}
}
