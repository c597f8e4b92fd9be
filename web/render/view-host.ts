/**
 * Page's side of the view. It starts the view, in a Worker if the browser can, and exchanges messages with it.
 * Owns: `ViewHandle`, through which the page uses the view. Never: imports three.js itself.
 */

import { listenToGestures } from './gestures.ts';
import type {
	Aim,
	CameraMove,
	EditOutline,
	EntityRef,
	HostToView,
	Order,
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

/** Box of an object, relative to its position (m): its corners with the lowest and the highest coordinates. */
export interface PlacementBox {
	readonly least: readonly [number, number, number];
	readonly most: readonly [number, number, number];
}

export interface StartView {
	/** Canvas, whose size on the page is set by CSS. Its drawing buffer may be smaller or larger. */
	readonly canvas: HTMLCanvasElement;
	/** Port to the engine, for messages of the types `ViewToEngine` and `EngineToView`. */
	readonly enginePort: MessagePort;
	readonly onEvent: (event: ViewEvent) => void;
	/** World to show; default `main`. */
	readonly world?: string;
	/** True to draw with WebGL 2 even if WebGPU works. */
	readonly forceWebGL?: boolean;
	/** True to draw on this thread even if a Worker could draw. */
	readonly onThisThread?: boolean;
}

/** View that draws on a canvas of the page. */
export interface ViewHandle extends ViewListening {
	/** Sets the size of the canvas on the page (CSS pixels), and the device pixels per CSS pixel. */
	resize(width: number, height: number, dpr: number): void;
	/** Moves the camera as a person would. */
	move(move: CameraMove): void;
	/** Outlines these entities, and shows the handles of the tool on them. Does not call `onSelected`. */
	select(entities: readonly SelectedEntity[]): void;
	/** Sets the tools; null ends editing in the picture. */
	setTool(settings: ToolSettings | null): void;
	/** Shows signs for entities that are not drawn, during editing. */
	setSigns(signs: readonly Sign[]): void;
	/** Shows zones and patrols during editing. */
	setOutlines(outlines: readonly EditOutline[]): void;
	/** Ends a drag without an edit. */
	cancel(): void;
	/** Reports that the call for an edit was answered. The picture then shows the world again. */
	settle(): void;
	/**
	 * Returns the resting position of an object at a point of the canvas; null in the sky. `step`: spacing of
	 * the grid (m), or null.
	 */
	land(
		x: number,
		y: number,
		box: PlacementBox,
		step: number | null,
	): Promise<readonly [number, number, number] | null>;
	/** Shows `main` or a fork. */
	setWorld(world: string): void;
	/** Turns the camera to the selected entities. */
	focus(): void;
	/** Makes the camera follow an entity. Null ends following, and returns the camera to its earlier position. */
	follow(id: number | null): void;
	/** Sets the reports of `onPlaces` and `onHappened`; null for no reports. */
	watch(watching: Watching | null): void;
	/** Marks the last order of a person: for a short time at a position, or by a ring under a target. */
	order(order: Order): void;
	/**
	 * Returns the target at a point, in CSS pixels from the canvas's top left corner. Without a hit on the
	 * ground, the point is at `height` (m).
	 */
	aim(x: number, y: number, height: number): Promise<Aim>;
	/** Returns the entity under a point, in CSS pixels from the canvas's top left corner. */
	pick(x: number, y: number): Promise<EntityRef | null>;
	/** Reports whether the picture is visible on the page. Nothing is drawn while it is not. */
	setShown(shown: boolean): void;
	/** Ends the view. Pending questions resolve to an empty answer. */
	dispose(): void;
}

/** Questions to the view that wait for an answer. */
class PendingQuestions<T> {
	readonly #resolvers = new Map<number, (answer: T) => void>();
	readonly #finalAnswer: T;
	#lastNumber = 0;

	/** `finalAnswer`: answer to pending questions when the view ends. */
	constructor(finalAnswer: T) {
		this.#finalAnswer = finalAnswer;
	}

	/** Sends a question with a new number. Resolves to its answer. */
	ask(send: (number: number) => void): Promise<T> {
		return new Promise((resolve) => {
			this.#resolvers.set(++this.#lastNumber, resolve);
			send(this.#lastNumber);
		});
	}

	answer(number: number, answer: T): void {
		this.#resolvers.get(number)?.(answer);
		this.#resolvers.delete(number);
	}

	endAll(): void {
		for (const resolve of this.#resolvers.values()) resolve(this.#finalAnswer);
		this.#resolvers.clear();
	}
}

type ToView = (message: Exclude<HostToView, { type: 'start' }>) => void;

/** Starts the view on a canvas. The view listens to mouse, touch and keys on the canvas. */
export function startView(start: StartView): ViewHandle {
	const { canvas, enginePort, onEvent } = start;
	const picks = new PendingQuestions<EntityRef | null>(null);
	const aims = new PendingQuestions<Aim>({ hit: null, point: null });
	const landings = new PendingQuestions<readonly [number, number, number] | null>(null);
	const listeners = createViewListeners();
	let isEditing = false;
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
			listeners.dispatch(message.event);
			onEvent(message.event);
			return;
		}
		if (message.type === 'landed') landings.answer(message.number, message.position);
		else if (message.type === 'aimed') aims.answer(message.number, message.aim);
		else picks.answer(message.number, message.hit);
	};
	const isOnThisThread = start.onThisThread === true || !('transferControlToOffscreen' in canvas);
	const view = isOnThisThread
		? startHere(canvas, enginePort, options, onMessage, onEvent)
		: startWorker(canvas, enginePort, options, onMessage, onEvent);

	const removeListeners = listenToGestures(canvas, {
		move: (move) => view.send({ type: 'camera', move }),
		press: (x, y, shift) => view.send({ type: 'press', x, y, shift }),
		drag: (x, y, move) => view.send({ type: 'drag', x, y, move }),
		release: (x, y, shift, click) => view.send({ type: 'release', x, y, shift, click }),
		hover: (x, y) => isEditing && view.send({ type: 'hover', x, y }),
		cancel: () => view.send({ type: 'cancel' }),
	});
	let isShown = true;
	const reportVisibility = (): void => view.send({ type: 'visible', visible: isShown && !document.hidden });
	document.addEventListener('visibilitychange', reportVisibility);
	if (document.hidden) reportVisibility();

	return {
		...listeners.listening,
		resize: (width, height, dpr) => view.send({ type: 'resize', width, height, dpr }),
		move: (move) => view.send({ type: 'camera', move }),
		select: (entities) => view.send({ type: 'select', entities }),
		setTool: (settings) => {
			isEditing = settings !== null;
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
		setShown: (isNowShown) => {
			isShown = isNowShown;
			reportVisibility();
		},
		dispose: () => {
			removeListeners();
			document.removeEventListener('visibilitychange', reportVisibility);
			view.send({ type: 'dispose' });
			for (const questions of [picks, aims, landings]) questions.endAll();
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
	const queue: Parameters<ToView>[0][] = [];
	let send: ToView = (message) => queue.push(message);
	import('./main-thread.ts').then(
		({ startOnMainThread }) => {
			send = startOnMainThread(canvas, port, options, onMessage);
			for (const message of queue) send(message);
		},
		(error: unknown) => {
			onEvent({ type: 'unavailable', message: `The view did not load: ${String(error)}. Reload the page.` });
		},
	);
	return { send: (message) => send(message) };
}
