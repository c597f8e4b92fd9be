/**
 * The engine's dedicated Worker. It starts an engine and connects it to the ports that the page sends. The workers of its pool run the
 * same script.
 * Owns: the time between two status messages to the page.
 */

import { reasonOf } from '../../shared/contract/reason.ts';
import { servePort } from '../../shared/transport/call-port.ts';
import type { EngineOptions, EngineToPage, PageToEngine, RelayAddress } from '../frames/frames.ts';
import type { Engine } from './engine.ts';
import type { ToPoolWorker } from './pool.ts';
import { POOL_WORKER, poolWorkers } from './pool-workers.ts';
import { readPublic } from './read-public.ts';
import { readingProgress } from './reading-progress.ts';
import type { RelayTab } from './relay-tab.ts';
import { answerDraw } from './remote-view.ts';
import { ViewLink } from './view-link.ts';

/** Minimum time between two status messages (ms). */
const STATUS_MS = 100;

let resolveEngine: (engine: Engine) => void;
const engine = new Promise<Engine>((resolve) => {
	resolveEngine = resolve;
});
/** Undefined before the page has sent a view. */
let view: ViewLink | undefined;
/** Undefined without a relay. */
let tab: RelayTab | undefined;
/** Called after every change that the page shows. */
let notifyStatus = (): void => {};

function postToPage(message: EngineToPage): void {
	self.postMessage(message);
}

function fail(error: unknown): void {
	postToPage({ type: 'failed', error: reasonOf(error) });
}

/** Returns a function that sends a status after `STATUS_MS`. Earlier calls share this message. */
function statusSender(engine: Engine): () => void {
	let isPlanned = false;
	const send = () => {
		isPlanned = false;
		const unkept = engine.journalTrouble?.message;
		postToPage({
			type: 'status',
			status: {
				...engine.takeStatus(),
				relay: tab?.state ?? 'off',
				...(unkept === undefined ? {} : { unkept }),
			},
		});
	};
	return () => {
		if (isPlanned) return;
		isPlanned = true;
		setTimeout(send, STATUS_MS);
	};
}

/** Reports to the page that the engine answers, and resolves `engine`. */
function begin(running: Engine, isKept: boolean): void {
	notifyStatus = statusSender(running);
	resolveEngine(running);
	postToPage({ type: 'ready', isKept });
}

/** Connects to the relay. The engine loads the world of the relay's journal. */
async function startWithRelay(options: EngineOptions, relay: RelayAddress): Promise<void> {
	const { RelayTab } = await import('./relay-tab.ts');
	tab = new RelayTab({
		...relay,
		settings: { ...options, readPublic, pool: poolWorkers() },
		draw: (request) => answerDraw(view ?? null, tab!.link.relayServices, request),
		onBegun: (running) => begin(running, true),
		onChange: () => notifyStatus(),
		onReading: (next, end) => postToPage({ type: 'reading', next, end }),
		onReplaced: () => postToPage({ type: 'replaced' }),
		onFailed: fail,
	});
}

/** Starts an engine with the relay's journal, or with this browser's journal if there is no relay. */
async function start({ options, relay }: PageToEngine & { readonly type: 'start' }): Promise<void> {
	if (relay !== undefined) return startWithRelay(options, relay);
	const { beginWithOrigin } = await import('./origin-engine.ts');
	const replaying = readingProgress((next, end) => postToPage({ type: 'reading', next, end }));
	const pool = poolWorkers();
	const { engine, isKept } = await beginWithOrigin({ ...options, readPublic, pool, replaying });
	begin(engine, isKept);
	engine.onChange = notifyStatus;
	notifyStatus();
}

/** Writes a state and releases the lease, for another tab of this browser. */
async function release(running: Engine): Promise<void> {
	try {
		await running.release();
		// The files must be closed here before the next tab opens them.
		await running.close();
		postToPage({ type: 'released' });
	} catch (error) {
		postToPage({ type: 'declined', why: reasonOf(error) });
	}
}

async function receive(message: PageToEngine): Promise<void> {
	if (message.type === 'start') return start(message);
	const running = await engine;
	switch (message.type) {
		case 'calls':
			servePort(message.port, running.handleFrom(message.door));
			return;
		case 'view':
			view = new ViewLink(message.port, running, message.gpu);
			running.setView(view);
			return;
		case 'release':
			return release(running);
		case 'flush':
			// A failure is already in the status.
			return running.rest().catch(() => {});
	}
}

/** Runs the tasks of the engine that started this Worker. */
function servePool(): void {
	const answer = import('./pool-engine.ts').then(({ poolEngine }) => poolEngine());
	self.onmessage = async ({ data }: MessageEvent<ToPoolWorker>) => {
		self.postMessage(await (await answer)(data));
	};
}

if (self.name === POOL_WORKER) servePool();
else
	self.onmessage = ({ data }: MessageEvent<PageToEngine>) => {
		receive(data).catch(fail);
	};
