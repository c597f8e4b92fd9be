/**
 * One world set up for drawing: plate, sun, entities, contact patches, bars. The live picture has a stage, captures another.
 * Owns: the scene graph and what it was last given. Never: talks to the engine or decides when to draw.
 */

import { type Camera, Scene } from 'three/webgpu';
import type { Channel, Frame, FrameCamera, FrameRows } from '../host/frames.ts';
import { type Extent, measure } from './extent.ts';
import type { BlendFrom } from './interpolate.ts';
import type { Kit } from './kit.ts';
import { Ground } from './scene/ground.ts';
import { Sun } from './scene/sun.ts';
import { Contacts } from './sync/contact.ts';
import { barScreen, HealthBars } from './sync/health-bars.ts';
import { Meshes } from './sync/meshes.ts';

export class Stage {
	readonly scene = new Scene();
	readonly meshes: Meshes;
	readonly #kit: Kit;
	readonly #sun: Sun;
	readonly #ground: Ground;
	readonly #contacts: Contacts;
	readonly #bars: HealthBars;
	#extent: Extent = measure(NO_ROWS, new Float32Array(0));

	constructor(kit: Kit) {
		this.#kit = kit;
		this.meshes = new Meshes(kit.materials);
		this.#sun = new Sun(kit.shadowSize);
		this.#ground = new Ground(kit.plateShape, kit.plateMaterial);
		this.#contacts = new Contacts(kit.contact, kit.roundContact);
		this.#bars = new HealthBars(kit.bars.material);
		this.scene.backgroundNode = kit.backdrop;
		this.scene.matrixWorldAutoUpdate = true;
		this.scene.add(
			this.#sun.group,
			this.#ground.mesh,
			this.meshes.group,
			this.#contacts.group,
			this.#bars.object,
		);
	}

	/** Takes a frame and its rows. `rowsChanged` when they are not those of the frame before. */
	setFrame(frame: Frame, rows: FrameRows, rowsChanged: boolean): void {
		if (rowsChanged) {
			this.meshes.setRows(rows);
			this.#contacts.setRows(this.meshes);
		}
		this.meshes.setFlags(frame.flags);
		this.#bars.setHealth(rows, frame.health, frame.flags, frame.poses);
		this.#extent = measure(rows, frame.poses);
	}

	/** Fills in the poses between two frames: `alpha` 0 = the one before, 1 = the newest. */
	setPoses(before: BlendFrom | null, next: Float32Array, alpha: number): void {
		this.meshes.setPoses(before, next, alpha);
		this.#bars.setPoses(before, next, alpha);
		this.#sun.refresh();
	}

	/** Call right before drawing: materials shared between stages take this one's values. `lens` is made from `camera`; size in CSS pixels. */
	prepare(camera: FrameCamera, lens: Camera, width: number, height: number, channel: Channel): void {
		const color = channel === 'color';
		this.meshes.setChannel(channel);
		this.scene.backgroundNode = color ? this.#kit.backdrop : null;
		this.#ground.mesh.visible = color;
		this.#contacts.group.visible = color;
		this.#sun.group.visible = color;
		this.#bars.object.visible = color && this.#bars.count > 0;
		this.#ground.place(this.#extent);
		this.#kit.footing.set(this.#extent);
		const screen = barScreen(width, height);
		this.#kit.bars.screen.value.set(...screen);
		this.#bars.arrange(lens, ...screen);
		const distance = Math.hypot(
			camera.eye[0] - camera.target[0],
			camera.eye[1] - camera.target[1],
			camera.eye[2] - camera.target[2],
		);
		this.#sun.cover(this.#extent, camera.target, camera.orthographic ? camera.ortho_size * 2 : distance);
	}

	dispose(): void {
		this.meshes.dispose();
		this.#contacts.dispose();
		this.#bars.dispose();
		this.#sun.dispose();
	}
}

const NO_ROWS: FrameRows = {
	ids: new Uint32Array(0),
	generations: new Uint32Array(0),
	mesh: new Uint16Array(0),
	meshes: [],
	colors: new Uint8Array(0),
	teams: new Int16Array(0),
	roles: new Uint8Array(0),
};
