/**
 * What a handler works with: the world the call is about and the host around it.
 * Owns: the interface between web/api and web/host. Types only.
 */

import type { Route } from '../../shared/contract/route.ts';
import type { World } from '../sim/core/world.ts';
import type { CaptureRequest, GpuInfo } from './frames.ts';
import type { Profile } from './profiler.ts';
import type { Held, Worlds } from './worlds.ts';

/** A taken picture and the moment it shows. */
export interface Picture {
	readonly png: Uint8Array;
	readonly tick: number;
	readonly digest: string;
}

export interface Host {
	readonly profile: 'full' | 'bare';
	readonly worlds: Worlds;
	/** Where files live, for people. */
	readonly filesPlace: string;
	/** The bytes of a file. Rejects with `file_missing`, `file_refused` or `file_failed`. */
	readFile(path: string): Promise<Uint8Array>;
	/** Creates or replaces a file. Rejects with `file_refused` or `file_failed`. */
	writeFile(path: string, bytes: Uint8Array): Promise<void>;
	/** Advances a world by whole ticks, giving way to reads in between. */
	advance(held: Held, ticks: number): Promise<void>;
	/** Lets a world play, or holds it. */
	setPlaying(held: Held, playing: boolean): void;
	timing(): Profile;
	/** What draws, or null when nothing does. */
	gpu(): GpuInfo | null;
	/** Takes a picture of a world as it is now. Throws `no_picture`, `picture_failed` or `picture_late`. */
	capture(held: Held, request: CaptureRequest): Promise<Picture>;
	readonly routes: readonly Route[];
}

export interface Context {
	readonly host: Host;
	/** The world that ?world= names; main without it. */
	readonly held: Held;
	readonly world: World;
	/** The header Accept, or an empty text. */
	readonly accept: string;
}
