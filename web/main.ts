/**
 * The page's composition root: starts the engine, the view and the panels, and connects them.
 * Owns: which tab holds the world, and the ports between the parts. The only file that knows them all.
 */

import { signal } from '@preact/signals';
import { LINK_PATH } from '../shared/contract/link.ts';
import { type CallHandler, EMPTY_BODY } from '../shared/contract/wire.ts';
import { portHandle } from './host/call-port.ts';
import { DoorTimes } from './host/door-times.ts';
import type { EngineOptions, EngineStatus, EngineToPage, HudElement, PageToEngine } from './host/frames.ts';
import { handOver, receiveWorlds } from './host/handover.ts';
import { askForPlace } from './host/place.ts';
import { serveServiceWorker } from './host/service-worker-port.ts';
import { startView } from './render/view-host.ts';
import { mountPanels } from './ui/mount.tsx';
import type { Doors, PanelServices, Picture, Place, ViewHandle } from './ui/services.ts';

const relayMeta = document.querySelector<HTMLMetaElement>('meta[name="orrery-relay"]');
const asked = new URLSearchParams(location.search);

const options: EngineOptions = {
	profile: (asked.get('profile') ?? relayMeta?.dataset.profile) === 'bare' ? 'bare' : 'full',
	seed: Number(asked.get('seed') ?? relayMeta?.dataset.seed ?? 0),
};

const status = signal<EngineStatus | null>(null);
const view = signal<ViewHandle | null>(null);
const picture = signal<Picture>({ kind: 'starting' });
const hud = signal<readonly HudElement[]>([]);
const doors = signal<Doors>({
	tab: { state: 'starting' },
	worker: { state: 'starting' },
	relay: { state: relayMeta === null ? 'off' : 'starting' },
});
const place = signal<Place>('asking');
const failure = signal<string | null>(null);

/** The engine's Worker, while this tab holds the place. */
let engine: Worker | undefined;
let handle: CallHandler | undefined;
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

function lamp(door: 'page' | 'worker' | 'relay') {
	const median = times.median(door);
	return median === undefined ? {} : { p50_ms: median };
}

function hear(message: EngineToPage): void {
	switch (message.type) {
		case 'ready':
			doors.value = { ...doors.value, tab: { state: 'ready' } };
			return;
		case 'saved':
			handOver(message.saved);
			stopEngine();
			return;
		case 'failed':
			failure.value = message.error;
			return;
		case 'status': {
			const { relay } = message.status;
			times.add(message.status.calls);
			status.value = message.status;
			doors.value = {
				tab: { state: 'ready', ...lamp('page') },
				worker: { ...doors.value.worker, ...lamp('worker') },
				relay: { state: relay === 'connecting' ? 'starting' : relay, ...lamp('relay') },
			};
		}
	}
}

const worker = serveServiceWorker({ port: () => (engine === undefined ? undefined : callPort('worker')) });
worker.ready.then(
	() => {
		doors.value = { ...doors.value, worker: { state: 'ready' } };
	},
	(error: unknown) => {
		doors.value = { ...doors.value, worker: { state: 'off', note: `off: ${String(error)}` } };
	},
);

function startEngine(saved: EngineOptions['saved']): void {
	engine = new Worker(new URL('./host/engine.worker.ts', import.meta.url), {
		type: 'module',
		name: 'engine',
	});
	engine.onmessage = ({ data }: MessageEvent<EngineToPage>) => hear(data);
	engine.onerror = (event) => {
		failure.value = event.message || 'The engine did not load.';
	};
	send({ type: 'start', options: saved ? { ...options, saved } : options });
	handle = portHandle(callPort('page'));
	if (relayMeta !== null) {
		const url = new URL(LINK_PATH, location.href);
		url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
		send({ type: 'relay', url: url.href, token: relayMeta.content });
	}
	worker.changed();
}

function startPicture(canvas: HTMLCanvasElement): void {
	if (options.profile === 'bare') {
		picture.value = { kind: 'none', message: 'This is a bare host: it has a world and no picture.' };
		return;
	}
	const { port1, port2 } = new MessageChannel();
	send({ type: 'view', port: port2 }, [port2]);
	const listeners = new Set<(id: number | null) => void>();
	const drawn = startView({
		canvas,
		enginePort: port1,
		onEvent(event) {
			if (event.type === 'gpu')
				picture.value = { kind: 'drawing', backend: event.info.backend, reduced: event.reduced };
			else if (event.type === 'unavailable') picture.value = { kind: 'none', message: event.message };
			else if (event.type === 'hud') hud.value = event.elements;
			else if (event.type === 'selected')
				for (const listener of listeners) listener(event.entity?.id ?? null);
		},
	});
	view.value = {
		select: drawn.select,
		focus: drawn.focus,
		setWorld: drawn.setWorld,
		resize: drawn.resize,
		setShown: drawn.setShown,
		onSelected(listener) {
			listeners.add(listener);
			return () => listeners.delete(listener);
		},
	};
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();

const call: PanelServices['call'] = async (method, path, body, on = 'you') => {
	if (handle === undefined) throw new Error('Another tab holds the world.');
	const [bare = '/', query = ''] = path.split('?', 2);
	const started = performance.now();
	const response = await handle({
		method,
		path: bare,
		query,
		headers: { 'x-agent': on, ...(method === 'POST' ? { 'content-type': 'application/json' } : {}) },
		body: body === undefined ? EMPTY_BODY : encoder.encode(JSON.stringify(body)),
	});
	const text = decoder.decode(response.body);
	const json = response.headers['content-type']?.includes('json') === true;
	const ms = performance.now() - started;
	return { status: response.status, body: text === '' ? null : json ? JSON.parse(text) : text, ms };
};

const { canvas } = mountPanels(document.getElementById('panels')!, {
	call,
	status,
	view,
	picture,
	hud,
	doors,
	place,
	failure,
	takeOver,
	address: location.origin,
});

function stopEngine(): void {
	engine?.terminate();
	engine = undefined;
	handle = undefined;
	worker.changed();
}

/** Worlds that are on their way from the tab that this one takes over from. */
let arriving: Promise<EngineOptions['saved']> = Promise.resolve(undefined);

const askAgain = askForPlace({
	async held() {
		// A canvas is given away once: a tab that lost the place and has it again begins anew.
		if (canvas.dataset.used !== undefined) {
			location.reload();
			return;
		}
		canvas.dataset.used = '';
		const saved = await arriving;
		place.value = 'held';
		startEngine(saved);
		startPicture(canvas);
	},
	waiting() {
		place.value = 'waiting';
	},
	lost() {
		view.value = null;
		place.value = 'waiting';
		send({ type: 'let-go' });
	},
});

function takeOver(): void {
	arriving = receiveWorlds();
	askAgain();
}
