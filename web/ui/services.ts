/**
 * Interface between the panels and the rest of the page: the only one.
 * Owns: the shapes of that seam. Never: imports anything at run time; reaches the engine by another way.
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
	/** The parsed JSON body; the text itself where the body is not JSON; null if there is none. */
	readonly body: unknown;
	/** Milliseconds from sending to the answer. */
	readonly ms: number;
}

/**
 * Cause of a call. `you`: a person pressed something. `panels`: a panel refreshes itself.
 * It goes out as the `x-agent` header, so that the log can distinguish the two.
 */
export type CallFor = 'you' | 'panels';

/**
 * Owner of the world. `held`: this tab. `visiting`: another one, and this page shows and drives it. `waiting`:
 * another one, and nothing is shown here. `asking`: not known yet.
 */
export type WorldHolding = 'asking' | 'held' | 'visiting' | 'waiting';

/** Returns true if a page shows the world and drives it, wherever its owner is. */
export function showsWorld(holding: WorldHolding): boolean {
	return holding === 'held' || holding === 'visiting';
}

/** The world on its way here, or why it does not come. */
export type Arriving = { readonly waiting: true } | { readonly failed: string };

/** Progress of reading the world's journal, from which the world is rebuilt. */
export interface JournalReading {
	readonly next: number;
	readonly end: number;
}

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

/** State of the audio: `locked` until a person has clicked in the page, as browsers demand. */
export interface PageSound {
	readonly hearing: 'nothing' | 'locked' | 'on';
	/** A person has switched it off for this page. */
	readonly muted: boolean;
	/** Last error of playing a sound, for people. */
	readonly fault: string | null;
}

export interface PanelServices {
	/**
	 * Calls the JSON API of the engine in this tab. `path` begins with `/` and carries its query; a body is sent as JSON.
	 * Refusals resolve like any answer. Rejects only when no answer can come.
	 */
	call(method: string, path: string, body?: unknown, on?: CallFor): Promise<CallAnswer>;
	/** Values that the browser keeps for all tabs of this page. */
	readonly kept: PageStorage;
	/** Sends a call without a body while the page ends. Without a server that outlives the page, it may be lost. */
	callLast(method: string, path: string): void;
	/** Returns a picture of a world as its camera sees it; null if none can be taken. */
	takePicture(world: string, width: number, height: number): Promise<Blob | null>;
	/** The newest status of `main`, or null before the first. Each new value's `calls` are appended to the log once. */
	readonly status: ReadonlySignal<EngineStatus | null>;
	/** The view that draws on the panels' canvas; null until it has started, and where nothing can be drawn. */
	readonly view: ReadonlySignal<ViewHandle | null>;
	readonly picture: ReadonlySignal<Picture>;
	/** Loads what draws, if it is not loaded: the picture is shown, or is about to be. */
	openPicture(): void;
	/** World in the picture, from its first picture on; null before the first. `line` changes when another world takes its place. */
	readonly shows: ReadonlySignal<{ readonly world: string; readonly line: number } | null>;
	/** Texts over the picture of the world that the view shows. */
	readonly hud: ReadonlySignal<readonly ShownElement[]>;
	readonly sound: ReadonlySignal<PageSound>;
	/** Switches the sound of this page off or on; the world is as loud as before. */
	mute(off: boolean): void;
	readonly doors: ReadonlySignal<Doors>;
	readonly holding: ReadonlySignal<WorldHolding>;
	/** Owner of the world while this page visits it. */
	readonly holder: ReadonlySignal<Holder>;
	/** Set from `takeOver` on, until the world is here. */
	readonly arriving: ReadonlySignal<Arriving | null>;
	/** Set while the journal is read, when that takes long. */
	readonly reading: ReadonlySignal<JournalReading | null>;
	/** Reason that the engine stopped, for people; null while it runs. */
	readonly failure: ReadonlySignal<string | null>;
	/** Session of the person at this page, if changes take one. */
	readonly session: PageSession;
	/** Has the world handed over by the tab that holds it. */
	takeOver(): void;
	/** Deletes the world from this browser, with its forks, snapshots and journal, and begins an empty one. For the tab that holds it; left out where a relay keeps it. */
	forget?(): Promise<void>;
	/** Address to which outside agents send their requests, such as `http://127.0.0.1:3917`. */
	readonly address: string;
}

/** Controls of mounted panels. */
export interface MountedPanels {
	/** The stage's canvas, in the document and with its size: start the view on it. */
	readonly canvas: HTMLCanvasElement;
	/** Takes the panels off the page and ends their listening. */
	unmount(): void;
}
