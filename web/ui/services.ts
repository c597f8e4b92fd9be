/**
 * The only interface between the panels and the rest of the page.
 * Owns: its types. Never: imports anything at run time.
 */

import type { ReadonlySignal } from '@preact/signals';
import type { Holder } from '../../shared/transport/link.ts';
import type { EngineStatus, ShownElement } from '../frames/frames.ts';
import type { Picture } from '../render/page-picture.ts';
import type { ViewHandle } from '../render/view-host.ts';
import type { PageSession } from './session/page-session.ts';
import type { PageStorage } from './state/kept.ts';

/** The answer to one call of the API. */
export interface CallAnswer {
	/** HTTP status. */
	readonly status: number;
	/** The parsed JSON body, or the text if it is not JSON; null if there is none. */
	readonly body: unknown;
	/** Milliseconds from sending to the answer. */
	readonly ms: number;
}

/**
 * Cause of a call. `you`: a person did something. `panels`: a panel refreshes itself.
 * The call sends it as the header `x-agent`, so that the log can distinguish the two.
 */
export type CallFor = 'you' | 'panels';

/**
 * Owner of the world. `held`: this tab. `visiting`: another tab or the server, and this page shows and controls the
 * world. `waiting`: another tab, and this page shows nothing. `asking`: not known yet.
 */
export type WorldHolding = 'asking' | 'held' | 'visiting' | 'waiting';

/** Returns true if the page shows and controls the world, whether or not it owns it. */
export function showsWorld(holding: WorldHolding): boolean {
	return holding === 'held' || holding === 'visiting';
}

/** State of moving the world to this tab: waiting for it, or the reason of a failure. */
export type Arriving = { readonly waiting: true } | { readonly failed: string };

/** Progress of reading the world's journal, from which the world is rebuilt. */
export interface JournalReading {
	readonly next: number;
	readonly end: number;
}

export interface DoorStatus {
	readonly state: 'ready' | 'starting' | 'off' | 'lost';
	/** Median time of the recent calls through this transport (ms). */
	readonly p50_ms?: number;
	/** Words that replace those of the state, such as "lost 4 s ago, trying again". */
	readonly note?: string;
}

export interface Doors {
	readonly tab: DoorStatus;
	readonly worker: DoorStatus;
	readonly relay: DoorStatus;
}

/** State of the audio. Browsers keep it `locked` until a person clicks in the page. */
export interface PageSound {
	readonly hearing: 'nothing' | 'locked' | 'on';
	/** True if a person has muted this page. */
	readonly muted: boolean;
	/** Last error of playing a sound, for people. */
	readonly fault: string | null;
}

export interface PanelServices {
	/**
	 * Calls the JSON API of the engine. `path` begins with `/` and includes the query; a body is sent as JSON.
	 * Refusals resolve like any answer. Rejects only if no answer can come.
	 */
	call(method: string, path: string, body?: unknown, on?: CallFor): Promise<CallAnswer>;
	/** Values that the browser stores for all tabs of this page. */
	readonly kept: PageStorage;
	/** Sends a call without a body while the page ends. Without a server that outlives the page, it may be lost. */
	callLast(method: string, path: string): void;
	/** Returns a picture of a world as its camera sees it; null if none can be taken. */
	takePicture(world: string, width: number, height: number): Promise<Blob | null>;
	/** Newest status of `main`; null before the first. The `calls` of each new value are appended to the log once. */
	readonly status: ReadonlySignal<EngineStatus | null>;
	/** View that draws on the panels' canvas; null until it has started, and if nothing can be drawn. */
	readonly view: ReadonlySignal<ViewHandle | null>;
	readonly picture: ReadonlySignal<Picture>;
	/** Loads the renderer, unless it is loaded. Called when the picture is about to be shown. */
	openPicture(): void;
	/** World in the picture; null before the first picture. `line` changes when another world replaces it. */
	readonly shows: ReadonlySignal<{ readonly world: string; readonly line: number } | null>;
	/** Texts over the picture of the world that the view shows. */
	readonly hud: ReadonlySignal<readonly ShownElement[]>;
	readonly sound: ReadonlySignal<PageSound>;
	/** Mutes or unmutes this page. Volumes of the world do not change. */
	mute(off: boolean): void;
	readonly doors: ReadonlySignal<Doors>;
	readonly holding: ReadonlySignal<WorldHolding>;
	/** Owner of the world while this page visits it. */
	readonly holder: ReadonlySignal<Holder>;
	/** Set from `takeOver` until the world has moved here. */
	readonly arriving: ReadonlySignal<Arriving | null>;
	/** Set while reading the journal takes long. */
	readonly reading: ReadonlySignal<JournalReading | null>;
	/** Reason why the engine stopped, for people; null while it runs. */
	readonly failure: ReadonlySignal<string | null>;
	/** Session of the person at this page, for servers that require one. */
	readonly session: PageSession;
	/** Requests that the owner of the world hands it over to this tab. */
	takeOver(): void;
	/**
	 * Deletes the world from this browser, with its forks, snapshots and journal, and starts an empty one. Only the owner
	 * may call it. It is undefined if a relay stores the world.
	 */
	forget?(): Promise<void>;
	/** Address for requests of outside agents, such as `http://127.0.0.1:3917`. */
	readonly address: string;
}

/** Controls of mounted panels. */
export interface MountedPanels {
	/** Canvas for the view. It is in the document, and has its size. */
	readonly canvas: HTMLCanvasElement;
	/** Removes the panels from the page, with their listeners. */
	unmount(): void;
}
