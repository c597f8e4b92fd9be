/**
 * What the panels are given to live on: the one seam between them and the rest of the page.
 * Owns: the shapes of that seam. Never: imports anything at run time; reaches the engine by another way.
 */

import type { ReadonlySignal } from '@preact/signals';
import type { Holder } from '../../shared/contract/link.ts';
import type { EngineStatus, GpuInfo, ShownElement } from '../host/frames.ts';

/** The answer to one call of the API. */
export interface CallAnswer {
	/** HTTP status. */
	readonly status: number;
	/** The parsed JSON body; the text itself where the body is not JSON; null when there is none. */
	readonly body: unknown;
	/** Milliseconds from sending to the answer. */
	readonly ms: number;
}

/**
 * On whose behalf a call is made. `you`: a person pressed something. `panels`: a panel refreshes itself.
 * It goes out as the `x-agent` header, so that the log can tell the two apart.
 */
export type CallFor = 'you' | 'panels';

/**
 * Who holds the world. `held`: this tab. `visiting`: another one, and this page shows and drives it. `waiting`: another one,
 * and nothing is shown here. `asking`: not known yet.
 */
export type WorldHolding = 'asking' | 'held' | 'visiting' | 'waiting';

/** Whether a page shows the world and drives it, wherever that is held. */
export function showsWorld(holding: WorldHolding): boolean {
	return holding === 'held' || holding === 'visiting';
}

/** The world on its way here: how much of it has come, or why it does not come. */
export type Arriving = { readonly bytes: number } | { readonly failed: string };

export interface DoorStatus {
	readonly state: 'ready' | 'starting' | 'off' | 'lost';
	/** Half of the recent calls through this door took less, in milliseconds. */
	readonly p50_ms?: number;
	/** A few words instead of the state's own, such as "lost 4 s ago, trying again". */
	readonly note?: string;
}

export interface Doors {
	readonly tab: DoorStatus;
	readonly worker: DoorStatus;
	readonly relay: DoorStatus;
}

/** What becomes of the picture. */
export type Picture =
	| { readonly kind: 'starting' }
	/** It is drawn. `reduced`: small and seldom, because a processor draws it. */
	| { readonly kind: 'drawing'; readonly backend: GpuInfo['backend']; readonly reduced: boolean }
	/** It cannot be drawn; `message` says why, for people. */
	| { readonly kind: 'none'; readonly message: string };

/** What the panels ask of the view that draws on their canvas. */
export interface ViewHandle {
	/** Draws the line round this entity; null round none. No `onSelected` follows. */
	select(id: number | null): void;
	/** Turns the camera to an entity. */
	focus(id: number): void;
	/** Shows `main` or a fork. */
	setWorld(world: string): void;
	/** The canvas's size on the page in CSS pixels, and device pixels for each of them. */
	resize(width: number, height: number, dpr: number): void;
	/** Whether the picture is on the page just now; while it is not, nothing needs to be drawn. */
	setShown(shown: boolean): void;
	/** A person clicked in the picture: the entity's id, or null beside all. Returns what ends the listening. */
	onSelected(listener: (id: number | null) => void): () => void;
}

export interface PanelServices {
	/**
	 * Calls the JSON API of the engine in this tab. `path` begins with `/` and carries its query; a body is sent as JSON.
	 * Refusals resolve like any answer. Rejects only when no answer can come.
	 */
	call(method: string, path: string, body?: unknown, on?: CallFor): Promise<CallAnswer>;
	/** The newest status of `main`, or null before the first. Each new value's `calls` are appended to the log once. */
	readonly status: ReadonlySignal<EngineStatus | null>;
	/** Null until the view has started, and where nothing can be drawn. */
	readonly view: ReadonlySignal<ViewHandle | null>;
	readonly picture: ReadonlySignal<Picture>;
	/** What is written over the picture of the world that the view shows. */
	readonly hud: ReadonlySignal<readonly ShownElement[]>;
	readonly doors: ReadonlySignal<Doors>;
	readonly holding: ReadonlySignal<WorldHolding>;
	/** Who holds the world while this page visits it. */
	readonly holder: ReadonlySignal<Holder>;
	/** Set from `takeOver` on, until the world is here. */
	readonly arriving: ReadonlySignal<Arriving | null>;
	/** Why the engine stopped, for people; null while it runs. */
	readonly failure: ReadonlySignal<string | null>;
	/** Has the world handed over by the tab that holds it. */
	takeOver(): void;
	/** Where outside agents send their requests, such as `http://127.0.0.1:3917`. */
	readonly address: string;
}

/** What `mountPanels` hands back. */
export interface MountedPanels {
	/** The stage's canvas, in the document and with its size: start the view on it. */
	readonly canvas: HTMLCanvasElement;
	/** Takes the panels off the page and ends their listening. */
	unmount(): void;
}
