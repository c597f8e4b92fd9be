/**
 * What passes between the page and the view, whichever thread the view runs on.
 * Owns: the shapes of those messages. Never: holds state or imports anything at run time.
 */

import type { GpuInfo, ShownElement } from '../host/frames.ts';

/** One entity: its slot and generation. */
export interface EntityRef {
	readonly id: number;
	readonly generation: number;
}

/** A movement of the person's camera. Distances in CSS pixels, with y growing downwards. */
export type CameraMove =
	| { readonly kind: 'turn'; readonly dx: number; readonly dy: number }
	| { readonly kind: 'pan'; readonly dx: number; readonly dy: number }
	/** `factor` above 1 moves the eye away from its target. */
	| { readonly kind: 'zoom'; readonly factor: number };

/** Page -> view. */
export type HostToView =
	| {
			readonly type: 'start';
			readonly canvas: OffscreenCanvas;
			readonly port: MessagePort;
			readonly options: ViewOptions;
	  }
	| { readonly type: 'resize'; readonly width: number; readonly height: number; readonly dpr: number }
	| { readonly type: 'visible'; readonly visible: boolean }
	| { readonly type: 'camera'; readonly move: CameraMove }
	| { readonly type: 'select'; readonly id: number | null }
	| { readonly type: 'world'; readonly world: string }
	| { readonly type: 'focus'; readonly id: number }
	/** `click` also selects what was hit. Coordinates in CSS pixels from the canvas's top left corner. */
	| {
			readonly type: 'pick';
			readonly number: number;
			readonly x: number;
			readonly y: number;
			readonly click: boolean;
	  }
	| { readonly type: 'dispose' };

/** View -> page. */
export type ViewToHost =
	| { readonly type: 'event'; readonly event: ViewEvent }
	| { readonly type: 'picked'; readonly number: number; readonly hit: EntityRef | null };

export interface ViewOptions {
	/** CSS pixels. */
	readonly width: number;
	readonly height: number;
	/** Device pixels for each CSS pixel. */
	readonly dpr: number;
	/** `main` or a fork's id. */
	readonly world: string;
	/** Draw with WebGL 2 even where WebGPU works. */
	readonly forceWebGL: boolean;
}

/** What the view reports to the page. */
export type ViewEvent =
	/** The person clicked: what is selected now, or null. */
	| { readonly type: 'selected'; readonly entity: EntityRef | null }
	/** What draws; again after a lost device was replaced. `reduced`: the live picture is drawn small and seldom. */
	| { readonly type: 'gpu'; readonly info: GpuInfo; readonly reduced: boolean }
	/** Nothing can be drawn; `message` says why and what to do, for people. */
	| { readonly type: 'unavailable'; readonly message: string }
	/** The camera of the live picture was moved, by the person or by a call. */
	| {
			readonly type: 'camera-moved';
			readonly eye: readonly [number, number, number];
			readonly target: readonly [number, number, number];
			readonly by: 'person' | 'world';
	  }
	/** What is written over the live picture is another now. The page writes it; pictures that are taken have it drawn in. */
	| { readonly type: 'hud'; readonly elements: readonly ShownElement[] }
	/** One live picture was drawn; at most twice a second. */
	| {
			readonly type: 'drawn';
			readonly world: string;
			readonly tick: number;
			readonly count: number;
			/** Pictures since the last report, and the milliseconds that filling and submitting one took on average. */
			readonly pictures: number;
			readonly submit_ms: number;
			/** Draw calls of the last picture, shadows among them. */
			readonly draw_calls: number;
	  };
