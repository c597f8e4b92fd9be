/** Handlers of the tag Camera and render. */

import { LocalTransform } from '../../shared/components/local-transform.ts';
import { ApiError } from '../../shared/contract/errors.ts';
import * as routes from '../../shared/routes/camera.ts';
import type { Context, Host } from '../host/context.ts';
import type { Channel } from '../host/frames.ts';
import { CAMERA_VIEWS, camera, focusCamera, moveCamera } from '../sim/camera/camera.ts';
import { get } from '../sim/core/world.ts';
import { handler } from './handler.ts';
import { namedBy } from './named-entity.ts';
import { RawAnswer } from './raw-answer.ts';

const tuple = ([x, y, z]: readonly [number, number, number]): [number, number, number] => [x, y, z];
const DEGREE = Math.PI / 180;
const given = <T extends object>(values: T) =>
	Object.fromEntries(Object.entries(values).filter(([, value]) => value != null)) as {
		[K in keyof T]?: NonNullable<T[K]>;
	};

/** Writes the picture; where that cannot be, the refusal says how to have it without a file. */
async function keep({ files }: Host, path: string, png: Uint8Array): Promise<void> {
	try {
		await files.write(path, png);
	} catch (error) {
		if (!(error instanceof ApiError)) throw error;
		throw new ApiError(error.code, `The picture was taken, but not saved: ${error.message}`, {
			fix: 'Send the header Accept: image/png to get the picture itself, or make the data folder writable.',
		});
	}
}

async function screenshot(
	{ host, entry, accept }: Context,
	query: { channel?: string | null; width?: number | null; height?: number | null; hud: boolean },
) {
	const picture = {
		channel: (query.channel ?? 'color') as Channel,
		width: query.width ?? 1280,
		height: query.height ?? 720,
	};
	const { hud } = query;
	const { png, tick, digest } = await host.capture(entry, { ...picture, hud });
	if (accept.includes('image/png')) {
		const headers = {
			'content-type': 'image/png',
			'x-orrery-tick': String(tick),
			'x-orrery-digest': digest,
		};
		return new RawAnswer({ status: 200, headers, body: png });
	}
	const { channel, width, height } = picture;
	const name = `${entry.id}-${tick}-${digest}-${channel}-${width}x${height}${hud ? '' : '-no-hud'}.png`;
	const path = `screenshots/${name}`;
	await keep(host, path, png);
	return {
		path: `${host.files.storage}/${path}`,
		size_bytes: png.length,
		...picture,
		tick,
		state_digest: digest,
	};
}

/** A point for people, in metres. */
const words = (point: readonly number[]): string => point.map((part) => part.toFixed(1)).join(', ');

export const handlers = [
	handler(routes.getCamera, ({ world }) => {
		const { eye, target, up, fov_y, orthographic, ortho_size } = camera(world);
		return { eye: tuple(eye), target: tuple(target), up: tuple(up), fov_y, orthographic, ortho_size };
	}),

	handler(routes.setCamera, ({ world }, { body }) => {
		const { fov, ...pose } = body;
		const { eye, target } = moveCamera(world, {
			...given(pose),
			...(fov != null ? { fov_y: fov * DEGREE } : {}),
		});
		return { message: `Looking from ${words(eye)} at ${words(target)}.` };
	}),

	handler(routes.setCameraView, ({ world }, { body }) => {
		moveCamera(world, CAMERA_VIEWS[body.view]);
		return { message: `Looking from ${body.view}.` };
	}),

	handler(routes.focusCamera, ({ world }, { body }) => {
		const { id } = namedBy(world, body);
		const point = get(world, id, LocalTransform)?.position ?? ([0, 0, 0] as const);
		focusCamera(world, point);
		return { message: `Looking at entity ${id} at ${words(point)}.` };
	}),

	handler(routes.getFrame, ({ host, entry, accept }, { query }) => {
		const known = Object.fromEntries(
			(query.known ?? '').split(',').flatMap((pair) => {
				const [name = '', version = ''] = pair.split(':');
				return name === '' ? [] : [[name, Number(version)]];
			}),
		);
		const { frame, bytes, type } = host.frame(entry, known, query.since);
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
