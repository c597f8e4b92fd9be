/**
 * The page's composition root: starts the engine, the view and the panels, and connects them.
 * Owns: which tab holds the world, and the ports between the parts. The only file that knows them all.
 */

import { signal } from '@preact/signals';
import { pathAndQuery } from '../shared/contract/path-and-query.ts';
import { hasBody } from '../shared/contract/route.ts';
import type { CallHandler } from '../shared/contract/wire.ts';
import { ANY_BYTES } from '../shared/documents/media-type.ts';
import { portHandle } from '../shared/transport/call-port.ts';
import { createClient } from '../shared/transport/client.ts';
import { type Holder, LINK_PATH } from '../shared/transport/link.ts';
import { createLoudspeaker } from './audio/loudspeaker.ts';
import type {
	EngineOptions,
	EngineStatus,
	EngineToPage,
	EngineToView,
	GpuInfo,
	PageToEngine,
	ShownElement,
} from './frames/frames.ts';
import { DoorTimes } from './host/door-times.ts';
import { beginLife, type EngineLife } from './host/engine-life.ts';
import { OriginLease } from './host/origin-lease.ts';
import { PageLink, type PageRole } from './host/page-link.ts';
import { serveServiceWorker } from './host/service-worker-port.ts';
import { fetchHandle, type SeenStatus, Visit } from './host/visit.ts';
import { startView } from './render/view-host.ts';
import { mountPanels } from './ui/mount.tsx';
import type {
	Arriving,
	Doors,
	PanelServices,
	Picture,
	Reading,
	Sound,
	ViewHandle,
	WorldHolding,
} from './ui/services.ts';
import { createPageSession, type PageSession } from './ui/session/page-session.ts';
import { browserKept } from './ui/state/kept.ts';

const relayMeta = document.querySelector<HTMLMetaElement>('meta[name="orrery-relay"]');
const asked = new URLSearchParams(location.search);

const verify = asked.get('verify') ?? relayMeta?.dataset.verify;
const options: EngineOptions = {
	profile: (asked.get('profile') ?? relayMeta?.dataset.profile) === 'bare' ? 'bare' : 'full',
	seed: Number(asked.get('seed') ?? relayMeta?.dataset.seed ?? 0),
	gated: relayMeta?.dataset.auth !== undefined,
	...(verify === undefined ? {} : { verify: Number(verify) }),
};

const status = signal<EngineStatus | null>(null);
const view = signal<ViewHandle | null>(null);
const picture = signal<Picture>({ kind: 'starting' });
const shows = signal<{ readonly world: string; readonly line: number } | null>(null);
const hud = signal<readonly ShownElement[]>([]);
const sound = signal<Sound>({ hearing: 'nothing', muted: false, fault: null });
const doors = signal<Doors>({
	tab: { state: 'starting' },
	worker: { state: 'starting' },
	relay: { state: relayMeta === null ? 'off' : 'starting' },
});
const holding = signal<WorldHolding>('asking');
const holder = signal<Holder>('nobody');
const arriving = signal<Arriving | null>(null);
const reading = signal<Reading | null>(null);
const failure = signal<string | null>(null);

const linkUrl = new URL(LINK_PATH, location.href);
linkUrl.protocol = linkUrl.protocol === 'https:' ? 'wss:' : 'ws:';

/** The engine's Worker, while this tab holds the world. */
let engine: Worker | undefined;
/** As long as that Worker is there. */
let life: EngineLife | undefined;
let handle: CallHandler | undefined;
/** The engine of this tab answers. */
let answers = false;
/** True if that world outlives this tab. */
let isKept = false;
/** Role of this page, as the relay reports it; null while the relay is not reached, and always without one. */
let role: PageRole | null = null;
/** The view's port, while no engine has it. */
let viewPort: MessagePort | undefined;
/** The engine's end of that port, while no view has it. */
let enginePort: MessagePort | undefined;
/** A view of the page shows the picture. */
let isPictured = false;
/** GPU that the view has reported during a visit. */
let gpu: GpuInfo | undefined;
/** Ends the visit. */
let leave: (() => void) | undefined;
/** Transport of a visitor's calls. */
const visitDoor = relayMeta === null ? 'worker' : 'relay';
/** The last status of the visited world; undefined if none came. */
let seenStatus: SeenStatus | undefined;
/** Identity of the world that is visited. */
let visited = '';
/** The page is left, and the browser may keep it. */
const left = new AbortController();
const times = new DoorTimes();

function send(message: PageToEngine, transfer: Transferable[] = []): void {
	engine?.postMessage(message, transfer);
}

/** A new port to the engine, for calls that come through `door`. */
function callPort(door: 'page' | 'worker'): MessagePort {
	const { port1, port2 } = new MessageChannel();
	send({ type: 'calls', door, port: port2 }, [port2]);
	return port1;
}

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
			originLease?.released();
			beginAnew();
			return;
		case 'declined':
			originLease?.declined(message.why);
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
	async port() {
		const mine = life;
		const lock = await mine?.lock;
		// The engine may have ended meanwhile.
		return lock === undefined || mine !== life ? undefined : { port: callPort('worker'), life: lock };
	},
});
worker.ready.then(
	() => {
		doors.value = { ...doors.value, worker: { state: 'ready' } };
	},
	(error: unknown) => {
		doors.value = { ...doors.value, worker: { state: 'off', note: `off: ${String(error)}` } };
	},
);

function newEngine(): void {
	life = beginLife();
	engine = new Worker(new URL('./host/engine.worker.ts', import.meta.url), {
		type: 'module',
		name: 'engine',
	});
	engine.onmessage = ({ data }: MessageEvent<EngineToPage>) => onMessage(data);
	engine.onerror = (event) => {
		fail(event.message || 'The engine did not load.');
	};
}

function fail(why: string): void {
	failure.value = why;
	// Neither the relay nor the other tabs of this browser need to wait for a tab that cannot answer.
	pageLink?.close();
	endLife();
}

const relayAt = (token: string) => ({ url: linkUrl.href, token, page: location.href });

/** Starts an engine, which loads what the journal says. */
function startEngine(): void {
	newEngine();
	const relay = relayMeta === null ? {} : { relay: relayAt(role?.key ?? '') };
	send({ type: 'start', options: { ...options, ...lost() }, ...relay });
}

/** Calls and the view go to the engine of this tab from now on. */
function connectEngine(): void {
	leave?.();
	leave = undefined;
	handle = portHandle(callPort('page'));
	if (viewPort !== undefined)
		send({ type: 'view', port: viewPort, ...(gpu === undefined ? {} : { gpu }) }, [viewPort]);
	viewPort = undefined;
	worker.changed();
}

/** The bytes of an asset, from wherever the world is held, or of a sound of the page's own; null when there are none. */
async function assetBytes(hash: string): Promise<ArrayBuffer | null> {
	if (hash.startsWith('sounds/')) {
		const own = await fetch(new URL(hash, document.baseURI));
		return own.ok ? own.arrayBuffer() : null;
	}
	if (handle === undefined) return null;
	const client = createClient(handle, { 'x-agent': 'panels' });
	const { status: code, body } = await client.send({
		method: 'GET',
		path: `/asset/${hash}`,
		accept: ANY_BYTES,
	});
	return code === 200 ? (body.slice().buffer as ArrayBuffer) : null;
}

const loudspeaker = createLoudspeaker({
	bytes: assetBytes,
	onHearing: (hearing) => {
		sound.value = { ...sound.value, hearing };
	},
	onFault: (fault) => {
		sound.value = { ...sound.value, fault };
	},
});

/** Adds a listener; what comes back takes it away. */
function added<T>(listeners: Set<T>, listener: T): () => void {
	listeners.add(listener);
	return () => listeners.delete(listener);
}

/** Makes the port between engine and view. What draws is loaded when the page shows the picture, or a call takes one. */
function offerPicture(): void {
	if (viewPort !== undefined) return;
	if (options.profile === 'bare') {
		picture.value = { kind: 'none', message: 'This is a bare host: it has a world and no picture.' };
		return;
	}
	const { port1, port2 } = new MessageChannel();
	viewPort = port2;
	enginePort = port1;
	port1.onmessage = ({ data }: MessageEvent<EngineToView>) => {
		if (data.type === 'needed') startPicture(port1);
	};
	if (isPictured || unseen) startPicture(port1);
}

function openPicture(): void {
	isPictured = true;
	if (enginePort !== undefined) startPicture(enginePort);
}

function startPicture(port: MessagePort): void {
	port.onmessage = null;
	enginePort = undefined;
	const listeners = new Set<Parameters<ViewHandle['onSelected']>[0]>();
	const editedListeners = new Set<Parameters<ViewHandle['onEdited']>[0]>();
	const brushedListeners = new Set<Parameters<ViewHandle['onBrushed']>[0]>();
	const zonedListeners = new Set<Parameters<ViewHandle['onZoned']>[0]>();
	const draggingListeners = new Set<Parameters<ViewHandle['onDragging']>[0]>();
	const undecodableListeners = new Set<(hash: string) => void>();
	const placesListeners = new Set<Parameters<ViewHandle['onPlaces']>[0]>();
	const happenedListeners = new Set<Parameters<ViewHandle['onHappened']>[0]>();
	/** Drawing in use, until its first picture is there. */
	let first: Picture | null = null;
	const drawn = startView({
		canvas,
		enginePort: port,
		onEvent(event) {
			if (event.type === 'gpu') {
				const drawing: Picture = { kind: 'drawing', backend: event.info.backend, reduced: event.reduced };
				if (picture.value.kind === 'starting') first = drawing;
				else picture.value = drawing;
			} else if (event.type === 'drawn' && first !== null) {
				picture.value = first;
				first = null;
				// By now the person stays. Before, it would only slow the page down.
				if (relayMeta === null) worker.keepPage();
			} else if (event.type === 'shows') shows.value = { world: event.world, line: event.line };
			else if (event.type === 'unavailable') picture.value = { kind: 'none', message: event.message };
			else if (event.type === 'hud') hud.value = event.elements;
			else if (event.type === 'sound') loudspeaker.take(event);
			else if (event.type === 'camera-moved') loudspeaker.setCamera(event.eye, event.target);
			else if (event.type === 'selected')
				for (const listener of listeners) listener(event.entities, event.adds);
			else if (event.type === 'edited')
				for (const listener of editedListeners) listener(event.tool, event.edits);
			else if (event.type === 'zoned') for (const listener of zonedListeners) listener(event.zone);
			else if (event.type === 'brushed') for (const listener of brushedListeners) listener(event.stamps);
			else if (event.type === 'dragging') for (const listener of draggingListeners) listener(event.words);
			else if (event.type === 'places') for (const listener of placesListeners) listener(event.places);
			else if (event.type === 'happened') for (const listener of happenedListeners) listener(event.events);
			else if (event.type === 'undecodable')
				for (const listener of undecodableListeners) listener(event.hash);
		},
	});
	if (unseen) drawn.setShown(false);
	view.value = {
		select: drawn.select,
		setTool: drawn.setTool,
		setSigns: drawn.setSigns,
		setZones: drawn.setZones,
		cancel: drawn.cancel,
		settle: drawn.settle,
		land: drawn.land,
		focus: drawn.focus,
		setWorld: drawn.setWorld,
		resize: drawn.resize,
		setShown: drawn.setShown,
		follow: drawn.follow,
		watch: drawn.watch,
		order: drawn.order,
		aim: drawn.aim,
		onSelected: (listener) => added(listeners, listener),
		onEdited: (listener) => added(editedListeners, listener),
		onBrushed: (listener) => added(brushedListeners, listener),
		onZoned: (listener) => added(zonedListeners, listener),
		onDragging: (listener) => added(draggingListeners, listener),
		onUndecodable: (listener) => added(undecodableListeners, listener),
		onPlaces: (listener) => added(placesListeners, listener),
		onHappened: (listener) => added(happenedListeners, listener),
	};
}

const decoder = new TextDecoder();

const call: PanelServices['call'] = async (method, path, body, on = 'you') => {
	if (handle === undefined) throw new Error('No engine has the world at the moment. Send the call again.');
	const { path: bare, query } = pathAndQuery(path);
	const started = performance.now();
	const client = createClient(handle, { 'x-agent': on, ...session.headers() });
	const sent = hasBody(method) ? { body: body ?? {} } : {};
	const response = await client.send({ method, path: bare, query, ...sent });
	const text = decoder.decode(response.body);
	const json = response.headers['content-type']?.includes('json') === true;
	const ms = performance.now() - started;
	if (leave !== undefined) times.add([{ door: visitDoor, ms }]);
	return { status: response.status, body: text === '' ? null : json ? JSON.parse(text) : text, ms };
};

const callLast: PanelServices['callLast'] = (method, path) => {
	const headers = { 'x-agent': 'panels', ...session.headers() };
	const url = new URL(path.slice(1), document.baseURI);
	fetch(url, { method, headers, keepalive: true }).catch(() => {
		// The page is gone by then: the next one ends what this call would have ended.
	});
};

const takePicture: PanelServices['takePicture'] = async (world, width, height) => {
	if (handle === undefined) return null;
	const client = createClient(handle, { 'x-agent': 'panels' });
	const query = new URLSearchParams({ world, width: String(width), height: String(height), hud: 'false' });
	if (world === 'main') query.delete('world');
	const { status: code, body } = await client.send({
		method: 'GET',
		path: '/screenshot',
		query: query.toString(),
		accept: 'image/webp',
	});
	return code === 200 ? new Blob([body as Uint8Array<ArrayBuffer>]) : null;
};

const session: PageSession = createPageSession({ call, kept: sessionStorage });

const services: PanelServices = {
	call,
	kept: browserKept(),
	callLast,
	takePicture,
	status,
	view,
	picture,
	openPicture,
	shows,
	hud,
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

/**
 * In the relay's own browser, no person looks: panels would take time from the engine, for each call and each tick.
 */
const unseen = asked.has('keeper');
const canvas = unseen
	? document.createElement('canvas')
	: mountPanels(document.getElementById('panels')!, services).canvas;

function stopEngine(): void {
	engine?.terminate();
	engine = undefined;
	answers = false;
	endLife();
}

/** Calls of other tabs that wait for the engine here are refused, and no more come. */
function endLife(): void {
	life?.end();
	life = undefined;
	worker.changed();
}

/** Deletes what this browser keeps of the world, and begins an empty one. */
async function forget(): Promise<void> {
	isKept = true;
	stopEngine();
	const { forgetOriginJournal } = await import('./host/journal/origin-journal.ts');
	await forgetOriginJournal();
	location.reload();
}

/** The canvas and its view belong to the engine that was here: what comes next begins with a page of its own. */
function beginAnew(): void {
	stopEngine();
	location.reload();
}

/** This tab may start an engine, and holds the world from now on. */
function hold(): void {
	if (engine !== undefined) return;
	offerPicture();
	startEngine();
	connectEngine();
	arriving.value = null;
	holding.value = 'held';
	lookWho();
}

/** Returns the known end of the world that was visited; with a relay, the relay reports it. */
function lost(): Pick<EngineOptions, 'lastWorld'> {
	if (role !== null || visited === '') return {};
	const why = 'Its tab was closed, loaded again or killed.';
	return { lastWorld: { world: visited, ended_at: new Date().toISOString(), why } };
}

/** Asks whose session this is, where one is needed. */
function lookWho(): void {
	if (options.gated !== true) return;
	// Without an answer nothing is known, and the next refusal says what is needed.
	session
		.look()
		.catch((error: unknown) => console.warn('The server did not answer whose session this is.', error));
}

/** Shows and drives the world of another tab of this browser. */
function visitTab(): void {
	holder.value = 'tab';
	visit();
}

/** Shows and drives a world that is held elsewhere. */
function visit(): void {
	if (engine !== undefined || leave !== undefined) return;
	holding.value = 'visiting';
	offerPicture();
	handle = fetchHandle;
	lookWho();
	const begun = new Visit(viewPort, {
		onStatus(seen, ms) {
			if (ms !== undefined) times.add([{ door: visitDoor, ms }]);
			seenStatus = seen;
			showVisit();
		},
		onGpu(info) {
			gpu = info;
		},
	});
	leave = () => begun.end();
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
	if (engine !== undefined) return;
	if (next.role === 'hold') hold();
	else if (unseen) holding.value = 'waiting';
	else visit();
}

/** Claims the world for this tab. It stays where it is until that has released it. */
function takeOver(): void {
	if (engine !== undefined) return;
	arriving.value = { waiting: true };
	(pageLink ?? originLease)?.claim();
}

function declined(failed: string): void {
	arriving.value = { failed };
}

/** Another tab of this browser claims the world. */
function release(): void {
	if (failure.value !== null) originLease?.declined(failure.value);
	else send({ type: 'release' });
}

/** A world that the journal has outlives this tab; otherwise the page asks before it closes. */
addEventListener('beforeunload', (event) => {
	if (engine === undefined || holding.value !== 'held') return;
	send({ type: 'flush' });
	const now = status.value;
	const isEmpty = now === null || (now.tick === 0 && now.entity_count === 0 && now.forks.length === 0);
	if (!isEmpty && (!isKept || now.unkept !== undefined)) event.preventDefault();
});

/**
 * A page that the browser keeps, to show it again on the way back, stands still meanwhile: one that held the world, or stood in line
 * for it, would be waited for by all others. It lets go of everything, as one that is closed does, and begins anew when it is shown.
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
				holds: () => answers,
				onRole: become,
				onDeclined: declined,
				onReplaced: beginAnew,
			});

/** Undefined with a relay. */
const originLease =
	relayMeta === null
		? new OriginLease({ hold, visit: visitTab, release, replaced: beginAnew, declined, left: left.signal })
		: undefined;
