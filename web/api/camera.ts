/** Handlers of the tag Camera and render. */

import { ApiError } from '../../shared/contract/errors.ts';
import { PICTURES_FOLDER } from '../../shared/contract/file-path.ts';
import { requireMay } from '../../shared/contract/principal.ts';
import * as routes from '../../shared/routes/camera.ts';
import type { Channel } from '../frames/frames.ts';
import { CAMERA_VIEWS, camera, focusCamera } from '../sim/camera/camera.ts';
import { cameraNow, letMove, moving, putCamera, standStill } from '../sim/camera/moving.ts';
import { shakeCamera } from '../sim/camera/shake.ts';
import { middleOf, terrains } from '../sim/terrain/terrain.ts';
import type { WorldEntry } from '../store/worlds.ts';
import { ballRound } from './bounds-of.ts';
import type { Context, Host } from './context.ts';
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
	readonly hud: boolean;
}

const requestOf = ({ channel, width, height, hud }: PictureQuery) => ({
	channel: (channel ?? 'color') as Channel,
	width: width ?? 1280,
	height: height ?? 720,
	hud,
});

/** Takes a picture of a world, keeps it as a file, and says where it is. */
export async function keepPicture(host: Host, entry: WorldEntry, query: PictureQuery) {
	const { hud, ...picture } = requestOf(query);
	const { bytes, tick, digest } = await host.capture(entry, { ...picture, hud });
	const { channel, width, height } = picture;
	const name = `${entry.id}-${tick}-${digest}-${channel}-${width}x${height}${hud ? '' : '-no-hud'}.png`;
	const path = `${PICTURES_FOLDER}/${name}`;
	await keep(host, path, bytes);
	return {
		path: `${host.files.storage}/${path}`,
		size_bytes: bytes.length,
		...picture,
		tick,
		state_digest: digest,
	};
}

/** A quarter of the size of a PNG, for callers that pay for bytes. */
const WEBP = 'image/webp';

const PICTURE_ITSELF = 'Send the header Accept: image/png to get the picture itself.';

async function screenshot({ host, entry, accept, principal }: Context, query: PictureQuery) {
	const isWebp = accept.includes(WEBP) && (query.channel ?? 'color') === 'color';
	if (!accept.includes('image/png') && !isWebp) {
		requireMay(principal, 'write', 'Saving a picture on the server', PICTURE_ITSELF);
		return keepPicture(host, entry, query);
	}
	const request = requestOf(query);
	const picture = await host.capture(entry, isWebp ? { ...request, type: WEBP } : request);
	const { bytes, type = 'image/png', tick, digest } = picture;
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
	handler(routes.postScreenshot, (context, { query }) => screenshot(context, query)),
];
