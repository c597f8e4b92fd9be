/**
 * Messages and frames between the engine's Worker, the view's Worker and the page.
 * Owns: the types of these messages, and the test if a frame is new.
 * Never: has state, or imports a module at run time.
 */

import type { Transport } from '../../shared/contract/wire.ts';
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

/** Version of each block of a frame. */
export type BlockVersions = { readonly [Name in BlockName]: number };

/** Data of a world for one picture. All buffers are transferred, and the receiver owns them. */
export interface Frame {
	/** `main` or a fork's id. */
	readonly world: string;
	/** Number of the entry's line. It changes when the world is replaced. */
	readonly line: number;
	readonly tick: number;
	readonly playing: boolean;
	/** Speed as a multiple of real time. */
	readonly speed: number;
	/** Current version of each block. */
	readonly versions: BlockVersions;
	/** Blocks that the reader does not have. A block of chunks contains only missing ones. */
	readonly blocks: Partial<FrameBlocks>;
	/** Events of the ticks since the previous frame of the same view, oldest first. */
	readonly events: readonly FrameEvent[];
}

/** Request of a view for the next frame. */
export interface FrameRequest {
	readonly type: 'frame';
	readonly world: string;
	/** Versions of the blocks that the view has. */
	readonly known: Partial<BlockVersions>;
	/** Tick of the last frame of this world; -1 without one. */
	readonly since: number;
	/** True if the world played in the last frame. */
	readonly playing: boolean;
}

/** Returns true if a frame differs from the last one before the request. */
export const isNews = ({ world, tick, playing, blocks }: Frame, request: FrameRequest): boolean =>
	tick !== request.since ||
	world !== request.world ||
	playing !== request.playing ||
	Object.keys(blocks).length > 0;

/** View -> engine, on the view's port. The engine answers each with one `EngineToView`. */
export type ViewToEngine =
	/**
	 * Requests the next frame of this world that differs from the last one, without blocks that the view has at the versions `known`. The
	 * last frame had the tick `since` and `playing`. A new request replaces one without an answer.
	 */
	| FrameRequest
	/** Requests the bytes of an asset that a block names. It gets one answer, when the bytes are found or known to be missing. */
	| { readonly type: 'asset'; readonly hash: string }
	/** Answer to a `capture`. */
	| { readonly type: 'captured'; readonly id: number; readonly result: CaptureResult }
	/** GPU of the view: sent when the view is ready, and again when it changes. */
	| { readonly type: 'gpu'; readonly info: GpuInfo };

/** Engine -> view, on the view's port. */
export type EngineToView =
	| { readonly type: 'frame'; readonly frame: Frame }
	/** Another engine answers from now on, so the view must repeat its request. */
	| { readonly type: 'again' }
	/** A picture is requested, so the owner of the port must start the view. */
	| { readonly type: 'needed' }
	/** `bytes` are null if no asset has this hash. */
	| { readonly type: 'asset'; readonly hash: string; readonly bytes: Uint8Array | null }
	/** Requests one picture of these blocks, off screen. The view answers `captured`. */
	| {
			readonly type: 'capture';
			readonly id: number;
			readonly request: CaptureRequest;
			readonly blocks: FrameBlocks;
	  };

/** `color`: the visible picture. `segmentation`: the entity of each pixel. `depth`: the distance of each pixel in metres. */
export type Channel = 'color' | 'segmentation' | 'depth';

export interface CaptureRequest {
	readonly channel: Channel;
	/** Size of the picture (pixels). */
	readonly width: number;
	readonly height: number;
	/** False to draw colour pictures without the HUD, health bars and damage numbers. */
	readonly hud?: boolean;
	/** Media type of a colour picture; image/png if omitted. A view that cannot encode it returns a PNG. */
	readonly type?: 'image/png' | 'image/jpeg' | 'image/webp';
	/** Preset of post-processing that replaces the effects of the world. */
	readonly preset?: PresetName;
	/** Quality of a lossy type, from 0 to 1. */
	readonly quality?: number;
	/** Cameras that replace the camera of the world, for one picture each. The result is then an `Album`. */
	readonly cameras?: readonly CaptureCamera[];
	/** Reports the entities in each picture. The result is then an `Album`. */
	readonly report?: boolean;
	/** Draws boxes with the ids and names of entities, in colour pictures. */
	readonly annotate?: boolean;
	/** Names by id, for `annotate`. */
	readonly names?: Readonly<Record<number, string>>;
}

export type CaptureCamera = Omit<FrameCamera, 'shaken' | 'moving' | 'revision'>;

/** Several pictures of one tick, or pictures with reports. The bytes of a result contain it as JSON. */
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
	/** Entities with pixels, most pixels first. */
	readonly entities: readonly SeenEntity[];
	/** Entities without pixels whose bounding box is in view, nearest first. */
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
 * A picture, encoded as a PNG or as `type`; or an album as JSON.
 * segmentation: the colour of a pixel is `(id + 1)` as red + green*256 + blue*65536, 0 if there is no entity.
 * depth: 24-bit millimetres along the view axis in the same three bytes, 0xffffff where there is nothing.
 */
export type CaptureResult =
	| { readonly ok: true; readonly bytes: Uint8Array; readonly type?: string }
	| { readonly ok: false; readonly error: string };

/** GPU of a view. GET /engine/gpu answers with the same `capabilities`. */
export interface GpuInfo {
	readonly backend: 'webgpu' | 'webgl2';
	readonly device_name: string;
	readonly capabilities: Readonly<Record<string, number | boolean>>;
	/** Settings that were chosen automatically for the GPU. */
	readonly quality: GpuQuality;
}

export interface GpuQuality {
	/** True if the picture is drawn by the CPU. */
	readonly software: boolean;
	/** Width and height of the sun's shadow map (pixels). */
	readonly sun_shadow_pixels: number;
	/** Maximum number of point lights, and of spots, in a picture. */
	readonly local_lights: number;
	/** Maximum number of spots that cast shadows. */
	readonly shadow_lights: number;
	/** Maximum distance at which grass and flowers are drawn, even if their layer permits more (m). */
	readonly grass_distance: number;
	/** Approximate maximum width of a terrain's triangles on screen (CSS pixels). */
	readonly terrain_pixels: number;
	/** Number of directions that ambient occlusion samples per pixel. */
	readonly occlusion_samples: number;
	/** Resolution of ambient occlusion and of bloom, relative to the picture. */
	readonly occlusion_scale: number;
	readonly bloom_scale: number;
	/** Number of samples per pixel for bounced light and for depth of field. */
	readonly bounce_samples: number;
	readonly blur_samples: number;
	/** Maximum number of shadow maps of the sun. */
	readonly shadow_cascades: number;
	/** Maximum number of particles in a picture. */
	readonly particles: number;
}

/** Address of the relay, for the engine. */
export interface RelayAddress {
	/** Address of the socket. */
	readonly url: string;
	/** One-time token. */
	readonly token: string;
	/** Address of the page. Every request of its HTML gets a new token. */
	readonly page: string;
}

/** Page -> engine Worker. Ports travel in the message's transfer list. */
export type PageToEngine =
	/** Starts the engine with the relay's journal; without `relay`, with this browser's. */
	| { readonly type: 'start'; readonly options: EngineOptions; readonly relay?: RelayAddress }
	/** Connects a port for calls, in the format of shared/transport/call-port.ts. */
	| { readonly type: 'calls'; readonly door: Transport; readonly port: MessagePort }
	/** Connects the view. `gpu`: its GPU, if the view reported it before the engine started. */
	| { readonly type: 'view'; readonly port: MessagePort; readonly gpu?: GpuInfo }
	/** Requests the storage of unwritten entries, because the page ends soon. */
	| { readonly type: 'flush' }
	/** Requests a state and the release of the lease, because another tab of this browser claims the world. */
	| { readonly type: 'release' };

/** Engine Worker -> page. */
export type EngineToPage =
	/** The engine answers calls. `isKept`: its worlds survive this tab. */
	| { readonly type: 'ready'; readonly isKept: boolean }
	/** Status after changes, at most ten times a second. */
	| { readonly type: 'status'; readonly status: EngineStatus }
	/** Progress of reading a long journal: its next entry, and the total. */
	| { readonly type: 'reading'; readonly next: number; readonly end: number }
	/** The engine has released the lease, after `release`. */
	| { readonly type: 'released' }
	/** The engine could not release the lease. */
	| { readonly type: 'declined'; readonly why: string }
	/** Another engine has the lease, so this one has ended. */
	| { readonly type: 'replaced' }
	| { readonly type: 'failed'; readonly error: string };

export interface EngineOptions {
	readonly profile: 'full' | 'bare';
	/** World seed, an unsigned integer up to 2^53 - 1. */
	readonly seed: number;
	/** Loss of the previous world, if known. */
	readonly lastWorld?: LastWorld;
	/** Heavy mode: every `verify`th tick is re-run, on a fork and on a copy that was saved and loaded. */
	readonly verify?: number;
	/** True if writes need a session. The relay's page has this before its socket is connected. */
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
	/** Ticks that the play loop dropped since the last play, because it fell behind. */
	readonly dropped_ticks: number;
	readonly relay: 'off' | 'connecting' | 'ready' | 'lost';
	/** Reason why the journal cannot store entries; omitted if it can. */
	readonly unkept?: string;
	readonly forks: readonly string[];
	/** Calls answered since the last status, oldest first; at most 200, the newest kept. */
	readonly calls: readonly CallRecord[];
}

/** One answered call, for the live log. */
export interface CallRecord {
	/** Number of the call, counted from 1. */
	readonly number: number;
	readonly tick: number;
	readonly door: Transport;
	/** Sender, from the `user-agent` or `x-agent` header, or empty. */
	readonly sender: string;
	readonly method: string;
	readonly path: string;
	readonly world: string;
	readonly status: number;
	/** Milliseconds from arrival in the engine to the answer. */
	readonly ms: number;
	/** Instruction for a refused call. */
	readonly fix?: string;
}
