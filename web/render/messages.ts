/**
 * Messages between the page and the view, on any thread.
 * Owns: the types of these messages. Never: has state or imports anything at run time.
 */

import type { FrameEvent, FrameSounds, GpuInfo, ShownElement } from '../frames/frames.ts';
import type { ToolSettings, Triple } from './tools/tool.ts';

export type { ToolName, ToolSettings } from './tools/tool.ts';

/** Id and generation of an entity. */
export interface EntityRef {
	readonly id: number;
	readonly generation: number;
}

/** A selected entity, with the page's data about it. */
export interface SelectedEntity extends EntityRef {
	/** Position, rotation and scale in the world (ten numbers); null without a position. */
	readonly pose: readonly number[] | null;
	/** Ids of its descendants, which move with it. */
	readonly descendants: readonly number[];
	/** True if it moves with another selected entity, and is not edited by itself. */
	readonly isCarried: boolean;
}

/** A sign for an entity that has a position but is not drawn. */
export interface Sign extends EntityRef {
	readonly kind: 'light' | 'sound' | 'particles' | 'group' | 'zone' | 'rule' | 'point';
	/** Position in the world (m). */
	readonly position: Triple;
}

/** A zone that is shown during editing: an axis-aligned box, or a ball. */
export interface Zone {
	/** Key that the page chose. */
	readonly key: string;
	/** Its centre (m). */
	readonly position: Triple;
	/** Half extents of a box (m); null for a ball. */
	readonly half: Triple | null;
	/** Radius of a ball (m). */
	readonly radius: number;
	/** Selected zones have handles. */
	readonly isSelected: boolean;
	/** True if its centre can be dragged. */
	readonly isFree: boolean;
	/** Id of the entity that it moves with; null for none. */
	readonly carrier: number | null;
}

/** Waypoints that an entity walks through in a circle. They are shown while it is selected. */
export interface Patrol {
	/** Key that the page chose. */
	readonly key: string;
	/** Waypoints in order (m). */
	readonly waypoints: readonly Triple[];
}

/** An outline in the picture during editing. */
export type EditOutline = Zone | Patrol;

/** Edited parts of an entity's pose in the world. */
export interface PoseEdit extends EntityRef {
	readonly position?: Triple;
	readonly rotation?: readonly [number, number, number, number];
	readonly scale?: Triple;
}

/** A movement of the person's camera. Distances in CSS pixels, with y growing downwards. */
export type CameraMove =
	| { readonly kind: 'turn'; readonly dx: number; readonly dy: number }
	| { readonly kind: 'pan'; readonly dx: number; readonly dy: number }
	/** `factor` above 1 moves the eye away from its target. */
	| { readonly kind: 'zoom'; readonly factor: number };

/** Reports that the page gets during play. */
export interface Watching {
	/** Units whose positions in the picture are reported. */
	readonly ids: readonly number[];
	/** Kinds of events that are reported. */
	readonly kinds: readonly string[];
	/** Unit that is played here, which has a ring; null for none. */
	readonly ownUnit: number | null;
}

/** Last order of a person: a position, or a unit to attack. */
export interface Order {
	readonly point: Triple | null;
	readonly target: number | null;
}

/** Position of a unit's name, in CSS pixels from the picture's top left corner. */
export interface PicturePosition {
	readonly id: number;
	readonly x: number;
	readonly y: number;
}

/** Objects under a point of the picture. */
export interface Aim {
	readonly hit: EntityRef | null;
	/** Point on the ground; null for the sky. */
	readonly point: readonly [number, number, number] | null;
}

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
	/** `press`, `drag`, `release` and `hover` are pointer events. A tool may use them before the camera does. */
	| { readonly type: 'press'; readonly x: number; readonly y: number; readonly shift: boolean }
	| { readonly type: 'drag'; readonly x: number; readonly y: number; readonly move: CameraMove }
	| {
			readonly type: 'release';
			readonly x: number;
			readonly y: number;
			readonly shift: boolean;
			/** True if the pointer hardly moved. The entity there is then selected, unless a tool used the press. */
			readonly click: boolean;
	  }
	| { readonly type: 'hover'; readonly x: number; readonly y: number }
	/** Ends a drag without an edit. */
	| { readonly type: 'cancel' }
	/** Settings of the tools; null outside editing. */
	| { readonly type: 'tool'; readonly settings: ToolSettings | null }
	/** Entities that have a sign during editing. */
	| { readonly type: 'signs'; readonly signs: readonly Sign[] }
	/** Zones that are shown during editing. */
	| { readonly type: 'outlines'; readonly outlines: readonly EditOutline[] }
	/** The last edit was answered, so the next frame contains it. */
	| { readonly type: 'settle' }
	| { readonly type: 'select'; readonly entities: readonly SelectedEntity[] }
	/**
	 * Requests the resting position of an object at a point. `least` and `most`: its box relative to its
	 * position (m).
	 */
	| {
			readonly type: 'land';
			readonly number: number;
			readonly x: number;
			readonly y: number;
			readonly least: Triple;
			readonly most: Triple;
			readonly step: number | null;
	  }
	| { readonly type: 'world'; readonly world: string }
	| { readonly type: 'focus' }
	/** Follows an entity with the camera; null returns to the camera before. */
	| { readonly type: 'follow'; readonly id: number | null }
	| { readonly type: 'watch'; readonly watching: Watching | null }
	/** Shows a mark at the point for a short time, or a ring under the target. */
	| { readonly type: 'order'; readonly order: Order }
	/** Requests the target at a point. Without a target, the ground is assumed at `height` (m). */
	| {
			readonly type: 'aim';
			readonly number: number;
			readonly x: number;
			readonly y: number;
			readonly height: number;
	  }
	/** Requests the entity at a point, in CSS pixels from the canvas's top left corner. */
	| { readonly type: 'pick'; readonly number: number; readonly x: number; readonly y: number }
	| { readonly type: 'dispose' };

/** View -> page. */
export type ViewToHost =
	| { readonly type: 'event'; readonly event: ViewEvent }
	| { readonly type: 'picked'; readonly number: number; readonly hit: EntityRef | null }
	| { readonly type: 'aimed'; readonly number: number; readonly aim: Aim }
	| { readonly type: 'landed'; readonly number: number; readonly position: Triple | null };

export interface ViewOptions {
	/** CSS pixels. */
	readonly width: number;
	readonly height: number;
	/** Device pixels for each CSS pixel. */
	readonly dpr: number;
	/** `main` or a fork's id. */
	readonly world: string;
	/** True to draw with WebGL 2 even if WebGPU works. */
	readonly forceWebGL: boolean;
}

/** Reports of the view to the page. */
export type ViewEvent =
	/**
	 * The person clicked or drew a rectangle. `entities`: those at the point or in the rectangle. `isAdding`:
	 * they are added to the selection.
	 */
	| { readonly type: 'selected'; readonly entities: readonly EntityRef[]; readonly isAdding: boolean }
	/** The person released dragged entities. The picture shows them at the new poses until `settle`. */
	| { readonly type: 'edited'; readonly tool: 'move' | 'turn' | 'scale'; readonly edits: readonly PoseEdit[] }
	/** The person released a handle of a zone or patrol, which should become `outlined`. */
	| { readonly type: 'reshaped'; readonly outlined: EditOutline }
	/** The person drew a stroke with the brush. `stamps`: points of the stroke on the ground, in order (m). */
	| { readonly type: 'brushed'; readonly stamps: readonly Triple[] }
	/** Text about the current drag, such as its distance; null without a drag. */
	| { readonly type: 'dragging'; readonly text: string | null }
	/** True if the pointer is over a handle that can be dragged. */
	| { readonly type: 'handle'; readonly isOver: boolean }
	/**
	 * Reports the GPU, again after a lost device was replaced. `reduced`: the live picture is drawn small and
	 * rarely.
	 */
	| { readonly type: 'gpu'; readonly info: GpuInfo; readonly reduced: boolean }
	/** Nothing can be drawn. `message`: the reason and a remedy, for the person. */
	| { readonly type: 'unavailable'; readonly message: string }
	/** The camera of the live picture was moved, by the person or by a call. */
	| {
			readonly type: 'camera-moved';
			readonly eye: readonly [number, number, number];
			readonly target: readonly [number, number, number];
			readonly cause: 'person' | 'world';
	  }
	/** Positions of watched units in the picture, after a change. Units outside the picture are omitted. */
	| { readonly type: 'places'; readonly places: readonly PicturePosition[] }
	/** Events of the watched kinds, oldest first. */
	| {
			readonly type: 'happened';
			readonly world: string;
			readonly tick: number;
			readonly events: readonly FrameEvent[];
	  }
	/**
	 * Reports a change of the HUD. The page draws it over the live picture; captured pictures contain it.
	 */
	| { readonly type: 'hud'; readonly elements: readonly ShownElement[] }
	/** The picture with this hash cannot be decoded, so it is not drawn. */
	| { readonly type: 'undecodable'; readonly hash: string }
	/** Reports changed sounds, or sounds that are played once. The page plays them, because a Worker cannot. */
	| {
			readonly type: 'sound';
			readonly world: string;
			readonly tick: number;
			/** Null if unchanged. */
			readonly sounds: FrameSounds | null;
			readonly events: readonly FrameEvent[];
	  }
	/** The first picture of a world was drawn, with its models or, after 3 s, without them. */
	| { readonly type: 'shows'; readonly world: string; readonly line: number }
	/** One live picture was drawn; at most twice a second. */
	| {
			readonly type: 'drawn';
			readonly world: string;
			readonly tick: number;
			readonly count: number;
			/** Number of pictures since the last report. */
			readonly pictures: number;
			/** Average time of filling and submitting a picture (ms). */
			readonly submit_ms: number;
			/** Number of draw calls of the last picture, including shadows. */
			readonly draw_calls: number;
			/** True if all models, textures and code of the last picture were loaded. */
			readonly complete: boolean;
	  };
