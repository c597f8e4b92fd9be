/** Handlers of the tag Camera and render. */

import type * as z from 'zod';
import { Mesh } from '../../shared/components/mesh.ts';
import { Name } from '../../shared/components/name.ts';
import { Tags } from '../../shared/components/tags.ts';
import { ApiError } from '../../shared/contract/errors.ts';
import { PICTURES_FOLDER } from '../../shared/contract/file-path.ts';
import { requireMay } from '../../shared/contract/principal.ts';
import type { PresetName } from '../../shared/documents/postprocess.ts';
import * as routes from '../../shared/routes/camera.ts';
import type { Album, AlbumPicture, CaptureCamera, CaptureRequest, Channel } from '../frames/frames.ts';
import { CAMERA_VIEWS, camera, focusCamera, requireRange } from '../sim/camera/camera.ts';
import { cameraNow, letMove, moving, putCamera, standStill } from '../sim/camera/moving.ts';
import { shakeCamera } from '../sim/camera/shake.ts';
import { each, has, read, type World } from '../sim/core/world.ts';
import { middleOf, terrains } from '../sim/terrain/terrain.ts';
import type { WorldEntry } from '../store/worlds.ts';
import { ballRound } from './bounds-of.ts';
import type { Context, Host, Picture } from './context.ts';
import { givenFields } from './given-fields.ts';
import { handler } from './handler.ts';
import { namedBy } from './named-entity.ts';
import { readOut } from './on-copy.ts';
import { RawAnswer } from './raw-answer.ts';

const tuple = ([x, y, z]: readonly [number, number, number]): [number, number, number] => [x, y, z];
const DEGREE = Math.PI / 180;

/** Writes the picture; where that cannot be, the refusal says how to have it without a file. */
async function keep({ files }: Host, path: string, bytes: Uint8Array): Promise<void> {
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

/** The request for a picture of a world. Throws `code` for fields that exclude each other. */
function requestOf(
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

/** Names of all entities that are drawn and have one. */
function namesOf(world: World): Record<number, string> {
	const names: Record<number, string> = {};
	const name = read(world, Name, 'name');
	each(world, [Mesh, Name], (slot) => {
		names[slot] = name[slot]!;
	});
	return names;
}

/** Takes a picture in a format that the caller chose. Throws `picture_failed` if the view cannot encode it. */
async function takeAs(host: Host, entry: WorldEntry, request: CaptureRequest): Promise<Picture> {
	const picture = await host.capture(entry, request);
	const { type = 'image/png' } = request;
	if (picture.type !== undefined && picture.type !== type && request.cameras === undefined && !request.report)
		throw notEncoded(type);
	return picture;
}

const notEncoded = (type: string): ApiError =>
	new ApiError('picture_failed', `The browser that draws cannot encode ${type}.`, {
		fix: 'Send the format "png", or omit the field "format".',
	});

/** Takes a picture of a world, saves it as a file, and returns its path. */
export async function keepPicture(
	host: Host,
	entry: WorldEntry,
	query: PictureQuery,
	code: 'bad_query' | 'invalid_body' = 'invalid_body',
) {
	const request = requestOf(entry.world, query, code);
	const { bytes, tick, digest } = await takeAs(host, entry, request);
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
	await keep(host, path, bytes);
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
	readonly cameras?: readonly GivenCamera[] | null | undefined;
}

type GivenCamera = z.infer<typeof routes.givenCamera>;

/** A camera of a call; fields left out are those of the world's camera. Throws `invalid_body`. */
function cameraOf(world: World, given: GivenCamera): CaptureCamera {
	const { fov, ...fields } = givenFields(given);
	const { revision: _, ...now } = cameraNow(world);
	const pose = { ...now, ...fields, ...(fov === undefined ? {} : { fov_y: fov * DEGREE }) };
	requireRange(pose);
	return pose;
}

/** Takes pictures from cameras, or with a report, as JSON. */
async function takeAlbum({ host, entry }: Context, query: AlbumQuery) {
	const { world } = entry;
	const request = requestOf(world, query, 'bad_query');
	const cameras = query.cameras?.map((given) => cameraOf(world, given));
	const count = cameras?.length ?? 1;
	const pixels = count * request.width * request.height;
	if (pixels > routes.MAX_PICTURE_PIXELS)
		throw new ApiError(
			'invalid_body',
			`${count} pictures of ${request.width} x ${request.height} have ${pixels} pixels; at most ${routes.MAX_PICTURE_PIXELS}.`,
			{ fix: 'Send fewer cameras, or a smaller width and height.', path: 'cameras' },
		);
	// The world may change while its picture is drawn; the names must be of the same tick.
	const aside = host.aside(world);
	try {
		const { bytes, tick, digest } = await host.capture(aside.entry, {
			...request,
			...(cameras === undefined ? {} : { cameras }),
			...(query.report ? { report: true } : {}),
		});
		const album = JSON.parse(new TextDecoder().decode(bytes)) as Album;
		const { type = TYPES.png, channel, width, height } = request;
		if (album.some((picture) => picture.type !== type)) throw notEncoded(type);
		const pictures = album.map((picture) => withNames(aside.entry.world, picture));
		return { channel, width, height, tick, state_digest: digest, pictures };
	} finally {
		aside.dispose();
	}
}

/** Adds generations, names and labels to the entities of a report. */
function withNames(world: World, { report, ...picture }: AlbumPicture) {
	if (report === undefined) return picture;
	const { entities, hidden, ...counts } = report;
	const known = <T extends { readonly id: number }>({ id, ...rest }: T) => ({
		id,
		generation: world.entities.generations.data[id]!,
		...(has(world, id, Name) ? { name: read(world, Name, 'name')[id]! } : {}),
		...(has(world, id, Tags) ? { tags: [...read(world, Tags, 'tags')[id]!] } : {}),
		...rest,
	});
	return { ...picture, report: { entities: entities.map(known), hidden: hidden.map(known), ...counts } };
}

/** Media types that a caller accepts for a picture itself, the smallest first. */
function acceptedType({ channel, format }: PictureQuery, accept: string): PictureType | undefined {
	if (format != null) return accept.includes('image/') ? typeOf(format) : undefined;
	const isColor = (channel ?? 'color') === 'color';
	const types = isColor ? [TYPES.webp, TYPES.png, TYPES.jpeg] : [TYPES.png];
	return types.find((type) => accept.includes(type));
}

const PICTURE_ITSELF = 'Send the header Accept: image/png to get the picture itself.';

async function screenshot(context: Context, query: AlbumQuery) {
	const { host, entry, accept, principal } = context;
	if (query.report || query.cameras != null) return takeAlbum(context, query);
	const accepted = acceptedType(query, accept);
	if (accepted === undefined) {
		requireMay(principal, 'write', 'Saving a picture on the server', PICTURE_ITSELF);
		return keepPicture(host, entry, query, 'bad_query');
	}
	const request = requestOf(entry.world, query, 'bad_query', accepted);
	const picture = await (query.format == null ? host.capture(entry, request) : takeAs(host, entry, request));
	const { bytes, type = TYPES.png, tick, digest } = picture;
	const headers = {
		'content-type': type,
		'x-orrery-tick': String(tick),
		'x-orrery-digest': digest,
	};
	return new RawAnswer({ status: 200, headers, body: bytes });
}

/** A point for people, in metres. */
const words = (point: readonly number[]): string => point.map((part) => part.toFixed(1)).join(', ');

export const handlers = [
	handler(routes.getCamera, ({ world }) => {
		const { eye, target, up, fov_y, orthographic, ortho_size, near, far } = cameraNow(world);
		const move = moving(world);
		return {
			eye: tuple(eye),
			target: tuple(target),
			up: tuple(up),
			fov_y,
			orthographic,
			ortho_size,
			near,
			far,
			mode: move?.mode ?? ('free' as const),
			move,
		};
	}),

	handler(routes.setCamera, ({ world }, { body }) => {
		const { fov, ...pose } = body;
		const { eye, target } = putCamera(world, {
			...givenFields(pose),
			...(fov != null ? { fov_y: fov * DEGREE } : {}),
		});
		return { message: `The camera looks from ${words(eye)} at ${words(target)}.` };
	}),

	handler(routes.setCameraView, ({ world }, { body }) => {
		putCamera(world, CAMERA_VIEWS[body.view]);
		return { message: `The camera has the view "${body.view}".` };
	}),

	handler(routes.focusCamera, async ({ host, world }, { body }) => {
		const { id } = namedBy(world, body);
		const terrain = terrains(world).find((one) => one.id === id);
		const { point, radius } =
			terrain === undefined ? await ballRound(host, world, id) : middleOf(world, terrain);
		// A terrain is looked at from above it; of anything else, all has to fit into the height of the picture.
		const fit =
			terrain === undefined ? radius / Math.sin(Math.min(camera(world).fov_y, Math.PI / 2) / 2) : radius;
		standStill(world);
		focusCamera(world, point, fit);
		return { message: `The camera looks at entity ${id} at ${words(point)}.` };
	}),

	handler(routes.followWithCamera, ({ world }, { body }) => {
		const { id, generation } = namedBy(world, body);
		const { offset, look, turn } = body;
		letMove(world, { mode: 'follow', entity: { id, generation }, offset, look, turn });
		return { message: `The camera follows entity ${id}.` };
	}),

	handler(routes.orbitWithCamera, ({ world }, { body }) => {
		const { entity_id, generation, entity_generation, ...orbit } = body;
		const named = entity_id == null ? null : namedBy(world, { entity_id, entity_generation, generation });
		const entity = named && { id: named.id, generation: named.generation };
		letMove(world, { mode: 'orbit', entity, ...orbit, start: world.tick });
		const round = entity === null ? words(orbit.center) : `entity ${entity.id}`;
		return { message: `The camera orbits ${round}.` };
	}),

	handler(routes.moveCameraAlong, ({ world }, { body }) => {
		letMove(world, { mode: 'path', ...body, start: world.tick });
		return {
			message: `The camera follows a path of ${body.points.length} points for ${body.points.at(-1)!.tick} ticks.`,
		};
	}),

	handler(routes.stopCamera, ({ world }) => {
		if (!standStill(world))
			throw new ApiError('not_moving', 'The camera is not moving, so there is nothing to stop.');
		return { message: 'The camera stopped.' };
	}),

	handler(routes.shakeCamera, ({ world }, { body }) => {
		shakeCamera(world, body);
		return { message: `The picture shakes for ${body.ticks} ticks.` };
	}),

	handler(routes.getFrame, async ({ host, entry, accept }, { query }) => {
		const known = Object.fromEntries(
			(query.known ?? '').split(',').flatMap((pair) => {
				const [name = '', version = ''] = pair.split(':');
				return name === '' ? [] : [[name, Number(version)]];
			}),
		);
		const { frame, bytes, type } = await readOut(host, entry.world, (copy) =>
			host.frame(copy, entry, known, query.since),
		);
		if (accept.includes(type))
			return new RawAnswer({ status: 200, headers: { 'content-type': type }, body: bytes });
		const { world, tick, playing, versions, blocks, events } = frame;
		return {
			world,
			tick,
			playing,
			versions: { ...versions },
			blocks: Object.keys(blocks),
			event_count: events.length,
			size_bytes: bytes.length,
		};
	}),

	handler(routes.getScreenshot, (context, { query }) => screenshot(context, query)),
	handler(routes.postScreenshot, (context, { query, body }) =>
		screenshot(context, { ...query, cameras: body.cameras }),
	),
];
