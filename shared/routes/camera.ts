/** Routes of the tag Camera and render: camera pose and presets, screenshots. */

import * as z from 'zod';
import { route } from '../contract/route.ts';
import {
	flag,
	integer,
	message,
	namedEntity,
	number,
	optional,
	queryFlag,
	text,
	vec3,
	word,
} from '../contract/values.ts';
import { worldStamp } from './entity-view.ts';

const pose = {
	eye: vec3('Position of the camera'),
	target: vec3('Point that the camera looks at'),
	up: vec3('Up direction', { unit: 'direction' }),
	fov_y: number('Vertical angle of view', { unit: 'rad', min: 0.01, max: 3.1 }),
	orthographic: flag('Parallel instead of perspective projection'),
	ortho_size: number('Half the visible height, with orthographic projection', {
		unit: 'm',
		min: 1e-3,
		max: 1e5,
	}),
};

export const getCamera = route({
	id: 'camera.get',
	tag: 'Camera and render',
	method: 'GET',
	path: '/camera',
	cli: ['camera', 'get'],
	summary: 'Position and direction of the camera',
	effect: 'read',
	answer: z.strictObject({ ok: z.literal(true), ...pose }),
	errors: {},
	examples: [{ name: 'Read the camera' }],
});

export const setCamera = route({
	id: 'camera.set',
	tag: 'Camera and render',
	method: 'POST',
	path: '/camera',
	cli: ['camera', 'set'],
	summary: 'Moves the camera; fields left out keep their values',
	effect: 'view',
	body: z.strictObject({
		eye: optional(pose.eye),
		target: optional(pose.target),
		up: optional(pose.up),
		fov_y: optional(pose.fov_y),
		fov: optional(
			number('Vertical angle of view in degrees, instead of fov_y', { unit: 'deg', min: 1, max: 177 }),
		),
		orthographic: optional(pose.orthographic),
		ortho_size: optional(pose.ortho_size),
	}),
	answer: message,
	errors: {},
	examples: [{ name: 'Look from above', body: { eye: [0, 12, 8], target: [0, 0.5, 0] } }],
});

export const VIEW_NAMES = ['top', 'front', 'back', 'right', 'left', 'perspective'] as const;

export const setCameraView = route({
	id: 'camera.view',
	tag: 'Camera and render',
	method: 'POST',
	path: '/camera/view',
	cli: ['camera', 'view'],
	summary: 'Jumps to a named view',
	effect: 'view',
	body: z.strictObject({ view: word(VIEW_NAMES, 'Name of the view').default('perspective') }),
	answer: message,
	errors: {},
	examples: [{ name: 'From the top', body: { view: 'top' } }],
});

export const focusCamera = route({
	id: 'camera.focus',
	tag: 'Camera and render',
	method: 'POST',
	path: '/camera/focus',
	cli: ['camera', 'focus'],
	summary: 'Looks at an entity from 5 to 20 m',
	effect: 'view',
	body: z.strictObject(namedEntity),
	answer: message,
	errors: { entity_not_found: 200, stale_handle: 200 },
	examples: [{ name: 'Look at entity 0', given: [{ path: '/spawn', body: {} }], body: { entity_id: 0 } }],
});

const pixels = (what: string) => integer(what, { unit: 'pixels', min: 16, max: 4096 });

const screenshot = {
	tag: 'Camera and render',
	path: '/screenshot',
	batch: false,
	summary: 'A picture of the world through its camera, as a PNG',
	description:
		'With `Accept: image/png` the answer is the picture, with the headers x-orrery-tick and x-orrery-digest; otherwise it is saved under the data folder. ' +
		'color: what a person sees, with the HUD unless hud=false. ' +
		'segmentation: a pixel is (id + 1) as red + 256 green + 65536 blue, 0 where there is nothing. depth: millimetres along the view axis in the same way, 16777215 where there is nothing.',
	effect: 'read',
	query: z.strictObject({
		channel: optional(word(['color', 'segmentation', 'depth'], 'What the pixels show; default color')),
		width: optional(pixels('Width; default 1280')),
		height: optional(pixels('Height; default 720')),
		hud: queryFlag('Of color: whether the HUD is drawn over it').default(true),
	}),
	answer: z.strictObject({
		ok: z.literal(true),
		path: text('Where the file is', 1000),
		size_bytes: z.int().describe('Size of the file (bytes)'),
		channel: z.string(),
		width: z.int().describe('Width (pixels)'),
		height: z.int().describe('Height (pixels)'),
		...worldStamp,
	}),
	media: ['image/png'],
	errors: { no_picture: 503, picture_failed: 500, picture_late: 504, file_failed: 200, file_refused: 200 },
} as const;

const picture = { name: 'Take a picture', needs: 'view', path: '/screenshot?width=64&height=36' } as const;

const withoutHud = {
	...picture,
	name: 'Without the HUD',
	path: '/screenshot?width=64&height=36&hud=false',
} as const;

export const getScreenshot = route({
	...screenshot,
	id: 'camera.screenshot',
	method: 'GET',
	cli: ['screenshot'],
	examples: [picture, withoutHud],
});

export const postScreenshot = route({
	...screenshot,
	id: 'camera.take_screenshot',
	method: 'POST',
	cli: ['camera', 'screenshot'],
	examples: [{ ...picture, body: {} }],
});

export const getFrame = route({
	id: 'camera.frame',
	tag: 'Camera and render',
	method: 'GET',
	path: '/frame',
	cli: ['camera', 'frame'],
	batch: false,
	summary: 'What a view needs to draw the world as it is now',
	description:
		'With `Accept: application/vnd.orrery.frame` the answer is the frame itself as bytes, for a page that draws the world without holding it; otherwise a description of its content.',
	effect: 'read',
	query: z.strictObject({
		known: optional(
			text(
				'Blocks that the caller already has, as name:version separated by commas; these are left out',
				1000,
			),
		),
		since: integer('Tick of the last frame that the caller received; later events are included').optional(),
	}),
	answer: z.strictObject({
		ok: z.literal(true),
		world: text('Which world it shows'),
		tick: z.int().describe('Ticks completed'),
		playing: z.boolean().describe('Whether the world runs in real time'),
		versions: z
			.record(z.string(), z.int())
			.describe('Block -> version number, which changes whenever its content does'),
		blocks: z.array(z.string()).describe('Blocks that are in it'),
		event_count: z.int().describe('Events that are in it'),
		size_bytes: z.int().describe('Size of the frame (bytes)'),
	}),
	media: ['application/vnd.orrery.frame'],
	errors: {},
	examples: [{ name: 'Ask for what is drawn', given: [{ path: '/spawn', body: { mesh: 'cube' } }] }],
});
