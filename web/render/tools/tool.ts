/**
 * Tools with which a person edits in the picture, and their interface with the view.
 * Owns: the types. Pointer events go to the tool first. The camera gets those that the tool does not use.
 */

import type { Quaternion, Ray, Vector3 } from 'three/webgpu';
import type { Sight } from './sight.ts';

export type ToolName = 'select' | 'move' | 'turn' | 'scale' | 'brush';

/** Settings of the tools, which the page sends. */
export interface ToolSettings {
	readonly tool: ToolName;
	/**
	 * Axes of the handles: those of the world, or of the entity selected last. Scaling always uses the entity's
	 * axes.
	 */
	readonly space: 'world' | 'local';
	/** Radius of the brush (m). */
	readonly radius: number;
	/** Step of the tool in metres, degrees or parts of a size; null without steps. */
	readonly step: number | null;
}

/** Point of the picture: CSS pixels from its top left corner. */
export type Point = readonly [x: number, y: number];

/** Three numbers, as in messages. */
export type Triple = readonly [number, number, number];

/** Base of handles: the fixed point of turning and scaling, and three perpendicular directions. */
export interface Base {
	readonly pivot: Vector3;
	readonly axes: readonly [Vector3, Vector3, Vector3];
}

/** A line in the picture. */
export interface Stroke {
	readonly points: readonly Point[];
	/** Width in CSS pixels. */
	readonly width: number;
	/** Colour in sRGB. */
	readonly color: number;
	readonly alpha: number;
}

/** A convex area of the picture. */
export interface Fill {
	readonly points: readonly Point[];
	readonly color: number;
	readonly alpha: number;
}

/** Shapes over the picture, from back to front. */
export type Mark = ({ readonly kind: 'stroke' } & Stroke) | ({ readonly kind: 'fill' } & Fill);

/** A part of the picture that a person can grip and drag. */
export interface Handle {
	/**
	 * `x`, `y` or `z`; `yz`, `xz` or `xy` for a plane; `view` for the direction of view; `all` for all axes;
	 * `surface`.
	 */
	readonly name: string;
	readonly marks: readonly Mark[];
	/** Returns the distance of a point (CSS pixels). A distance of at most `REACH` hits the handle. */
	readonly distance: (point: Point) => number;
}

/** Maximum distance of a press from a handle that it grips (CSS pixels). */
export const REACH = 7;

/** A change of all selected entities together. */
export type Change =
	| { readonly kind: 'move'; readonly by: Vector3 }
	| { readonly kind: 'turn'; readonly turn: Quaternion }
	/** Factor along each of the axes. */
	| { readonly kind: 'scale'; readonly by: Triple };

/** Pointer during a drag. */
export interface Pointer {
	readonly point: Point;
	readonly ray: Ray;
}

/** Returns the change from the start of a drag to the current pointer. */
export type Drag = (now: Pointer) => Change;

export interface Tool {
	/** Returns the handles in the picture. */
	handles(base: Base, sight: Sight): readonly Handle[];
	/** Begins to drag a handle. `step` as in the settings. */
	drag(name: string, base: Base, sight: Sight, from: Pointer, step: number | null): Drag;
}
