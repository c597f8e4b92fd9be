/** Handlers of the tag Camera and render. */

import { ApiError } from '../../shared/contract/errors.ts';
import * as routes from '../../shared/routes/camera.ts';
import { CAMERA_VIEWS, focusCamera, stillCamera } from '../sim/camera/camera.ts';
import {
	currentCamera,
	movementOf,
	placeCamera,
	startMovement,
	stopMovement,
} from '../sim/camera/camera-movement.ts';
import { shakeCamera } from '../sim/camera/shake.ts';
import { middleOf, terrains } from '../sim/terrain/terrain.ts';
import { boundingBallOf } from './bounds-of.ts';
import { givenFields } from './given-fields.ts';
import { handler } from './handler.ts';
import { requireNamedEntity } from './named-entity.ts';
import { screenshot } from './pictures.ts';
import { RawAnswer } from './raw-answer.ts';
import { readInSlices } from './read-on-copy.ts';

const tuple = ([x, y, z]: readonly [number, number, number]): [number, number, number] => [x, y, z];
const DEGREE = Math.PI / 180;

/** Returns the text of a point, in metres. */
const pointText = (point: readonly number[]): string => point.map((part) => part.toFixed(1)).join(', ');

export const handlers = [
	handler(routes.getCamera, ({ world }) => {
		const { eye, target, up, fov_y, orthographic, ortho_size, near, far } = currentCamera(world);
		const move = movementOf(world);
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
		const { eye, target } = placeCamera(world, {
			...givenFields(pose),
			...(fov != null ? { fov_y: fov * DEGREE } : {}),
		});
		return { message: `The camera looks from ${pointText(eye)} at ${pointText(target)}.` };
	}),

	handler(routes.setCameraView, ({ world }, { body }) => {
		placeCamera(world, CAMERA_VIEWS[body.view]);
		return { message: `The camera has the view "${body.view}".` };
	}),

	handler(routes.focusCamera, async ({ host, world }, { body }) => {
		const { id } = requireNamedEntity(world, body);
		const terrain = terrains(world).find((candidate) => candidate.id === id);
		const { point, radius } =
			terrain === undefined ? await boundingBallOf(host, world, id) : middleOf(world, terrain);
		// The camera looks at a terrain from above. Anything else must fit into the height of the picture.
		const viewRadius =
			terrain === undefined ? radius / Math.sin(Math.min(stillCamera(world).fov_y, Math.PI / 2) / 2) : radius;
		stopMovement(world);
		focusCamera(world, point, viewRadius);
		return { message: `The camera looks at entity ${id} at ${pointText(point)}.` };
	}),

	handler(routes.followWithCamera, ({ world }, { body }) => {
		const { id, generation } = requireNamedEntity(world, body);
		const { offset, look, turn } = body;
		startMovement(world, { mode: 'follow', entity: { id, generation }, offset, look, turn });
		return { message: `The camera follows entity ${id}.` };
	}),

	handler(routes.orbitWithCamera, ({ world }, { body }) => {
		const { entity_id, generation, entity_generation, ...orbit } = body;
		const handle =
			entity_id == null ? null : requireNamedEntity(world, { entity_id, entity_generation, generation });
		const entity = handle && { id: handle.id, generation: handle.generation };
		startMovement(world, { mode: 'orbit', entity, ...orbit, start: world.tick });
		const orbited = entity === null ? pointText(orbit.center) : `entity ${entity.id}`;
		return { message: `The camera orbits ${orbited}.` };
	}),

	handler(routes.moveCameraAlong, ({ world }, { body }) => {
		startMovement(world, { mode: 'path', ...body, start: world.tick });
		return {
			message: `The camera follows a path of ${body.points.length} points for ${body.points.at(-1)!.tick} ticks.`,
		};
	}),

	handler(routes.stopCamera, ({ world }) => {
		if (!stopMovement(world))
			throw new ApiError('not_moving', 'The camera is not moving, so there is nothing to stop.');
		return { message: 'The camera stopped.' };
	}),

	handler(routes.shakeCamera, ({ world }, { body }) => {
		shakeCamera(world, body);
		return { message: `The picture shakes for ${body.ticks} ticks.` };
	}),

	handler(routes.getFrame, async ({ host, entry, accept }, { query }) => {
		const knownVersions = Object.fromEntries(
			(query.known ?? '').split(',').flatMap((pair) => {
				const [name = '', version = ''] = pair.split(':');
				return name === '' ? [] : [[name, Number(version)]];
			}),
		);
		const { frame, bytes, type } = await readInSlices(host, entry.world, (copy) =>
			host.frame(copy, entry, knownVersions, query.since),
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
	handler(routes.postScreenshot, (context, { query, body }) => screenshot(context, { ...query, ...body })),
];
