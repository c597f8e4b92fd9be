/**
 * The tools with which a person edits in the picture, and their interface with the view.
 * Owns: the shapes. A tool is asked before the camera: what it does not take turns or moves the camera.
 */

import type { Quaternion, Ray, Vector3 } from 'three/webgpu';
import type { Sight } from './sight.ts';

export type ToolName = 'select' | 'move' | 'turn' | 'scale' | 'brush';

/** Settings of the tools by the page. */
export interface ToolSettings {
	readonly tool: ToolName;
	/** Axes of the world, or of the entity selected last. Sizes always follow the entity. */
	readonly space: 'world' | 'local';
	/** Radius of the brush (m). */
	readonly radius: number;
	/** Step of the tool: metres, degrees, or parts of a size. Null: none. */
	readonly step: number | null;
}

/** CSS pixels from the top left corner of the picture. */
export type Point = readonly [x: number, y: number];

/** A triple of numbers as messages carry it. */
export type Triple = readonly [number, number, number];

/** Base of handles: the point that turns and sizes keep, and three directions at right angles. */
export interface Base {
	readonly pivot: Vector3;
	readonly axes: readonly [Vector3, Vector3, Vector3];
}

/** A line in the picture. */
export interface Stroke {
	readonly points: readonly Point[];
	/** CSS pixels. */
	readonly width: number;
	/** sRGB. */
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

/** Something that can be taken hold of. */
export interface Handle {
	/** `x`, `y`, `z`; two of them: the plane of both; `view`: the direction of view; `all`: every axis; `surface`. */
	readonly name: string;
	readonly marks: readonly Mark[];
	/** Distance of a point from it (CSS pixels): up to `REACH` it is hit. */
	readonly distance: (point: Point) => number;
}

/** Distance from a handle at which a press still takes it (CSS pixels). */
export const REACH = 7;

/** A change of all selected entities together. */
export type Change =
	| { readonly kind: 'move'; readonly by: Vector3 }
	| { readonly kind: 'turn'; readonly turn: Quaternion }
	/** Factor along each of the axes. */
	| { readonly kind: 'scale'; readonly by: Triple };

/** Present state of a drag. */
export interface Held {
	readonly point: Point;
	readonly ray: Ray;
}

/** One drag of a handle: the change from where it began to where it is. */
export type Drag = (now: Held) => Change;

export interface Tool {
	/** Returns the handles as they are in the picture. */
	handles(base: Base, sight: Sight): readonly Handle[];
	/** Begins to drag a handle. `step` as in the settings. */
	drag(name: string, base: Base, sight: Sight, from: Held, step: number | null): Drag;
}
