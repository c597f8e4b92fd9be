/**
 * The engine of a tab that has a relay: it acquires the lease of the relay's journal and loads what that says.
 * Owns: when it begins, and when it is to let go.
 * Never: knows the page (it runs in the engine's Worker, and in Node for tests).
 */

import { JournalError } from '../../shared/contract/journal.ts';
import type { ShownLease } from '../../shared/contract/link.ts';
import { worldName } from '../sim/world-name/world-name.ts';
import { createEngine, type Engine, type EngineSettings } from './engine.ts';
import type { RemoteJournal } from './journal/remote-journal.ts';
import { readingProgress } from './reading-progress.ts';
import { RelayLink, type RelayLinkOptions, type Welcome } from './relay-link.ts';
import type { RelayState } from './relay-socket.ts';

export interface RelayTabOptions
	extends Pick<RelayLinkOptions, 'url' | 'token' | 'page' | 'open' | 'freshToken'> {
	/** Of an engine whose journal is empty. */
	readonly settings: EngineSettings;
	/** The engine answers. Called once. */
	readonly onBegun: (engine: Engine) => void;
	/** Something happened to the engine, or to the way to the relay. */
	readonly onChange: () => void;
	/** Reading the journal takes long: its next entry is this of so many. */
	readonly onReading?: (next: number, end: number) => void;
	/** Another engine has the lease: this one is to end. */
	readonly onReplaced: () => void;
	/** There will be no engine, and why. */
	readonly onFailed: (error: unknown) => void;
}

/** Milliseconds between two notes of the tick, for the list of worlds. */
const NOTE_MS = 1000;

export class RelayTab {
	/** Resolves when it answers. */
	readonly engine: Promise<Engine>;
	readonly link: RelayLink;
	readonly #options: RelayTabOptions;
	readonly #ready = Promise.withResolvers<Engine>();
	#running: Engine | undefined;
	#journal: RemoteJournal | undefined;
	/** Identity of the relay's journal; empty before the first welcome. */
	#journalId = '';
	#isOver = false;
	#state: RelayState = 'connecting';
	#noting: ReturnType<typeof setTimeout> | undefined;
	#noted = -1;
	/** The last reason why a tick was not noted. */
	#unnoted = '';

	constructor(options: RelayTabOptions) {
		this.#options = options;
		this.engine = this.#ready.promise;
		// A failure reaches every caller that waits; that none does is no fault.
		this.engine.catch(() => {});
		const answers = this.engine.then((engine) => engine.handleFrom('relay'));
		answers.catch(() => {});
		const { url, token, page, open, freshToken } = options;
		this.link = new RelayLink({
			url,
			token,
			...(page === undefined ? {} : { page }),
			...(open === undefined ? {} : { open }),
			...(freshToken === undefined ? {} : { freshToken }),
			handle: async (request, signal) => (await answers)(request, signal),
			world: () => this.#running?.identity ?? '',
			lease: () => this.#lease,
			release: async () => (await this.engine).release(),
			onReplaced: () => this.#replaced(),
			onReceived: (relay, ids) => this.#running?.forgetCalls(ids.map((id) => ` ${relay}:${id}`)),
			onWelcome: (welcome) => void this.#welcomed(welcome),
			onState: (state) => {
				this.#state = state;
				if (this.#running !== undefined) options.onChange();
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
		if (this.#running !== undefined) {
			this.#running.setGated(gated);
			// What failed is tried again before any call comes.
			this.#running.tryJournal();
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

	/** An engine with what the journal says. */
	async #load(gated: boolean, durable: boolean): Promise<Engine> {
		this.#journal = await this.#remote(durable);
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

	/** The relay's journal. If the relay ends while it is loaded, the page reloads: a browser never loads again what failed once. */
	async #remote(durable: boolean): Promise<RemoteJournal> {
		try {
			const [{ RemoteJournal }] = await Promise.all([
				import('./journal/remote-journal.ts'),
				import('./journal/with-journal.ts'),
			]);
			return new RemoteJournal(this.link.line, durable);
		} catch (error) {
			this.#replaced();
			throw error;
		}
	}

	#begin(engine: Engine): void {
		if (this.#isOver) return;
		this.#running = engine;
		engine.setDesk(this.link.desk);
		engine.onChange = () => {
			// Another engine has the lease: what was done there is to be seen here.
			if (engine.journalTrouble?.taken === true) this.#replaced();
			this.#noteSoon(engine);
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
		this.link.unreadable(error instanceof Error ? error.message : String(error));
		this.#options.onFailed(error);
	}

	/** Notes the tick once in a while. It is only for a list, so a failure is reported and the next tick is tried. */
	#noteSoon(engine: Engine): void {
		const { world } = engine.worlds.main;
		const journal = this.#journal;
		if (journal === undefined || this.#noting !== undefined || this.#isOver || world.tick === this.#noted)
			return;
		this.#noting = setTimeout(() => {
			this.#noting = undefined;
			const { world } = engine.worlds.main;
			this.#noted = world.tick;
			journal.note(worldName(world), this.#noted).catch((error: unknown) => {
				this.#noted = -1;
				this.#warnOnce(engine, error as Error);
			});
		}, NOTE_MS);
	}

	/** A relay that is away, and a journal that has a fault, are reported already; and each fault is reported once. */
	#warnOnce(engine: Engine, { message }: Error): void {
		if (this.#isOver || this.#state !== 'ready' || engine.journalTrouble !== null) return;
		if (message === this.#unnoted) return;
		this.#unnoted = message;
		console.warn(`The tick could not be stored for the list of worlds: ${message}`);
	}

	#replaced(): void {
		if (this.#isOver) return;
		this.#isOver = true;
		clearTimeout(this.#noting);
		this.link.close();
		this.#options.onReplaced();
	}
}
