/**
 * What the panels are given to live on: the one seam between them and the rest of the page.
 * Owns: the shapes of that seam. Never: imports anything at run time; reaches the engine by another way.
 */

import type { ReadonlySignal } from '@preact/signals';
import type { Holder } from '../../shared/transport/link.ts';
import type { EngineStatus, FrameEvent, GpuInfo, ShownElement } from '../frames/frames.ts';
import type {
	Aim,
	EntityRef,
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

/** The world on its way here, or why it does not come. */
export type Arriving = { readonly waiting: true } | { readonly failed: string };

/** How far the journal of the world is read, from which it is made again. */
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

/** What becomes of the picture. */
export type Picture =
	| { readonly kind: 'starting' }
	/** It is drawn. `reduced`: small and seldom, because a processor draws it. */
	| { readonly kind: 'drawing'; readonly backend: GpuInfo['backend']; readonly reduced: boolean }
	/** It cannot be drawn; `message` says why, for people. */
	| { readonly kind: 'none'; readonly message: string };

/** Whether the world is heard: `locked` until a person has clicked in the page, as browsers demand. */
export interface Sound {
	readonly hearing: 'nothing' | 'locked' | 'on';
	/** A person has switched it off for this page. */
	readonly muted: boolean;
	/** What could not be heard last, for people. */
	readonly fault: string | null;
}

/** What the panels ask of the view that draws on their canvas. */
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
	/** Whether the picture is on the page just now; while it is not, nothing needs to be drawn. */
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
	/** Goes along with an entity; null: with nobody, and looks from where it did before. */
	follow(id: number | null): void;
	/** What `onPlaces` and `onHappened` tell of; null: nothing. */
	watch(watching: Watching | null): void;
	/** What is aimed at at a point of the canvas (CSS pixels); where nothing is, the ground is at `height` (m). */
	aim(x: number, y: number, height: number): Promise<Aim>;
	/** Where the watched units are in the picture now. Returns what ends the listening. */
	onPlaces(listener: (places: readonly PlaceInPicture[]) => void): () => void;
	/** What has happened in the world that is shown. Returns what ends the listening. */
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
	/** The newest status of `main`, or null before the first. Each new value's `calls` are appended to the log once. */
	readonly status: ReadonlySignal<EngineStatus | null>;
	/** Null until the view has started, and where nothing can be drawn. */
	readonly view: ReadonlySignal<ViewHandle | null>;
	readonly picture: ReadonlySignal<Picture>;
	/** What is written over the picture of the world that the view shows. */
	readonly hud: ReadonlySignal<readonly ShownElement[]>;
	readonly sound: ReadonlySignal<Sound>;
	/** Switches the sound of this page off or on; the world is as loud as before. */
	mute(off: boolean): void;
	readonly doors: ReadonlySignal<Doors>;
	readonly holding: ReadonlySignal<WorldHolding>;
	/** Who holds the world while this page visits it. */
	readonly holder: ReadonlySignal<Holder>;
	/** Set from `takeOver` on, until the world is here. */
	readonly arriving: ReadonlySignal<Arriving | null>;
	/** Set while the journal is read, when that takes long. */
	readonly reading: ReadonlySignal<Reading | null>;
	/** Why the engine stopped, for people; null while it runs. */
	readonly failure: ReadonlySignal<string | null>;
	/** Who is at this page, where changes take a session. */
	readonly session: PageSession;
	/** Has the world handed over by the tab that holds it. */
	takeOver(): void;
	/** Deletes the world from this browser, with its forks, snapshots and journal, and begins an empty one. For the tab that holds it; left out where a relay keeps it. */
	forget?(): Promise<void>;
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
