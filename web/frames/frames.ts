/**
 * Messages and frames between the engine's Worker, the view's Worker and the page.
 * Owns: the shapes on those ports, and which frames are news. Never: holds state or imports anything at run time.
 */

import type { Door } from '../../shared/contract/wire.ts';
import type { PostprocessSettings as FramePost, PresetName } from '../../shared/documents/postprocess.ts';
import type { FogSettings as FrameFog, SkySettings as FrameSky } from '../../shared/documents/sky.ts';
import type { LastWorld } from '../../shared/transport/link.ts';
import type { ShownElement } from '../sim/rules/conditions/hud-reading.ts';
import type { FrameEvent } from '../store/event-trail.ts';
import type { FrameAnimation, FrameClip } from './drawn/animations.ts';
import type { FrameCamera } from './drawn/camera.ts';
import type { FrameDecal } from './drawn/decals.ts';
import type { FrameFeedback } from './drawn/feedback.ts';
import type { BlockName, FrameBlocks } from './drawn/index.ts';
import type { FrameLight } from './drawn/lights.ts';
import type { FrameMaterials, SurfaceKind } from './drawn/materials.ts';
import type { FrameModel, FrameModels } from './drawn/models.ts';
import type { FrameNavmesh } from './drawn/navigation.ts';
import type { FrameEmitter, FrameParticles } from './drawn/particles.ts';
import type { FrameRows } from './drawn/rows.ts';
import type { FrameSound, FrameSounds } from './drawn/sound.ts';
import type { FrameChunk, FrameTerrain, FrameTerrains } from './drawn/terrains.ts';
import type { FrameWater } from './drawn/waters.ts';

export type {
	BlockName,
	FrameAnimation,
	FrameBlocks,
	FrameCamera,
	FrameChunk,
	FrameClip,
	FrameDecal,
	FrameEmitter,
	FrameEvent,
	FrameFeedback,
	FrameFog,
	FrameLight,
	FrameMaterials,
	FrameModel,
	FrameModels,
	FrameNavmesh,
	FrameParticles,
	FramePost,
	FrameRows,
	FrameSky,
	FrameSound,
	FrameSounds,
	FrameTerrain,
	FrameTerrains,
	FrameWater,
	ShownElement,
	SurfaceKind,
};

/** For each block of a frame the number of its value. */
export type BlockVersions = { readonly [Name in BlockName]: number };

/** One picture's worth of a world. All buffers are transferred; the receiver owns them. */
export interface Frame {
	/** `main` or a fork's id. */
	readonly world: string;
	/** Changes when another world takes its place. */
	readonly line: number;
	readonly tick: number;
	readonly playing: boolean;
	/** Speed as a multiple of real time. */
	readonly speed: number;
	/** The number of each block's value now. */
	readonly versions: BlockVersions;
	/** The blocks that the asker does not have; of a block of chunks, those that it does not have. */
	readonly blocks: Partial<FrameBlocks>;
	/** Events of the ticks since the previous frame of the same view, oldest first. */
	readonly events: readonly FrameEvent[];
}

export interface FrameRequest {
	readonly type: 'frame';
	readonly world: string;
	readonly known: Partial<BlockVersions>;
	/** -1 without a frame of this world. */
	readonly since: number;
	readonly playing: boolean;
}

/** Returns true if a frame shows anything that the one before the request did not. */
export const isNews = ({ world, tick, playing, blocks }: Frame, request: FrameRequest): boolean =>
	tick !== request.since ||
	world !== request.world ||
	playing !== request.playing ||
	Object.keys(blocks).length > 0;

/** View -> engine, on the view's port. The engine answers each with one `EngineToView`. */
export type ViewToEngine =
	/**
	 * The next frame of this world that differs from the last one, without the blocks that the view has: their versions are
	 * `known`. It was of the tick `since` and `playing`. A new request takes the place of one without an answer.
	 */
	| FrameRequest
	/** Give me the bytes of this asset, which a block names. Answered once, when they are there or known to be nowhere. */
	| { readonly type: 'asset'; readonly hash: string }
	/** The answer to a `capture`. `rgba` rows run from top to bottom, 4 bytes a pixel. */
	| { readonly type: 'captured'; readonly id: number; readonly result: CaptureResult }
	/** Renderer: sent once when the view is ready, and again when it changes. */
	| { readonly type: 'gpu'; readonly info: GpuInfo };

/** Engine -> view, on the view's port. */
export type EngineToView =
	| { readonly type: 'frame'; readonly frame: Frame }
	/** Another engine answers from now on: ask again. */
	| { readonly type: 'again' }
	/** A picture is to be taken: the owner of the port starts the view. */
	| { readonly type: 'needed' }
	/** `bytes` are null if no asset has this hash. */
	| { readonly type: 'asset'; readonly hash: string; readonly bytes: Uint8Array | null }
	/** Draw exactly this, once, off screen, with its own camera, and answer `captured`. */
	| {
			readonly type: 'capture';
			readonly id: number;
			readonly request: CaptureRequest;
			readonly blocks: FrameBlocks;
	  };

/** `color`: what a person sees. `segmentation`: each pixel is an entity. `depth`: metres from the eye. */
export type Channel = 'color' | 'segmentation' | 'depth';

export interface CaptureRequest {
	readonly channel: Channel;
	/** Pixels. */
	readonly width: number;
	readonly height: number;
	/** False: in color without what is written and drawn over it, and without health bars and damage numbers. */
	readonly hud?: boolean;
	/** Media type, of the color channel; image/png unless given. A view that cannot encode it gives a PNG. */
	readonly type?: 'image/png' | 'image/jpeg' | 'image/webp';
	/** Preset of post-processing that replaces the effects of the world. */
	readonly preset?: PresetName;
	/** Quality of a type that loses detail, from 0 to 1. */
	readonly quality?: number;
	/** Cameras that replace the camera of the world, for one picture each. The result is then an `Album`. */
	readonly cameras?: readonly CaptureCamera[];
	/** Reports the entities in each picture. The result is then an `Album`. */
	readonly report?: boolean;
	/** Draws the ids and names of entities at their boxes, in color. */
	readonly annotate?: boolean;
	/** Names by id, for `annotate`. */
	readonly names?: Readonly<Record<number, string>>;
}

export type CaptureCamera = Omit<FrameCamera, 'shaken' | 'moving' | 'revision'>;

/** Several pictures of one tick, or pictures with reports: JSON in the bytes of a result. */
export type Album = readonly AlbumPicture[];

export interface AlbumPicture {
	readonly type: string;
	/** Bytes as base64. */
	readonly data: string;
	readonly size_bytes: number;
	readonly report?: PictureReport;
}

/** Entities in a picture. The lists are cut; the counts are not. */
export interface PictureReport {
	/** Entities that have pixels, those with the most pixels first. */
	readonly entities: readonly SeenEntity[];
	/** Entities whose bounding box is in view and that have no pixel, the nearest first. */
	readonly hidden: readonly HiddenEntity[];
	readonly entity_count: number;
	readonly hidden_count: number;
}

export interface PixelBox {
	readonly left: number;
	readonly top: number;
	readonly width: number;
	readonly height: number;
}

export interface SeenEntity {
	readonly id: number;
	readonly pixels: number;
	/** Smallest box around its pixels. */
	readonly box: PixelBox;
}

export interface HiddenEntity {
	readonly id: number;
	/** Box that would contain it. */
	readonly box: PixelBox;
	/** Entity in front of most of that box; null if there is none. */
	readonly hidden_by: number | null;
}

/**
 * A taken picture, encoded as a PNG or as `type` says; or an album as JSON.
 * segmentation: the colour of a pixel is `(id + 1)` as red + green*256 + blue*65536, 0 if there is no entity.
 * depth: 24-bit millimetres along the view axis in the same three bytes, 0xffffff where there is nothing.
 */
export type CaptureResult =
	| { readonly ok: true; readonly bytes: Uint8Array; readonly type?: string }
	| { readonly ok: false; readonly error: string };

/** Renderer. `capabilities` as the wire's GET /engine/gpu has them. */
export interface GpuInfo {
	readonly backend: 'webgpu' | 'webgl2';
	readonly device_name: string;
	readonly capabilities: Readonly<Record<string, number | boolean>>;
	/** Settings that were chosen automatically for the renderer. */
	readonly quality: GpuQuality;
}

export interface GpuQuality {
	/** A processor draws. */
	readonly software: boolean;
	/** Edge of the sun's shadow map. */
	readonly sun_shadow_pixels: number;
	/** Maximum number of point lights, and of spots, in a picture. */
	readonly local_lights: number;
	/** Maximum number of spots that cast shadows. */
	readonly shadow_lights: number;
	/** Distance beyond which grass and flowers are not drawn, whatever their layer says (m). */
	readonly grass_distance: number;
	/** About how wide a triangle of a terrain is at most on screen (CSS pixels). */
	readonly terrain_pixels: number;
	/** Directions in which ambient occlusion looks from each place. */
	readonly occlusion_samples: number;
	/** Edge of the pictures of ambient occlusion and of bloom, as a share of the picture's. */
	readonly occlusion_scale: number;
	readonly bloom_scale: number;
	/** Places that bounced light and depth of field look at for each pixel. */
	readonly bounce_samples: number;
	readonly blur_samples: number;
	/** Most shadow maps of the sun. */
	readonly shadow_cascades: number;
	/** Maximum number of particles in a picture. */
	readonly particles: number;
}

/** Address of the relay, for the engine. */
export interface RelayAddress {
	/** Of the socket. */
	readonly url: string;
	/** Shown once. */
	readonly token: string;
	/** Address of the page, whose HTML has another token whenever it is asked for. */
	readonly page: string;
}

/** Page -> engine Worker. Ports travel in the message's transfer list. */
export type PageToEngine =
	/** `relay`: load what its journal says; without it, what this browser has. */
	| { readonly type: 'start'; readonly options: EngineOptions; readonly relay?: RelayAddress }
	/** A port on which calls come in, as shared/transport/call-port.ts says. */
	| { readonly type: 'calls'; readonly door: Door; readonly port: MessagePort }
	/** `gpu`: what the view has said of itself before the engine was there to hear it. */
	| { readonly type: 'view'; readonly port: MessagePort; readonly gpu?: GpuInfo }
	/** The page is about to go: store what was not stored yet. */
	| { readonly type: 'flush' }
	/** Another tab of this browser claims the world: write a state and release the lease. */
	| { readonly type: 'release' };

/** Engine Worker -> page. */
export type EngineToPage =
	/** It answers calls. `isKept`: its worlds outlive this tab. */
	| { readonly type: 'ready'; readonly isKept: boolean }
	/** At most ten times a second, when something changed. */
	| { readonly type: 'status'; readonly status: EngineStatus }
	/** The journal is read, which takes long: its next entry, and the total. */
	| { readonly type: 'reading'; readonly next: number; readonly end: number }
	/** The lease is released, after `release`; or it is not, and why. */
	| { readonly type: 'released' }
	| { readonly type: 'declined'; readonly why: string }
	/** Another engine has the lease; nothing is left to do here. */
	| { readonly type: 'replaced' }
	| { readonly type: 'failed'; readonly error: string };

export interface EngineOptions {
	readonly profile: 'full' | 'bare';
	/** World seed, an unsigned integer up to 2^53 - 1. */
	readonly seed: number;
	/** End of the world before this one, if it is known that it was lost. */
	readonly lastWorld?: LastWorld;
	/** Heavy mode: one tick in N is re-run, on a fork and on the world saved and loaded. */
	readonly verify?: number;
	/** True if writes take a session, as the relay's page says before its socket is there. */
	readonly gated?: boolean;
}

export interface EngineStatus {
	/** Name of main; empty if it has none. */
	readonly world_name: string;
	readonly tick: number;
	readonly state_digest: string;
	readonly entity_count: number;
	readonly rule_count: number;
	readonly playing: boolean;
	/** Ticks that the play loop gave up because it fell behind, since the last play. */
	readonly dropped_ticks: number;
	readonly relay: 'off' | 'connecting' | 'ready' | 'lost';
	/** Reason that the journal cannot have what is applied; left out where it has it, and where there is none. */
	readonly unkept?: string;
	readonly forks: readonly string[];
	/** Calls answered since the last status, oldest first; at most 200, the newest kept. */
	readonly calls: readonly CallRecord[];
}

/** One answered call, for the live log. */
export interface CallRecord {
	/** Rises by one with each call. */
	readonly number: number;
	readonly tick: number;
	readonly door: Door;
	/** Sender, from the `user-agent` or `x-agent` header, or empty. */
	readonly sender: string;
	readonly method: string;
	readonly path: string;
	readonly world: string;
	readonly status: number;
	/** Milliseconds from arrival in the engine to the answer. */
	readonly ms: number;
	/** Of a refused call: what to send instead. */
	readonly fix?: string;
}
