/**
 * The engine of a tab that has a relay: it begins with what the relay's journal says, or with the worlds that another tab hands over.
 * Owns: when it begins, which journal it writes to, and when it is to let go.
 * Never: knows the page (it runs in the engine's Worker, and in Node for tests).
 */

import { JournalError, NOWHERE } from '../../shared/contract/journal.ts';
import { worldName } from '../sim/world-name/world-name.ts';
import { createEngine, type Engine, type EngineSettings } from './engine.ts';
import { digestsOf, giveWorlds } from './give-worlds.ts';
import type { RemoteJournal } from './journal/remote-journal.ts';
import { readingProgress } from './reading-progress.ts';
import { linkRelay, type RelayLink, type RelayLinkOptions, type RelayState } from './relay-link.ts';
import { decodeSaved } from './saved-bytes.ts';

export interface RelayTabOptions
	extends Pick<
		RelayLinkOptions,
		'url' | 'token' | 'page' | 'open' | 'freshToken' | 'onArriving' | 'onOff' | 'onKept'
	> {
	/** `take`: the worlds are another tab's, or kept by the relay, and are handed over. */
	readonly mode: 'new' | 'take';
	/** An engine that is there already and keeps no journal. */
	readonly running?: Engine;
	/** With what an engine begins where nothing else says it. */
	readonly settings: EngineSettings;
	/** The engine answers, and the worlds are its own. Called once. */
	readonly onBegun: (engine: Engine) => void;
	/** Something happened to the engine, or to the way to the relay. */
	readonly onChange: () => void;
	/** The journal is read, which takes long: its next entry is this of so many. */
	readonly onReading?: (next: number, end: number) => void;
	/** Another engine has the worlds: this one is to end. */
	readonly onReplaced: () => void;
	/** There will be no engine, and why. */
	readonly onFailed: (error: unknown) => void;
}

export interface RelayTab {
	readonly link: RelayLink;
	/** Resolves when it answers. */
	readonly engine: Promise<Engine>;
	readonly state: RelayState;
	/** Which journal the worlds are written down in: empty for none, null while that is not known. */
	readonly journal: string | null;
	/** The page is about to go: `onKept` is called when nothing would be lost by that. */
	leave(): void;
}

/** Milliseconds between two notes of the tick, for the list of worlds. */
const NOTE_MS = 1000;

export function openRelayTab(options: RelayTabOptions): RelayTab {
	const ready = Promise.withResolvers<Engine>();
	// Who waits for it hears what becomes of it; that nobody does is no fault.
	ready.promise.catch(() => {});
	const answers = ready.promise.then((engine) => engine.handleFrom('relay'));
	answers.catch(() => {});
	/** There before it has begun, where it takes worlds. */
	let engine = options.running;
	let begun = false;
	let journal: string | null = engine === undefined ? null : '';
	/** The journal that it begins with, while it does. */
	let beginning: string | undefined;
	let remote: RemoteJournal | undefined;
	let state: RelayState = 'connecting';
	let own = (): void => {};
	let gated = options.settings.gated ?? false;
	let last = options.settings.lastWorld ?? null;
	let over = false;
	let noting: ReturnType<typeof setTimeout> | undefined;
	let noted = -1;
	let unnoted = '';

	const { url, token, page, mode, open, freshToken, onArriving, onOff, onKept } = options;
	const link = linkRelay({
		url,
		token,
		mode,
		...(page === undefined ? {} : { page }),
		...(open === undefined ? {} : { open }),
		...(freshToken === undefined ? {} : { freshToken }),
		...(onArriving === undefined ? {} : { onArriving }),
		...(onOff === undefined ? {} : { onOff }),
		...(onKept === undefined ? {} : { onKept }),
		handle: async (request, signal) => (await answers)(request, signal),
		world: () => engine?.identity ?? '',
		journal: () => journal,
		entries: () => engine?.entries ?? 0,
		place: (there) => remote?.placeAt(there) ?? NOWHERE,
		give: async () => giveWorlds(await ready.promise),
		take,
		onLastWorld(said) {
			last = said ?? last;
			// What the journal says of it stands where the relay knows of none.
			if (said !== null) engine?.setLastWorld(said);
		},
		onGated(said) {
			gated = said;
			engine?.setGated(said);
		},
		onReplaced: replaced,
		onWelcome: (id) => void welcomed(id),
		onState(now) {
			state = now;
			if (begun) options.onChange();
		},
	});
	if (engine !== undefined) begin(engine);

	return {
		link,
		engine: ready.promise,
		get state() {
			return state;
		},
		get journal() {
			return journal;
		},
		leave,
	};

	/** Takes worlds in. Until it is known that the other tab let go, nothing changes here. */
	async function take(bytes: Uint8Array, identity: string): Promise<string> {
		const taken = await createEngine({
			...options.settings,
			saved: { ...decodeSaved(bytes), identity },
			files: link.files,
		});
		void taken.alone(
			() =>
				new Promise<void>((resolve) => {
					own = resolve;
				}),
		);
		engine = taken;
		return digestsOf(taken.worlds);
	}

	async function welcomed(id: string): Promise<void> {
		const mine = begun ? journal : beginning;
		// Another relay is there, with a world of its own; what was done here is kept elsewhere.
		if (mine !== undefined && mine !== '' && id !== '' && id !== mine) return replaced();
		// What was asked of the journal before goes out again by itself; what had failed is tried again before any call comes.
		if (begun) engine?.tryJournal();
		if (begun || beginning !== undefined) return;
		beginning = id;
		try {
			const running = engine ?? (await read(id));
			if (engine !== undefined) await goOn(running, id);
			engine = running;
			journal = remote === undefined ? '' : id;
			begin(running);
			link.holds();
		} catch (error) {
			failed(error);
		} finally {
			beginning = undefined;
		}
	}

	function failed(error: unknown): void {
		remote = undefined;
		if (error instanceof JournalError && error.fault === 'conflict') replaced();
		// The next welcome begins again.
		if (over || state !== 'ready') return;
		over = true;
		ready.reject(error);
		link.unreadable(error instanceof Error ? error.message : String(error));
		options.onFailed(error);
	}

	/** An engine with what the journal says. */
	async function read(id: string): Promise<Engine> {
		if (id !== '') remote = await overLink();
		return createEngine({
			...options.settings,
			...(remote === undefined ? {} : { journal: remote }),
			files: link.files,
			lastWorld: last,
			gated,
			replaying: readingProgress((next, end) => {
				link.reading(next, end);
				options.onReading?.(next, end);
			}, options.settings.now),
		});
	}

	/** The relay's journal: loaded where there is one. Where the relay ends meanwhile, the page begins anew: what a browser could not load once, it never does. */
	async function overLink(): Promise<RemoteJournal> {
		try {
			const [{ RemoteJournal }] = await Promise.all([
				import('./journal/remote-journal.ts'),
				import('./journal/with-journal.ts'),
			]);
			return new RemoteJournal(link.line);
		} catch (error) {
			replaced();
			throw error;
		}
	}

	/** The worlds that were handed over go on in the journal in which they were written down. */
	async function goOn(taken: Engine, id: string): Promise<void> {
		if (id === '' || taken.entries === null) return;
		const journal = await overLink();
		await taken.keepIn(journal);
		remote = journal;
	}

	function begin(running: Engine): void {
		begun = true;
		running.setFiles(link.files);
		running.setDesk(link.desk);
		running.setGated(gated);
		if (last !== null) running.setLastWorld(last);
		running.onChange = () => {
			// The journal is another engine's by now: what was done there is to be seen here.
			if (running.journalTrouble?.taken === true) replaced();
			noteSoon(running);
			options.onChange();
		};
		own();
		ready.resolve(running);
		options.onBegun(running);
		running.onChange();
	}

	/** Notes the tick once in a while. It is only for a list, so what keeps one from being noted is said, and the next one is tried. */
	function noteSoon(running: Engine): void {
		const { worlds } = running;
		const journal = remote;
		if (journal === undefined || noting !== undefined || over || worlds.main.world.tick === noted) return;
		noting = setTimeout(() => {
			noting = undefined;
			noted = worlds.main.world.tick;
			journal.note(worldName(worlds.main.world), noted).catch((error: unknown) => {
				noted = -1;
				// A relay that is away, and a journal that has a fault, are told of already; and each fault is told once.
				const { message } = error as Error;
				if (over || state !== 'ready' || running.journalTrouble !== null || message === unnoted) return;
				unnoted = message;
				console.warn(`The tick could not be noted for the list of worlds: ${message}`);
			});
		}, NOTE_MS);
	}

	function replaced(): void {
		if (over) return;
		over = true;
		clearTimeout(noting);
		link.close();
		options.onReplaced();
	}

	function leave(): void {
		if (engine === undefined || !begun) return;
		if (remote === undefined) {
			engine.cancelCalls();
			link.leave();
			return;
		}
		// Where not everything can be kept, nothing is said, and the person is asked.
		engine.rest().then(onKept, () => {});
	}
}
