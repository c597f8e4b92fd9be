/**
 * Camera of the live picture, which a person can move.
 * Owns: the size of the picture, and the entity that the camera follows. Each move is reported to the page.
 */

import type { Ray } from 'three/webgpu';
import type { FrameBlocks, FrameCamera } from '../frames/frames.ts';
import { Cameras, openingOf, widenCamera } from './cameras.ts';
import { clearDistance } from './clear-eye.ts';
import { focusPlace } from './focus-place.ts';
import type { CameraMove, SelectedEntity, ViewEvent } from './messages.ts';
import { Orbit } from './orbit.ts';
import type { Stage } from './stage.ts';
import { Sight } from './tools/sight.ts';
import { drawnPosition, type Moment } from './watched.ts';

type Lens = ReturnType<Cameras['set']>;

/** Size of a canvas on the page (CSS pixels), and the device pixels per CSS pixel. */
interface Size {
	readonly width: number;
	readonly height: number;
	readonly dpr: number;
}

export class ViewCamera {
	width = 1;
	height = 1;
	dpr = 1;
	readonly #orbit = new Orbit();
	readonly #cameras = new Cameras();
	readonly #emit: (event: ViewEvent) => void;
	/** Entity that the camera follows. */
	#followed: number | null = null;

	constructor(size: Size, emit: (event: ViewEvent) => void) {
		this.#emit = emit;
		this.resize(size);
	}

	resize({ width, height, dpr }: Size): void {
		this.width = Math.max(1, width);
		this.height = Math.max(1, height);
		this.dpr = Math.max(0.5, dpr);
	}

	/** Returns the camera between two frames, with the shaking of the world. */
	cameraAt(blend: number, shaken: FrameCamera['shaken']): FrameCamera {
		return { ...widenCamera(this.#orbit.interpolate(blend), this.#aspect), shaken };
	}

	/** Returns a camera of three.js for the picture. */
	lens(camera: FrameCamera = widenCamera(this.#orbit.camera, this.#aspect)): Lens {
		return this.#cameras.set(camera, this.#aspect);
	}

	/** Returns the view through a lens, for the tools. */
	sight(lens: Lens = this.lens()): Sight {
		return new Sight(lens, this.#cameras, this.width, this.height);
	}

	/** Returns the ray under a point of the picture (CSS pixels). */
	ray(x: number, y: number): Ray {
		return this.#cameras.rayThrough(this.lens(), (x / this.width) * 2 - 1, 1 - (y / this.height) * 2);
	}

	move(move: CameraMove): void {
		this.#orbit.move(move, this.height / openingOf(this.#aspect));
		this.#reportMove('person');
	}

	/** Applies the camera of a frame. Returns true if the picture's camera changed. */
	receiveFrame(world: string, blocks: FrameBlocks): boolean {
		const { camera } = blocks;
		const hasChanged = this.#orbit.follow(world, camera);
		// No call has set this camera, so an entity may be in front of it.
		if (hasChanged && camera.revision === 0) this.#orbit.stepBack(clearDistance(camera, blocks));
		if (hasChanged) this.#reportMove('world');
		return hasChanged;
	}

	/** Follows an entity. Null ends following, and returns the camera to its earlier position. */
	follow(id: number | null): void {
		this.#followed = id;
		if (id !== null) return;
		this.#orbit.stopFollowing();
		this.#reportMove('person');
	}

	/** Moves the camera along with the followed entity. */
	moveAlong(moment: Moment): void {
		const position = this.#followed === null ? null : drawnPosition(moment, this.#followed);
		if (position === null) return;
		const { target } = this.#orbit.camera;
		this.#orbit.followEntity(position);
		if (position.some((part, axis) => part !== target[axis])) this.#reportMove('person');
	}

	/** Turns the camera to the selected entities. */
	focus(selected: readonly SelectedEntity[], stage: Stage | null, blocks: FrameBlocks | null): void {
		const target = focusPlace(selected, stage, blocks);
		if (target === null) return;
		this.#orbit.focus(target.middle, target.size);
		this.#reportMove('person');
	}

	/** Width over height. */
	get #aspect(): number {
		return this.width / this.height;
	}

	#reportMove(cause: 'person' | 'world'): void {
		const { eye, target } = this.#orbit.camera;
		this.#emit({ type: 'camera-moved', eye, target, cause: cause });
	}
}
