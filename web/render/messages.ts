/**
 * Messages between the page and the view, whichever thread the view runs on.
 * Owns: the shapes of those messages. Never: holds state or imports anything at run time.
 */

import type { FrameEvent, FrameSounds, GpuInfo, ShownElement } from '../frames/frames.ts';
import type { ToolSettings, Triple } from './tools/tool.ts';

export type { ToolName, ToolSettings } from './tools/tool.ts';

/** One entity: its slot and generation. */
export interface EntityRef {
	readonly id: number;
	readonly generation: number;
}

/** A selected entity, and what the page knows of it. */
export interface SelectedEntity extends EntityRef {
	/** Place, rotation and scale in the world (ten numbers); null: it has none. */
	readonly pose: readonly number[] | null;
	/** Ids of its children and theirs, which go along with it. */
	readonly carries: readonly number[];
	/** It goes along with another selected entity, and is not edited by itself. */
	readonly rides: boolean;
}

/** A sign for an entity that has a place and is not drawn. */
export interface Sign extends EntityRef {
	readonly kind: 'light' | 'sound' | 'particles' | 'group' | 'zone' | 'rule' | 'point';
	/** In the world (m). */
	readonly place: Triple;
}

/** A zone of space that is shown during editing: a box or a ball along the axes of the world. */
export interface Zone {
	/** Name for the page. */
	readonly key: string;
	/** Its middle (m). */
	readonly place: Triple;
	/** Half extents of a box (m); null for a ball. */
	readonly half: Triple | null;
	/** Radius of a ball (m). */
	readonly radius: number;
	/** Selected zones have handles. */
	readonly isSelected: boolean;
	/** True if its middle can be dragged by itself. */
	readonly isFree: boolean;
	/** Id of the entity that it goes along with; null: none. */
	readonly carrier: number | null;
}

/** Places that an entity walks through in a circle. They are shown while it is selected. */
export interface Patrol {
	/** Name for the page. */
	readonly key: string;
	/** Places in their order (m). */
	readonly waypoints: readonly Triple[];
}

/** An outline in the picture during editing. */
export type Outlined = Zone | Patrol;

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
	/** Units whose places in the picture are reported. */
	readonly ids: readonly number[];
	/** Kinds of events that are told. */
	readonly kinds: readonly string[];
	/** Unit that is played here: a ring is under it. */
	readonly mine: number | null;
}

/** Last order of a person: a place, or a unit to attack. */
export interface Order {
	readonly point: Triple | null;
	readonly target: number | null;
}

/** Position of a unit's name, in CSS pixels from the picture's top left corner. */
export interface PlaceInPicture {
	readonly id: number;
	readonly x: number;
	readonly y: number;
}

/** Objects under a point of the picture. */
export interface Aim {
	readonly hit: EntityRef | null;
	/** The ground there; null: sky. */
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
	/** The pointer goes down, moves while it is down, goes up, or moves while it is up. The tool comes before the camera. */
	| { readonly type: 'press'; readonly x: number; readonly y: number; readonly shift: boolean }
	| { readonly type: 'drag'; readonly x: number; readonly y: number; readonly move: CameraMove }
	| {
			readonly type: 'release';
			readonly x: number;
			readonly y: number;
			readonly shift: boolean;
			/** It has hardly moved: what is there is selected, unless a tool had it. */
			readonly click: boolean;
	  }
	| { readonly type: 'hover'; readonly x: number; readonly y: number }
	/** Ends what is dragged without an edit. */
	| { readonly type: 'cancel' }
	/** Settings of the tools; null without editing. */
	| { readonly type: 'tool'; readonly settings: ToolSettings | null }
	/** Entities that have a sign during editing. */
	| { readonly type: 'signs'; readonly signs: readonly Sign[] }
	/** Zones that are shown during editing. */
	| { readonly type: 'outlines'; readonly outlines: readonly Outlined[] }
	/** The last edit was answered: the next frame has what it did. */
	| { readonly type: 'settle' }
	| { readonly type: 'select'; readonly entities: readonly SelectedEntity[] }
	/** Resting place of a thing that is put down at a point; `least` and `most` are its box round its place (m). */
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
	/** Goes along with an entity; null: with none, and looks from where it did before. */
	| { readonly type: 'follow'; readonly id: number | null }
	| { readonly type: 'watch'; readonly watching: Watching | null }
	/** Shows a mark at the place for a moment, and a ring under the target. */
	| { readonly type: 'order'; readonly order: Order }
	/** Requests the target at a point; without one, the ground is taken to be at `height` (m). */
	| {
			readonly type: 'aim';
			readonly number: number;
			readonly x: number;
			readonly y: number;
			readonly height: number;
	  }
	/** Coordinates in CSS pixels from the canvas's top left corner. */
	| { readonly type: 'pick'; readonly number: number; readonly x: number; readonly y: number }
	| { readonly type: 'dispose' };

/** View -> page. */
export type ViewToHost =
	| { readonly type: 'event'; readonly event: ViewEvent }
	| { readonly type: 'picked'; readonly number: number; readonly hit: EntityRef | null }
	| { readonly type: 'aimed'; readonly number: number; readonly aim: Aim }
	| { readonly type: 'landed'; readonly number: number; readonly place: Triple | null };

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

/** Reports of the view to the page. */
export type ViewEvent =
	/** The person clicked on an entity, or beside all, or drew a rectangle; `adds`: to what is selected already. */
	| { readonly type: 'selected'; readonly entities: readonly EntityRef[]; readonly adds: boolean }
	/** The person released what was dragged. The picture shows it there until `settle`. */
	| { readonly type: 'edited'; readonly tool: 'move' | 'turn' | 'scale'; readonly edits: readonly PoseEdit[] }
	/** The person let go of a handle of a zone, which is to be like this. */
	| { readonly type: 'reshaped'; readonly outlined: Outlined }
	/** The person drew a stroke with the brush: its stamps on the ground, in order. */
	| { readonly type: 'brushed'; readonly stamps: readonly Triple[] }
	/** Distance of the drag in words; null without one. */
	| { readonly type: 'dragging'; readonly words: string | null }
	/** True if the pointer is over something that can be dragged. */
	| { readonly type: 'handle'; readonly isOver: boolean }
	/**
	 * Reports the renderer; again after a lost device was replaced. `reduced`: the live picture is drawn small and
	 * seldom.
	 */
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
	/** The watched stand elsewhere in the picture than before. Those that are not in it are left out. */
	| { readonly type: 'places'; readonly places: readonly PlaceInPicture[] }
	/** Events of the watched kinds, oldest first. */
	| {
			readonly type: 'happened';
			readonly world: string;
			readonly tick: number;
			readonly events: readonly FrameEvent[];
	  }
	/**
	 * Reports that the texts over the live picture changed. The page writes them; pictures that are taken have them drawn
	 * in.
	 */
	| { readonly type: 'hud'; readonly elements: readonly ShownElement[] }
	/** The asset with this hash is a picture that cannot be decoded: it is drawn nowhere. */
	| { readonly type: 'undecodable'; readonly hash: string }
	/** Reports that the sounds changed, or that one was played. The page plays them: a Worker cannot. */
	| {
			readonly type: 'sound';
			readonly world: string;
			readonly tick: number;
			/** Null: as before. */
			readonly sounds: FrameSounds | null;
			readonly events: readonly FrameEvent[];
	  }
	/** A world was drawn for the first time, or another one in its place: with its models, or 3 s without them. */
	| { readonly type: 'shows'; readonly world: string; readonly line: number }
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
			/** True if everything that the last picture needs had come: models, textures, code. */
			readonly complete: boolean;
	  };
