/**
 * Pictures of worlds, of differences to another world, and of entities that do not exist yet.
 * Owns: the request to the view, and the form of the answer: the picture, a file, or JSON with several pictures.
 */

import type * as z from 'zod';
import { Mesh } from '../../shared/components/mesh.ts';
import { Name } from '../../shared/components/name.ts';
import { Tags } from '../../shared/components/tags.ts';
import { ApiError } from '../../shared/contract/errors.ts';
import { PICTURES_FOLDER } from '../../shared/contract/file-path.ts';
import { requireMay } from '../../shared/contract/principal.ts';
import type { PresetName } from '../../shared/documents/postprocess.ts';
import type { SpawnDocument } from '../../shared/documents/spawn.ts';
import { PALETTE, parseColor } from '../../shared/media/palette.ts';
import * as routes from '../../shared/routes/camera.ts';
import type { Album, AlbumPicture, CaptureCamera, CaptureRequest, Channel } from '../frames/frames.ts';
import { requireRange } from '../sim/camera/camera.ts';
import { currentCamera } from '../sim/camera/camera-movement.ts';
import { dispose } from '../sim/core/clone.ts';
import { digest } from '../sim/core/digest.ts';
import { each, has, read, type World } from '../sim/core/world.ts';
import { addGhosts } from '../sim/diff/ghosts.ts';
import { changeSky } from '../sim/looks/sky.ts';
import { spawnEntity } from '../sim/spawn/spawn-entity.ts';
import { type WorldEntry, worldOf } from '../store/worlds.ts';
import { boundingBallOf } from './bounds-of.ts';
import type { Context, EncodedPicture, Host } from './context.ts';
import { givenFields } from './given-fields.ts';
import { RawAnswer } from './raw-answer.ts';
import { createEmptyWorld } from './world.ts';

const DEGREE = Math.PI / 180;

/** Writes a picture as a file. If this fails, the fix of the refusal describes how to get the picture without a file. */
async function writePicture({ files }: Host, path: string, bytes: Uint8Array): Promise<void> {
	try {
		await files.write(path, bytes);
	} catch (error) {
		if (!(error instanceof ApiError)) throw error;
		throw new ApiError(error.code, `The picture was taken, but not saved: ${error.message}`, {
			fix: 'Send the header Accept: image/png to get the picture itself, or make the data folder writable.',
		});
	}
}

interface PictureQuery {
	readonly channel?: string | null | undefined;
	readonly width?: number | null | undefined;
	readonly height?: number | null | undefined;
	readonly format?: string | null | undefined;
	readonly quality?: number | null | undefined;
	readonly preset?: string | null | undefined;
	readonly hud: boolean;
	readonly annotate: boolean;
}

const TYPES = { png: 'image/png', jpeg: 'image/jpeg', webp: 'image/webp' } as const;
type PictureType = (typeof TYPES)[keyof typeof TYPES];

const typeOf = (format: string | null | undefined): PictureType =>
	TYPES[(format ?? 'png') as keyof typeof TYPES];

/** Returns the request for a picture of a world. Throws `code` for fields that exclude each other. */
function captureRequestOf(
	world: World,
	query: PictureQuery,
	code: 'bad_query' | 'invalid_body',
	type = typeOf(query.format),
): CaptureRequest {
	const { width, height, hud, annotate, quality, preset } = query;
	const channel = (query.channel ?? 'color') as Channel;
	if (channel !== 'color' && type !== TYPES.png)
		throw new ApiError(code, `The channel "${channel}" has exact values, which ${type} changes.`, {
			fix: 'Omit the field "format", or send "png".',
			path: 'format',
		});
	if (channel !== 'color' && annotate)
		throw new ApiError(code, `The channel "${channel}" cannot be annotated.`, {
			fix: 'Send the channel "color", or omit the field "annotate".',
			path: 'annotate',
		});
	if (channel !== 'color' && preset != null)
		throw new ApiError(code, `The channel "${channel}" has no post-processing.`, {
			fix: 'Send the channel "color", or omit the field "preset".',
			path: 'preset',
		});
	if (quality != null && type === TYPES.png)
		throw new ApiError(code, 'A PNG has no quality: it keeps every pixel.', {
			fix: 'Send the format "jpeg" or "webp", or omit the field "quality".',
			path: 'quality',
		});
	return {
		channel,
		width: width ?? 1280,
		height: height ?? 720,
		hud,
		...(type === TYPES.png ? {} : { type }),
		...(quality == null ? {} : { quality: quality / 100 }),
		...(preset == null ? {} : { preset: preset as PresetName }),
		...(annotate ? { annotate, names: namesOf(world) } : {}),
	};
}

/** Returns the names of all drawn entities that have one. */
function namesOf(world: World): Record<number, string> {
	const names: Record<number, string> = {};
	const name = read(world, Name, 'name');
	each(world, [Mesh, Name], (slot) => {
		names[slot] = name[slot]!;
	});
	return names;
}

/** Takes a picture in a format that the caller chose. Throws `picture_failed` if the view cannot encode it. */
async function takeEncoded(host: Host, entry: WorldEntry, request: CaptureRequest): Promise<EncodedPicture> {
	const picture = await host.capture(entry, request);
	const { type = 'image/png' } = request;
	if (picture.type !== undefined && picture.type !== type && request.cameras === undefined && !request.report)
		throw notEncodedError(type);
	return picture;
}

const notEncodedError = (type: string): ApiError =>
	new ApiError('picture_failed', `The browser that draws cannot encode ${type}.`, {
		fix: 'Send the format "png", or omit the field "format".',
	});

/** Takes a picture of a world, saves it as a file, and returns its path. */
export async function savePicture(
	host: Host,
	entry: WorldEntry,
	query: PictureQuery,
	code: 'bad_query' | 'invalid_body' = 'invalid_body',
) {
	const request = captureRequestOf(entry.world, query, code);
	const { bytes, tick, digest } = await takeEncoded(host, entry, request);
	const { channel, width, height } = request;
	const suffixes = [
		query.hud ? '' : '-no-hud',
		query.annotate ? '-annotated' : '',
		query.quality == null ? '' : `-q${query.quality}`,
		query.preset == null ? '' : `-${query.preset}`,
	];
	const size = `${width}x${height}${suffixes.join('')}`;
	const name = `${entry.id}-${tick}-${digest}-${channel}-${size}.${query.format ?? 'png'}`;
	const path = `${PICTURES_FOLDER}/${name}`;
	await writePicture(host, path, bytes);
	return {
		path: `${host.files.storage}/${path}`,
		size_bytes: bytes.length,
		channel,
		width,
		height,
		tick,
		state_digest: digest,
	};
}

interface AlbumQuery extends PictureQuery {
	readonly report: boolean;
	readonly ghosts?: string | null | undefined;
	readonly ghost_color: string;
	readonly cameras?: readonly GivenCamera[] | null | undefined;
	/** Entities to show instead of the world. */
	readonly spawn?: readonly SpawnDocument[] | null | undefined;
}

type GivenCamera = z.infer<typeof routes.cameraBody>;

/** Returns a camera of a call. Omitted fields are those of the world's camera. Throws `invalid_body`. */
function cameraOf(world: World, sentCamera: GivenCamera): CaptureCamera {
	const { fov, ...fields } = givenFields(sentCamera);
	const { revision: _, ...current } = currentCamera(world);
	const pose = { ...current, ...fields, ...(fov === undefined ? {} : { fov_y: fov * DEGREE }) };
	requireRange(pose);
	return pose;
}

/**
 * Returns the world whose entities a picture shows as ghosts, and their colour; null without ghosts. Throws `bad_query` and
 * `unknown_world`.
 */
function ghostsOf(
	{ worlds }: Host,
	{ ghosts, ghost_color, channel, annotate, report, spawn }: AlbumQuery,
): { readonly other: World; readonly color: string } | null {
	if (ghosts == null) return null;
	const exact = (channel ?? 'color') !== 'color';
	const path = annotate ? 'annotate' : report ? 'report' : spawn != null ? 'spawn' : exact ? 'channel' : null;
	if (path !== null)
		throw new ApiError('bad_query', `Ghosts are not entities of this world, so "${path}" cannot show them.`, {
			fix: `Omit the field "ghosts" or "${path}".`,
			path: 'ghosts',
		});
	const color = parseColor(ghost_color);
	if (color === null)
		throw new ApiError('bad_query', `The colour "${ghost_color}" does not exist.`, {
			fix: `Send one of ${Object.keys(PALETTE).join(', ')}, or "r,g,b" with parts from 0 to 1.`,
			path: 'ghost_color',
		});
	return { other: worldOf(worlds, ghosts).world, color };
}

/** Angle of view of a camera that frames entities, and the direction from them to the camera. */
const FRAMING_ANGLE = 30 * DEGREE;
const FRAMING_DIRECTION = [0.6, 0.45, 0.66] as const;

/** Returns a camera that shows all of these entities. */
async function framingCamera(host: Host, world: World, ids: readonly number[]): Promise<GivenCamera> {
	const balls = await Promise.all(ids.map((id) => boundingBallOf(host, world, id)));
	const edges = (sign: 1 | -1, axis: number) =>
		balls.map(({ point, radius }) => point[axis]! + sign * radius);
	const low = [0, 1, 2].map((axis) => Math.min(...edges(-1, axis)));
	const high = [0, 1, 2].map((axis) => Math.max(...edges(1, axis)));
	const [x = 0, y = 0, z = 0] = low.map((low, axis) => (low + high[axis]!) / 2);
	const [ball] = balls;
	const radius = balls.length === 1 ? ball!.radius : Math.hypot(high[0]! - x, high[1]! - y, high[2]! - z);
	const distance = Math.max(0.5, radius) / Math.sin(FRAMING_ANGLE / 2);
	const [right, up, back] = FRAMING_DIRECTION;
	return {
		eye: [x + right * distance, y + up * distance, z + back * distance],
		target: [x, y, z],
		fov_y: FRAMING_ANGLE,
		near: distance / 100,
		far: distance * 100,
	};
}

/** Takes pictures from cameras, with a report, with ghosts, or of entities alone, as JSON. */
async function takeAlbum({ host, entry }: Context, query: AlbumQuery) {
	const { spawn, cameras } = query;
	if (spawn == null) return takeAlbumOf(host, entry.world, query);
	const spawnWorld = createEmptyWorld(entry.world, entry.world.seed);
	changeSky(spawnWorld, { plate: false });
	try {
		const framing = await framingCamera(
			host,
			spawnWorld,
			spawn.map((document) => spawnEntity(spawnWorld, document).handle.id),
		);
		const cameraFields = (cameras ?? [{}]).map((item) => ({ ...framing, ...item }));
		return await takeAlbumOf(host, spawnWorld, { ...query, cameras: cameraFields });
	} finally {
		dispose(spawnWorld);
	}
}

async function takeAlbumOf(host: Host, world: World, query: AlbumQuery) {
	const request = captureRequestOf(world, query, 'bad_query');
	const ghosts = ghostsOf(host, query);
	const cameraFields = query.cameras ?? (ghosts === null ? undefined : [{}]);
	const cameras = cameraFields?.map((item) => cameraOf(world, item));
	const count = cameras?.length ?? 1;
	const pixels = count * request.width * request.height;
	if (pixels > routes.MAX_PICTURE_PIXELS)
		throw new ApiError(
			'invalid_body',
			`${count} pictures of ${request.width} x ${request.height} have ${pixels} pixels; at most ${routes.MAX_PICTURE_PIXELS}.`,
			{ fix: 'Send fewer cameras, or a smaller width and height.', path: 'cameras' },
		);
	const state_digest = digest(world);
	// The world may change while its picture is drawn, and the names must belong to the same tick.
	const copy = host.aside(world);
	try {
		if (ghosts !== null) addGhosts(copy.entry.world, ghosts.other, ghosts.color);
		const { bytes, tick } = await host.capture(copy.entry, {
			...request,
			...(cameras === undefined ? {} : { cameras }),
			...(query.report ? { report: true } : {}),
		});
		const album = JSON.parse(new TextDecoder().decode(bytes)) as Album;
		const { type = TYPES.png, channel, width, height } = request;
		if (album.some((picture) => picture.type !== type)) throw notEncodedError(type);
		const pictures = album.map((picture) => withNames(copy.entry.world, picture));
		return { channel, width, height, tick, state_digest, pictures };
	} finally {
		copy.dispose();
	}
}

/** Adds generations, names and labels to the entities of a report. */
function withNames(world: World, { report, ...picture }: AlbumPicture) {
	if (report === undefined) return picture;
	const { entities, hidden, ...counts } = report;
	const withName = <T extends { readonly id: number }>({ id, ...rest }: T) => ({
		id,
		generation: world.entities.generations.data[id]!,
		...(has(world, id, Name) ? { name: read(world, Name, 'name')[id]! } : {}),
		...(has(world, id, Tags) ? { tags: [...read(world, Tags, 'tags')[id]!] } : {}),
		...rest,
	});
	return {
		...picture,
		report: { entities: entities.map(withName), hidden: hidden.map(withName), ...counts },
	};
}

/** Returns the media type in which a caller accepts the picture itself, preferring small files; undefined if it accepts none. */
function acceptedType({ channel, format }: PictureQuery, accept: string): PictureType | undefined {
	if (format != null) return accept.includes('image/') ? typeOf(format) : undefined;
	const isColor = (channel ?? 'color') === 'color';
	const types = isColor ? [TYPES.webp, TYPES.png, TYPES.jpeg] : [TYPES.png];
	return types.find((type) => accept.includes(type)) ?? (accept.includes('image/*') ? TYPES.png : undefined);
}

const ACCEPT_FIX = 'Send the header Accept: image/png to get the picture itself.';

/** Answers GET and POST /screenshot. */
export async function screenshot(context: Context, query: AlbumQuery) {
	const { host, entry, accept, principal } = context;
	if (query.report || query.cameras != null || query.ghosts != null || query.spawn != null)
		return takeAlbum(context, query);
	const accepted = acceptedType(query, accept);
	if (accepted === undefined) {
		requireMay(principal, 'write', 'Saving a picture on the server', ACCEPT_FIX);
		return savePicture(host, entry, query, 'bad_query');
	}
	const request = captureRequestOf(entry.world, query, 'bad_query', accepted);
	const picture = await (query.format == null
		? host.capture(entry, request)
		: takeEncoded(host, entry, request));
	const { bytes, type = TYPES.png, tick, digest } = picture;
	const headers = {
		'content-type': type,
		'x-orrery-tick': String(tick),
		'x-orrery-digest': digest,
	};
	return new RawAnswer({ status: 200, headers, body: bytes });
}
