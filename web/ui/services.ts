/**
 * Interface between the panels and the rest of the page: the only one.
 * Owns: the shapes of that seam. Never: imports anything at run time; reaches the engine by another way.
 */

import type { ReadonlySignal } from '@preact/signals';
import type { Holder } from '../../shared/transport/link.ts';
import type { EngineStatus, FrameEvent, GpuInfo, ShownElement } from '../frames/frames.ts';
import type {
	Aim,
	EntityRef,
	Order,
	PlaceInPicture,
	PoseEdit,
	SelectedEntity,
	Sign,
	ToolSettings,
	Watching,
	Zone,
} from '../render/messages.ts';
import type { Room } from '../render/view-host.ts';
import type { PageSession } from './session/page-session.ts';
import type { Kept } from './state/kept.ts';

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
 * Cause of a call. `you`: a person pressed something. `panels`: a panel refreshes itself.
 * It goes out as the `x-agent` header, so that the log can tell the two apart.
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
export interface Reading {
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

/** States of the picture. */
export type Picture =
	| { readonly kind: 'starting' }
	/** It is drawn. `reduced`: small and seldom, because a processor draws it. */
	| { readonly kind: 'drawing'; readonly backend: GpuInfo['backend']; readonly reduced: boolean }
	/** It cannot be drawn; `message` says why, for people. */
	| { readonly kind: 'none'; readonly message: string };

/** State of the audio: `locked` until a person has clicked in the page, as browsers demand. */
export interface Sound {
	readonly hearing: 'nothing' | 'locked' | 'on';
	/** A person has switched it off for this page. */
	readonly muted: boolean;
	/** Last error of playing a sound, for people. */
	readonly fault: string | null;
}

/** Interface of the view that draws on the panels' canvas. */
export interface ViewHandle {
	/** Draws the line round these entities, and the handles of the tool on them. No `onSelected` follows. */
	select(entities: readonly SelectedEntity[]): void;
	/** Sets the tools; null ends editing in the picture. */
	setTool(settings: ToolSettings | null): void;
	/** Shows signs for entities that are not drawn, during editing. */
	setSigns(signs: readonly Sign[]): void;
	/** Shows zones during editing. */
	setZones(zones: readonly Zone[]): void;
	/** Ends what is dragged, without an edit. */
	cancel(): void;
	/** The call for what was edited was answered: the picture shows the world again. */
	settle(): void;
	/** Resting place of a thing that is put down at a point of the canvas; null in the sky. `step`: of the grid (m). */
	land(
		x: number,
		y: number,
		room: Room,
		step: number | null,
	): Promise<readonly [number, number, number] | null>;
	/** Turns the camera to an entity. */
	focus(id: number): void;
	/** Shows `main` or a fork. */
	setWorld(world: string): void;
	/** The canvas's size on the page in CSS pixels, and device pixels for each of them. */
	resize(width: number, height: number, dpr: number): void;
	/** Sets whether the picture is on the page; while it is not, nothing needs to be drawn. */
	setShown(shown: boolean): void;
	/** A person clicked in the picture, beside all entities for none, or drew a rectangle. Returns what ends the listening. */
	onSelected(listener: (entities: readonly EntityRef[], adds: boolean) => void): () => void;
	/** A person let go of what was dragged: poses in the world. Returns what ends the listening. */
	onEdited(listener: (kind: 'move' | 'turn' | 'scale', edits: readonly PoseEdit[]) => void): () => void;
	/** A person drew a stroke with the brush: its stamps on the ground. Returns what ends the listening. */
	onBrushed(listener: (stamps: readonly (readonly [number, number, number])[]) => void): () => void;
	/** A person let go of a handle of a zone. Returns what ends the listening. */
	onZoned(listener: (zone: Zone) => void): () => void;
	/** Tells the distance of the drag in words; null when it ends. Returns what ends the listening. */
	onDragging(listener: (words: string | null) => void): () => void;
	/** Goes along with an entity; null: with none, and looks from where it did before. */
	follow(id: number | null): void;
	/** Sets what `onPlaces` and `onHappened` report; null: nothing. */
	watch(watching: Watching | null): void;
	/** Marks the last order of a person: a place for a moment, or a ring under a target. */
	order(order: Order): void;
	/** Returns the target at a point of the canvas (CSS pixels); without one, the ground is at `height` (m). */
	aim(x: number, y: number, height: number): Promise<Aim>;
	/** Listens for the positions of the watched units in the picture. Returns a function that ends the listening. */
	onPlaces(listener: (places: readonly PlaceInPicture[]) => void): () => void;
	/** Listens for events in the shown world. Returns a function that ends the listening. */
	onHappened(listener: (events: readonly FrameEvent[]) => void): () => void;
	/** The asset with this hash is a picture that cannot be decoded, and is not drawn. Returns what ends the listening. */
	onUndecodable(listener: (hash: string) => void): () => void;
}

export interface PanelServices {
	/**
	 * Calls the JSON API of the engine in this tab. `path` begins with `/` and carries its query; a body is sent as JSON.
	 * Refusals resolve like any answer. Rejects only when no answer can come.
	 */
	call(method: string, path: string, body?: unknown, on?: CallFor): Promise<CallAnswer>;
	/** Values that the browser keeps for all tabs of this page. */
	readonly kept: Kept;
	/** Sends a call without a body while the page ends. Without a server that outlives the page, it may be lost. */
	callLast(method: string, path: string): void;
	/** A picture of a world as its camera sees it; null where none can be taken. */
	takePicture(world: string, width: number, height: number): Promise<Blob | null>;
	/** The newest status of `main`, or null before the first. Each new value's `calls` are appended to the log once. */
	readonly status: ReadonlySignal<EngineStatus | null>;
	/** Null until the view has started, and where nothing can be drawn. */
	readonly view: ReadonlySignal<ViewHandle | null>;
	readonly picture: ReadonlySignal<Picture>;
	/** Loads what draws, if it is not loaded: the picture is shown, or is about to be. */
	openPicture(): void;
	/** World in the picture, from its first picture on; null before the first. `line` changes when another world takes its place. */
	readonly shows: ReadonlySignal<{ readonly world: string; readonly line: number } | null>;
	/** Texts over the picture of the world that the view shows. */
	readonly hud: ReadonlySignal<readonly ShownElement[]>;
	readonly sound: ReadonlySignal<Sound>;
	/** Switches the sound of this page off or on; the world is as loud as before. */
	mute(off: boolean): void;
	readonly doors: ReadonlySignal<Doors>;
	readonly holding: ReadonlySignal<WorldHolding>;
	/** Owner of the world while this page visits it. */
	readonly holder: ReadonlySignal<Holder>;
	/** Set from `takeOver` on, until the world is here. */
	readonly arriving: ReadonlySignal<Arriving | null>;
	/** Set while the journal is read, when that takes long. */
	readonly reading: ReadonlySignal<Reading | null>;
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
