/**
 * The page's side of the view: starts it, in a Worker where the browser can, and speaks with it.
 * Owns: the handle that the page holds. Never: imports three.js itself.
 */

import { listen } from './gestures.ts';
import type {
	Aim,
	CameraMove,
	EntityRef,
	HostToView,
	Order,
	Outlined,
	SelectedEntity,
	Sign,
	ToolSettings,
	ViewEvent,
	ViewOptions,
	ViewToHost,
	Watching,
} from './messages.ts';
import { createViewListeners, type ViewListening } from './view-listeners.ts';

export type {
	Aim,
	EntityRef,
	SelectedEntity,
	ToolSettings,
	ViewEvent,
	Watching,
} from './messages.ts';

/** Room round the place of a thing, in metres: its lowest corner and its highest. */
export interface Room {
	readonly least: readonly [number, number, number];
	readonly most: readonly [number, number, number];
}

export interface StartView {
	/** A canvas whose size on the page is set by CSS: its drawing buffer may be smaller or larger. */
	readonly canvas: HTMLCanvasElement;
	/** Speaks `ViewToEngine` / `EngineToView` with the engine's Worker. */
	readonly enginePort: MessagePort;
	readonly onEvent: (event: ViewEvent) => void;
	/** `main` unless given. */
	readonly world?: string;
	/** Draw with WebGL 2 even where WebGPU works. */
	readonly forceWebGL?: boolean;
	/** Draw on this thread even where a Worker could. */
	readonly onThisThread?: boolean;
}

/** The view that draws on a canvas of the page. */
export interface ViewHandle extends ViewListening {
	/** Size of the canvas on the page, in CSS pixels, and device pixels for each of them. */
	resize(width: number, height: number, dpr: number): void;
	/** Moves the camera as a person would. */
	move(move: CameraMove): void;
	/** Draws the line round these entities, and the handles of the tool on them. No `onSelected` follows. */
	select(entities: readonly SelectedEntity[]): void;
	/** Sets the tools; null ends editing in the picture. */
	setTool(settings: ToolSettings | null): void;
	/** Shows signs for entities that are not drawn, during editing. */
	setSigns(signs: readonly Sign[]): void;
	/** Shows zones and patrols during editing. */
	setOutlines(outlines: readonly Outlined[]): void;
	/** Ends what is dragged, without an edit. */
	cancel(): void;
	/** The call for what was edited was answered: the picture shows the world again. */
	settle(): void;
	/** Resting place of a thing that is put down at a point of the canvas; null in the sky. `step`: of the grid (m). */
	land(
		x: number,
		y: number,
		room: Room,
		step: number | null,
	): Promise<readonly [number, number, number] | null>;
	/** Shows `main` or a fork. */
	setWorld(world: string): void;
	/** Turns the camera to the selected entities. */
	focus(): void;
	/** Goes along with an entity; null: with none, and looks from where it did before. */
	follow(id: number | null): void;
	/** Sets what `onPlaces` and `onHappened` report; null: nothing. */
	watch(watching: Watching | null): void;
	/** Marks the last order of a person: a place for a moment, or a ring under a target. */
	order(order: Order): void;
	/**
	 * Returns the target at a point, in CSS pixels from the canvas's top left corner; other ground is at `height` (m).
	 */
	aim(x: number, y: number, height: number): Promise<Aim>;
	/** Returns the entity under a point, in CSS pixels from the canvas's top left corner. */
	pick(x: number, y: number): Promise<EntityRef | null>;
	/** Sets whether the picture is on the page; while it is not, nothing is drawn. */
	setShown(shown: boolean): void;
	/** Ends the view; what was asked of it answers null. */
	dispose(): void;
}

/** Questions to the view that wait for an answer. */
class Questions<T> {
	readonly #waitingAnswers = new Map<number, (answer: T) => void>();
	readonly #none: T;
	#number = 0;

	/** `none`: the answer when the view ends. */
	constructor(none: T) {
		this.#none = none;
	}

	/** Asks by a message with a number of its own. */
	ask(send: (number: number) => void): Promise<T> {
		return new Promise((resolve) => {
			this.#waitingAnswers.set(++this.#number, resolve);
			send(this.#number);
		});
	}

	answer(number: number, answer: T): void {
		this.#waitingAnswers.get(number)?.(answer);
		this.#waitingAnswers.delete(number);
	}

	end(): void {
		for (const resolve of this.#waitingAnswers.values()) resolve(this.#none);
		this.#waitingAnswers.clear();
	}
}

type ToView = (message: Exclude<HostToView, { type: 'start' }>) => void;

/** Starts the view on a canvas. It listens to the mouse, touch and keys on it by itself. */
export function startView(start: StartView): ViewHandle {
	const { canvas, enginePort, onEvent } = start;
	const picks = new Questions<EntityRef | null>(null);
	const aims = new Questions<Aim>({ hit: null, point: null });
	const landings = new Questions<readonly [number, number, number] | null>(null);
	const listeners = createViewListeners();
	let edits = false;
	const options: ViewOptions = {
		width: canvas.clientWidth || canvas.width,
		height: canvas.clientHeight || canvas.height,
		dpr: window.devicePixelRatio,
		world: start.world ?? 'main',
		forceWebGL: start.forceWebGL ?? false,
	};
	const onMessage = (message: ViewToHost): void => {
		if (message.type === 'event') {
			if (message.event.type === 'handle') canvas.style.cursor = message.event.isOver ? 'grab' : '';
			listeners.take(message.event);
			onEvent(message.event);
			return;
		}
		if (message.type === 'landed') landings.answer(message.number, message.place);
		else if (message.type === 'aimed') aims.answer(message.number, message.aim);
		else picks.answer(message.number, message.hit);
	};
	const here = start.onThisThread === true || !('transferControlToOffscreen' in canvas);
	const view = here
		? startHere(canvas, enginePort, options, onMessage, onEvent)
		: startWorker(canvas, enginePort, options, onMessage, onEvent);

	const unlisten = listen(canvas, {
		move: (move) => view.send({ type: 'camera', move }),
		press: (x, y, shift) => view.send({ type: 'press', x, y, shift }),
		drag: (x, y, move) => view.send({ type: 'drag', x, y, move }),
		release: (x, y, shift, click) => view.send({ type: 'release', x, y, shift, click }),
		hover: (x, y) => edits && view.send({ type: 'hover', x, y }),
		cancel: () => view.send({ type: 'cancel' }),
	});
	let isShown = true;
	const tellVisible = (): void => view.send({ type: 'visible', visible: isShown && !document.hidden });
	document.addEventListener('visibilitychange', tellVisible);
	if (document.hidden) tellVisible();

	return {
		...listeners.listening,
		resize: (width, height, dpr) => view.send({ type: 'resize', width, height, dpr }),
		move: (move) => view.send({ type: 'camera', move }),
		select: (entities) => view.send({ type: 'select', entities }),
		setTool: (settings) => {
			edits = settings !== null;
			view.send({ type: 'tool', settings });
		},
		setSigns: (signs) => view.send({ type: 'signs', signs }),
		setOutlines: (outlines) => view.send({ type: 'outlines', outlines }),
		cancel: () => view.send({ type: 'cancel' }),
		settle: () => view.send({ type: 'settle' }),
		land: (x, y, { least, most }, step) =>
			landings.ask((number) => view.send({ type: 'land', number, x, y, least, most, step })),
		setWorld: (world) => view.send({ type: 'world', world }),
		focus: () => view.send({ type: 'focus' }),
		follow: (id) => view.send({ type: 'follow', id }),
		watch: (watching) => view.send({ type: 'watch', watching }),
		order: (order) => view.send({ type: 'order', order }),
		aim: (x, y, height) => aims.ask((number) => view.send({ type: 'aim', number, x, y, height })),
		pick: (x, y) => picks.ask((number) => view.send({ type: 'pick', number, x, y })),
		setShown: (now) => {
			isShown = now;
			tellVisible();
		},
		dispose: () => {
			unlisten();
			document.removeEventListener('visibilitychange', tellVisible);
			view.send({ type: 'dispose' });
			for (const questions of [picks, aims, landings]) questions.end();
		},
	};
}

function startWorker(
	canvas: HTMLCanvasElement,
	port: MessagePort,
	options: ViewOptions,
	onMessage: (message: ViewToHost) => void,
	onEvent: (event: ViewEvent) => void,
): { readonly send: ToView } {
	const worker = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module', name: 'view' });
	worker.onmessage = (event: MessageEvent<ViewToHost>) => onMessage(event.data);
	worker.onerror = (event) => {
		onEvent({ type: 'unavailable', message: `The view stopped: ${event.message}. Reload the page.` });
	};
	const offscreen = canvas.transferControlToOffscreen();
	worker.postMessage({ type: 'start', canvas: offscreen, port, options } satisfies HostToView, [
		offscreen,
		port,
	]);
	return { send: (message) => worker.postMessage(message) };
}

function startHere(
	canvas: HTMLCanvasElement,
	port: MessagePort,
	options: ViewOptions,
	onMessage: (message: ViewToHost) => void,
	onEvent: (event: ViewEvent) => void,
): { readonly send: ToView } {
	const waiting: Parameters<ToView>[0][] = [];
	let send: ToView = (message) => waiting.push(message);
	import('./main-thread.ts').then(
		({ runHere }) => {
			send = runHere(canvas, port, options, onMessage);
			for (const message of waiting) send(message);
		},
		(error: unknown) => {
			onEvent({ type: 'unavailable', message: `The view did not load: ${String(error)}. Reload the page.` });
		},
	);
	return { send: (message) => send(message) };
}
