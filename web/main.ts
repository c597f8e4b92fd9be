/**
 * The page's composition root: starts the engine, the view and the panels, and connects them.
 * Owns: which tab holds the world, and the ports between the parts. The only file that knows them all.
 */

import { signal } from '@preact/signals';
import { reasonOf } from '../shared/contract/reason.ts';
import { type Holder, LINK_PATH } from '../shared/transport/link.ts';
import { createLoudspeaker } from './audio/loudspeaker.ts';
import type { EngineOptions, EngineStatus, EngineToPage, GpuInfo } from './frames/frames.ts';
import { OriginLease } from './host/origin-lease.ts';
import { PageCalls } from './host/page-calls.ts';
import { PageLink, type PageRole } from './host/page-link.ts';
import { serveServiceWorker } from './host/service-worker-port.ts';
import { TabEngine } from './host/tab-engine.ts';
import { TransportDurations } from './host/transport-times.ts';
import { fetchHandle, PageVisit, type WorldStatus } from './host/visit.ts';
import { PagePicture } from './render/page-picture.ts';
import { mountPanels } from './ui/mount.tsx';
import type {
	Arriving,
	Doors,
	JournalReading,
	PageSound,
	PanelServices,
	WorldHolding,
} from './ui/services.ts';
import { createPageSession, type PageSession } from './ui/session/page-session.ts';
import { openBrowserStorage } from './ui/state/kept.ts';

const relayMeta = document.querySelector<HTMLMetaElement>('meta[name="orrery-relay"]');
const parameters = new URLSearchParams(location.search);

const verify = parameters.get('verify') ?? relayMeta?.dataset.verify;
const options: EngineOptions = {
	profile: (parameters.get('profile') ?? relayMeta?.dataset.profile) === 'bare' ? 'bare' : 'full',
	seed: Number(parameters.get('seed') ?? relayMeta?.dataset.seed ?? 0),
	gated: relayMeta?.dataset.auth !== undefined,
	...(verify === undefined ? {} : { verify: Number(verify) }),
};

const status = signal<EngineStatus | null>(null);
const sound = signal<PageSound>({ hearing: 'nothing', muted: false, fault: null });
const doors = signal<Doors>({
	tab: { state: 'starting' },
	worker: { state: 'starting' },
	relay: { state: relayMeta === null ? 'off' : 'starting' },
});
const holding = signal<WorldHolding>('asking');
const holder = signal<Holder>('nobody');
const arriving = signal<Arriving | null>(null);
const reading = signal<JournalReading | null>(null);
const failure = signal<string | null>(null);

const linkUrl = new URL(LINK_PATH, location.href);
linkUrl.protocol = linkUrl.protocol === 'https:' ? 'wss:' : 'ws:';

/** The engine of this tab answers. */
let answers = false;
/** True if that world outlives this tab. */
let isKept = false;
/** Role of this page, as the relay reports it; null while the relay is not reached, and always without one. */
let role: PageRole | null = null;
/** GPU that the view has reported during a visit. */
let gpu: GpuInfo | undefined;
/** Ends the visit. */
let leave: (() => void) | undefined;
/** Transport of a visitor's calls. */
const visitDoor = relayMeta === null ? 'worker' : 'relay';
/** The last status of the visited world; undefined if none came. */
let seenStatus: WorldStatus | undefined;
/** Identity of the world that is visited. */
let visited = '';
/** The page is left, and the browser may keep it. */
const left = new AbortController();
const times = new TransportDurations();

const engine = new TabEngine({ onMessage, onFailure: fail, onChanged: () => worker.reportChange() });
const calls = new PageCalls({
	session: () => session.headers(),
	onAnswer: (ms) => {
		if (leave !== undefined) times.add([{ door: visitDoor, ms }]);
	},
});

function doorStatus(door: 'page' | 'worker' | 'relay') {
	const median = times.median(door);
	return median === undefined ? {} : { p50_ms: median };
}

function onMessage(message: EngineToPage): void {
	switch (message.type) {
		case 'ready':
			answers = true;
			isKept = message.isKept;
			reading.value = null;
			doors.value = { ...doors.value, tab: { state: 'ready' } };
			return;
		case 'reading':
			reading.value = { next: message.next, end: message.end };
			return;
		case 'released':
			originLease?.reportReleased();
			beginAnew();
			return;
		case 'declined':
			originLease?.reportDeclined(message.why);
			return;
		case 'replaced':
			beginAnew();
			return;
		case 'failed':
			fail(message.error);
			return;
		case 'status': {
			const { relay } = message.status;
			times.add(message.status.calls);
			status.value = message.status;
			doors.value = {
				tab: { state: 'ready', ...doorStatus('page') },
				worker: { ...doors.value.worker, ...doorStatus('worker') },
				relay: { state: relay === 'connecting' ? 'starting' : relay, ...doorStatus('relay') },
			};
		}
	}
}

const worker = serveServiceWorker({
	...(relayMeta === null ? { script: new URL('sw.js?offline', document.baseURI).href } : {}),
	port: () => engine.workerPort(),
});
worker.ready.then(
	() => {
		doors.value = { ...doors.value, worker: { state: 'ready' } };
	},
	(error: unknown) => {
		doors.value = { ...doors.value, worker: { state: 'off', note: `off: ${String(error)}` } };
	},
);

function fail(why: string): void {
	failure.value = why;
	// Neither the relay nor the other tabs of this browser need to wait for a tab that cannot answer.
	pageLink?.close();
	engine.endLife();
}

const relayAt = (token: string) => ({ url: linkUrl.href, token, page: location.href });

/** Starts an engine in this tab. */
function startEngine(): void {
	engine.start({ ...options, ...lastWorldEnd() }, relayMeta === null ? undefined : relayAt(role?.key ?? ''));
}

/** Calls and the view go to the engine of this tab from now on. */
function connectEngine(): void {
	leave?.();
	leave = undefined;
	calls.handle = engine.pageHandle();
	const port = picture.takePort();
	if (port !== undefined) engine.sendViewPort(port, gpu);
	worker.reportChange();
}

const loudspeaker = createLoudspeaker({
	readAsset: (hash) => calls.assetBytes(hash),
	onState: (hearing) => {
		sound.value = { ...sound.value, hearing };
	},
	onFault: (fault) => {
		sound.value = { ...sound.value, fault };
	},
});

/** In the relay's own browser, no person looks: panels would take time from the engine, for each call and each tick. */
const isUnseen = parameters.has('keeper');
const picture = new PagePicture({
	canvas: () => canvas,
	isUnwatched: isUnseen,
	onFirst: () => {
		// By now the person stays. Before, it would only slow the page down.
		if (relayMeta === null) worker.keepPage();
	},
	onEvent: (event) => {
		if (event.type === 'sound') loudspeaker.update(event);
		else if (event.type === 'camera-moved') loudspeaker.setCamera(event.eye, event.target);
	},
});

/** Connects a picture to the world, unless the host has none. */
function offerPicture(): void {
	if (options.profile !== 'bare') picture.createPort();
	else
		picture.state.value = {
			kind: 'none',
			message: 'This is a bare host: it has a world and no picture.',
		};
}

const call: PanelServices['call'] = (method, path, body, on) => calls.call(method, path, body, on);

const session: PageSession = createPageSession({ call, kept: sessionStorage });

const services: PanelServices = {
	call,
	kept: openBrowserStorage(),
	callLast: (method, path) => calls.callAtEnd(method, path),
	takePicture: (world, width, height) => calls.takePicture(world, width, height),
	status,
	view: picture.view,
	picture: picture.state,
	openPicture: () => picture.open(),
	shows: picture.shownWorld,
	hud: picture.hud,
	sound,
	mute(off) {
		loudspeaker.mute(off);
		sound.value = { ...sound.value, muted: off };
	},
	doors,
	holding,
	holder,
	arriving,
	reading,
	failure,
	session,
	takeOver,
	...(relayMeta === null ? { forget } : {}),
	address: new URL('.', document.baseURI).href.replace(/\/$/, ''),
};

const canvas = isUnseen
	? document.createElement('canvas')
	: mountPanels(document.getElementById('panels')!, services).canvas;

function stopEngine(): void {
	engine.stop();
	answers = false;
}

/** Deletes what this browser keeps of the world, and begins an empty one. */
async function forget(): Promise<void> {
	isKept = true;
	stopEngine();
	try {
		const { deleteOriginJournal } = await import('./host/journal/origin-journal.ts');
		await deleteOriginJournal();
	} catch (error) {
		return fail(`The world could not be deleted from this browser: ${reasonOf(error)}`);
	}
	location.reload();
}

/** The canvas and its view belong to the engine that was here: what comes next begins with a page of its own. */
function beginAnew(): void {
	stopEngine();
	location.reload();
}

/** This tab may start an engine, and holds the world from now on. */
function hold(): void {
	if (engine.isRunning) return;
	offerPicture();
	startEngine();
	connectEngine();
	arriving.value = null;
	holding.value = 'held';
	lookWho();
}

/** Returns the known end of the world that was visited; with a relay, the relay reports it. */
function lastWorldEnd(): Pick<EngineOptions, 'lastWorld'> {
	if (role !== null || visited === '') return {};
	const why = 'Its tab was closed, loaded again or killed.';
	return { lastWorld: { world: visited, ended_at: new Date().toISOString(), why } };
}

/** Asks whose session this is, where one is needed. */
function lookWho(): void {
	if (options.gated !== true) return;
	// Without an answer nothing is known, and the next refusal says what is needed.
	session
		.refreshIdentity()
		.catch((error: unknown) => console.warn('The server did not answer whose session this is.', error));
}

/** Shows and drives the world of another tab of this browser. */
function visitTab(): void {
	holder.value = 'tab';
	visit();
}

/** Shows and drives a world that is held elsewhere. */
function visit(): void {
	if (engine.isRunning || leave !== undefined) return;
	holding.value = 'visiting';
	offerPicture();
	calls.handle = fetchHandle;
	lookWho();
	const visit = new PageVisit(picture.port, {
		onStatus(seen, ms) {
			if (ms !== undefined) times.add([{ door: visitDoor, ms }]);
			seenStatus = seen;
			showVisit();
		},
		onGpu(info) {
			gpu = info;
		},
	});
	leave = () => visit.end();
}

/** Shows what was last seen of the visited world. */
function showVisit(): void {
	const seen = seenStatus;
	doors.value = {
		...doors.value,
		tab: { state: 'off', note: 'visiting' },
		// While the relay is away, the service worker still has answers from the tab that holds the world.
		[visitDoor]:
			seen === undefined || (visitDoor === 'relay' && role === null)
				? { state: 'lost' }
				: { state: 'ready', ...doorStatus(visitDoor) },
	};
	if (seen === undefined) return;
	visited = seen.world;
	status.value = { ...seen.status, relay: role === null ? 'off' : 'ready' };
}

/** Takes the role that the relay reports for this page. */
function become(next: PageRole | null): void {
	role = next;
	if (leave !== undefined && seenStatus !== undefined) showVisit();
	if (next === null) return;
	holder.value = next.holder;
	if (engine.isRunning) return;
	if (next.role === 'hold') hold();
	else if (isUnseen) holding.value = 'waiting';
	else visit();
}

/** Claims the world for this tab. It stays where it is until that has released it. */
function takeOver(): void {
	if (engine.isRunning) return;
	arriving.value = { waiting: true };
	(pageLink ?? originLease)?.claim();
}

function declined(failed: string): void {
	arriving.value = { failed };
}

/** Another tab of this browser claims the world. */
function release(): void {
	if (failure.value !== null) originLease?.reportDeclined(failure.value);
	else engine.send({ type: 'release' });
}

/** A world that the journal has outlives this tab; otherwise the page asks before it closes. */
addEventListener('beforeunload', (event) => {
	if (!engine.isRunning || holding.value !== 'held') return;
	engine.send({ type: 'flush' });
	const now = status.value;
	const isEmpty = now === null || (now.tick === 0 && now.entity_count === 0 && now.forks.length === 0);
	if (!isEmpty && (!isKept || now.unkept !== undefined)) event.preventDefault();
});

/**
 * A page that the browser keeps for the way back is frozen. All others would wait for it if it still owned the world
 * or waited for it. It releases everything, as one that is closed does, and restarts when it is shown.
 */
addEventListener('pagehide', ({ persisted }) => {
	if (!persisted) return;
	stopEngine();
	leave?.();
	pageLink?.close();
	left.abort(new Error('The page was left.'));
});
addEventListener('pageshow', ({ persisted }) => {
	if (persisted) location.reload();
});

/** Undefined without a relay. */
const pageLink: PageLink | undefined =
	relayMeta === null
		? undefined
		: new PageLink({
				url: linkUrl.href,
				token: relayMeta.content,
				isOwner: () => answers,
				onRole: become,
				onDeclined: declined,
				onReplaced: beginAnew,
			});

/** Undefined with a relay. */
const originLease =
	relayMeta === null
		? new OriginLease({
				onOwn: hold,
				onVisit: visitTab,
				onClaim: release,
				onReplaced: beginAnew,
				onDeclined: declined,
				pageEnd: left.signal,
			})
		: undefined;
