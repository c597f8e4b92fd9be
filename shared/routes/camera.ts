/** Routes of the tag Camera and render: camera pose and presets, screenshots. */

import * as z from 'zod';
import { MAX_PICTURES } from '../contract/file-path.ts';
import { route } from '../contract/route.ts';
import {
	entityId,
	entityReference,
	flag,
	generation,
	integer,
	message,
	nullMeansDefault,
	number,
	optional,
	queryFlag,
	text,
	vec3,
	word,
} from '../contract/values.ts';
import {
	cameraMove,
	DEFAULT_SHAKE,
	followFields,
	orbitFields,
	pathFields,
	shakeFields,
} from '../documents/camera-move.ts';
import { PRESET_NAMES } from '../documents/postprocess.ts';
import { spawnDocument } from '../documents/spawn.ts';
import { worldStamp } from './entity-view.ts';
import { documentErrors } from './world.ts';

const pose = {
	eye: vec3('Position of the camera'),
	target: vec3('Point it looks at'),
	up: vec3('Up direction', { unit: 'direction' }),
	fov_y: number('Vertical angle of view', { unit: 'rad', min: 0.01, max: 3.1 }),
	orthographic: flag('Parallel instead of perspective projection'),
	ortho_size: number('Half the visible height, with orthographic projection', {
		unit: 'm',
		min: 1e-3,
		max: 1e5,
	}),
	near: number('Nearest distance that is drawn', { unit: 'm', min: 1e-3, max: 1e4 }),
	far: number('Farthest distance that is drawn', { unit: 'm', min: 0.01, max: 1e6 }),
};

/** Schema of a pose in a body. Omitted fields keep their values. */
export const cameraBody = z.strictObject({
	eye: optional(pose.eye),
	target: optional(pose.target),
	up: optional(pose.up),
	fov_y: optional(pose.fov_y),
	fov: optional(
		number('Vertical angle of view in degrees, instead of fov_y', { unit: 'deg', min: 1, max: 177 }),
	),
	orthographic: optional(pose.orthographic),
	ortho_size: optional(pose.ortho_size),
	near: optional(pose.near),
	far: optional(pose.far),
});

export const getCamera = route({
	id: 'camera.get',
	tag: 'Camera and render',
	method: 'GET',
	path: '/camera',
	cli: ['camera', 'get'],
	summary: 'Position and direction of the camera',
	effect: 'read',
	description: 'The pose is that of the current tick, also while the camera moves by itself.',
	answer: z.strictObject({
		ok: z.literal(true),
		...pose,
		mode: z.enum(['free', 'follow', 'orbit', 'path']).describe('Kind of automatic movement; free: none'),
		move: cameraMove.nullable().describe('Settings of the movement; null: none'),
	}),
	errors: [],
	examples: [{ name: 'Read the camera' }],
});

export const setCamera = route({
	id: 'camera.set',
	tag: 'Camera and render',
	method: 'POST',
	path: '/camera',
	cli: ['camera', 'set'],
	summary: 'Moves the camera; fields left out keep their values',
	description: 'An eye or a target ends its automatic movement.',
	effect: 'view',
	owner: ['settings'],
	body: cameraBody,
	answer: message,
	errors: [],
	examples: [
		{ name: 'Look from above', body: { eye: [0, 12, 8], target: [0, 0.5, 0] } },
		{ name: 'A long lens', body: { fov: 20, near: 1, far: 5000 } },
	],
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
	owner: ['settings'],
	body: z.strictObject({ view: word(VIEW_NAMES, 'Name of the view').default('perspective') }),
	answer: message,
	errors: [],
	examples: [{ name: 'From the top', body: { view: 'top' } }],
});

export const focusCamera = route({
	id: 'camera.focus',
	tag: 'Camera and render',
	method: 'POST',
	path: '/camera/focus',
	cli: ['camera', 'focus'],
	summary: 'Looks at the middle of an entity from 5 to 20 m, or from far enough to see all of a large one',
	effect: 'view',
	owner: ['settings'],
	body: z.strictObject(entityReference),
	answer: message,
	errors: [],
	inside: ['entity_not_found', 'stale_handle'],
	examples: [{ name: 'Look at entity 0', given: [{ path: '/spawn', body: {} }], body: { entity_id: 0 } }],
});

export const followWithCamera = route({
	id: 'camera.follow',
	tag: 'Camera and render',
	method: 'POST',
	path: '/camera/follow',
	cli: ['camera', 'follow'],
	summary: 'Makes the camera follow an entity',
	description:
		'It follows until it is moved or stopped. When the entity is gone, the camera returns to its former pose.',
	effect: 'view',
	owner: ['settings'],
	body: z.strictObject({
		...entityReference,
		...nullMeansDefault({
			offset: followFields.offset.default([0, 5, 9]),
			look: followFields.look.default([0, 1, 0]),
			turn: followFields.turn.default(false),
		}),
	}),
	answer: message,
	errors: ['entity_not_found', 'stale_handle'],
	examples: [
		{
			name: 'From behind and above',
			given: [{ path: '/spawn', body: {} }],
			body: { entity_id: 0, offset: [0, 4, 8], turn: true },
		},
	],
});

export const orbitWithCamera = route({
	id: 'camera.orbit',
	tag: 'Camera and render',
	method: 'POST',
	path: '/camera/orbit',
	cli: ['camera', 'orbit'],
	summary: 'Makes the camera circle a point or an entity',
	effect: 'view',
	owner: ['settings'],
	body: z.strictObject({
		...entityReference,
		entity_id: optional(entityReference.entity_id).describe('Entity it circles; left out: the center'),
		...nullMeansDefault({
			center: orbitFields.center.default([0, 0, 0]),
			distance: orbitFields.distance.default(12),
			height: orbitFields.height.default(6),
			angle: orbitFields.angle.default(0),
			turn_ticks: orbitFields.turn_ticks.default(1200),
		}),
	}),
	answer: message,
	errors: ['entity_not_found', 'stale_handle'],
	examples: [{ name: 'Once around in ten seconds', body: { center: [0, 1, 0], turn_ticks: 600 } }],
});

export const moveCameraAlong = route({
	id: 'camera.path',
	tag: 'Camera and render',
	method: 'POST',
	path: '/camera/path',
	cli: ['camera', 'path'],
	summary: 'Moves the camera along a path of points with ticks',
	effect: 'view',
	owner: ['settings'],
	body: z.strictObject({
		points: pathFields.points,
		...nullMeansDefault({
			loop: pathFields.loop.default(false),
			smooth: pathFields.smooth.default(true),
		}),
	}),
	answer: message,
	errors: [],
	examples: [
		{
			name: 'Down a slope in two seconds',
			body: {
				points: [
					{ tick: 0, eye: [0, 20, 30], target: [0, 0, 0] },
					{ tick: 120, eye: [0, 3, 10], target: [0, 1, 0] },
				],
			},
		},
	],
});

export const stopCamera = route({
	id: 'camera.stop',
	tag: 'Camera and render',
	method: 'POST',
	path: '/camera/stop',
	cli: ['camera', 'stop'],
	summary: 'Stops the automatic movement of the camera; it keeps its pose',
	effect: 'view',
	owner: ['settings'],
	body: z.strictObject({}),
	answer: message,
	errors: ['not_moving'],
	examples: [{ name: 'Stop', given: [{ path: '/camera/orbit', body: {} }], body: {} }],
});

export const shakeCamera = route({
	id: 'camera.shake',
	tag: 'Camera and render',
	method: 'POST',
	path: '/camera/shake',
	cli: ['camera', 'shake'],
	summary: 'Shakes the picture for some ticks, with decreasing strength',
	description:
		'Only pictures shake, the same on every replay; the pose in GET /camera does not change. Rules use the action camera_shake.',
	effect: 'view',
	owner: ['settings'],
	body: z.strictObject(
		nullMeansDefault({
			strength: shakeFields.strength.default(DEFAULT_SHAKE.strength),
			ticks: shakeFields.ticks.default(DEFAULT_SHAKE.ticks),
		}),
	),
	answer: message,
	errors: [],
	examples: [{ name: 'An impact', body: { strength: 0.4, ticks: 30 } }],
});

const pixelCount = (description: string) => integer(description, { unit: 'pixels', min: 16, max: 4096 });

const pictureFields = {
	channel: optional(word(['color', 'segmentation', 'depth'], 'Content of the pixels; default color')),
	width: optional(pixelCount('Width; default 1280')),
	height: optional(pixelCount('Height; default 720')),
};

const PICTURE_FORMATS = ['png', 'jpeg', 'webp'] as const;
/** Maximum number of pixels of all pictures of a call together. */
export const MAX_PICTURE_PIXELS = 4096 * 4096;
const MAX_CAMERAS = 8;
/** Maximum number of entities that a picture can show instead of the world. */
const MAX_SHOWN_ENTITIES = 20;

const fileFields = {
	preset: optional(
		word(
			PRESET_NAMES,
			'With channel color: preset of post-processing whose effects replace those of the world; exposure and colours stay',
		),
	),
	format: optional(word(PICTURE_FORMATS, 'File format; default png. jpeg and webp need channel color')),
	quality: optional(
		integer('With format jpeg or webp: quality in percent; default 85', { min: 1, max: 100 }),
	),
};

const HUD = 'With channel color: draws the HUD, health bars and damage numbers';
const ANNOTATE = 'With channel color: draws the ids and names of entities at their boxes';
const REPORT = 'Reports the entities in the picture, and what hides those that have no pixel';

/** Settings of a picture, in a body. */
export const pictureQuery = z.strictObject({
	...pictureFields,
	...fileFields,
	hud: flag(HUD).default(true),
	annotate: flag(ANNOTATE).default(false),
});

/** Errors of a refused picture. */
export const pictureErrors = [
	'no_picture',
	'picture_failed',
	'picture_late',
	'file_failed',
	'file_refused',
] as const;

const pixelBox = z
	.strictObject({
		left: z.int().describe('Left edge (pixels)'),
		top: z.int().describe('Top edge (pixels)'),
		width: z.int().describe('Width (pixels)'),
		height: z.int().describe('Height (pixels)'),
	})
	.describe('Box in the picture, from its top left corner (pixels)');

const picturedEntity = {
	id: entityId,
	generation,
	name: z.string().describe('Its name').optional(),
	tags: z.array(z.string()).describe('Its labels').optional(),
};

const pictureReport = z.strictObject({
	entities: z
		.array(
			z.strictObject({ ...picturedEntity, pixels: z.int().describe('Pixels that show it'), box: pixelBox }),
		)
		.describe('Entities that have pixels, at most 200: those with the most pixels first'),
	hidden: z
		.array(
			z.strictObject({
				...picturedEntity,
				box: pixelBox,
				hidden_by: z
					.int()
					.nullable()
					.describe('Id of the entity in front of most of its box; null: no entity'),
			}),
		)
		.describe('Entities whose bounding box is in view without a pixel, at most 200: the nearest first'),
	entity_count: z.int().describe('Number of entities that have pixels'),
	hidden_count: z.int().describe('Number of hidden entities'),
});

const albumPicture = z.strictObject({
	type: z.string().describe('Media type'),
	data: z.string().describe('Bytes as base64'),
	size_bytes: z.int().describe('Size of the picture (bytes)'),
	report: pictureReport.describe('With report: entities in the picture').optional(),
});

const screenshot = {
	tag: 'Camera and render',
	path: '/screenshot',
	batch: false,
	summary: 'Picture of the world through its camera: PNG, JPEG or WebP',
	description:
		'With `Accept: image/png` or image/*, or image/webp or image/jpeg for the color channel, the answer is the picture, with the headers x-orrery-tick and x-orrery-digest. ' +
		'`format` overrides the type that Accept chooses. ' +
		'With `cameras`, `report`, `ghosts` or `spawn` the answer is JSON with each picture as base64, all of the same tick, and no file is saved. ' +
		`Otherwise it is saved in the data folder, which needs write access; the latest ${MAX_PICTURES} pictures are kept. ` +
		'color: as a person sees it, with the HUD, health bars and damage numbers unless hud=false. ' +
		'segmentation: a pixel is (id + 1) as red + 256 green + 65536 blue, 0 if empty. depth: millimetres along the view axis in the same encoding, 16777215 if empty.',
	effect: 'read',
	query: z.strictObject({
		...pictureFields,
		...fileFields,
		hud: queryFlag(HUD).default(true),
		annotate: queryFlag(ANNOTATE).default(false),
		report: queryFlag(REPORT).default(false),
		ghosts: optional(
			z
				.string()
				.describe(
					'Another world: entities that are elsewhere there, or only there, are also drawn, translucent. Not with annotate, report or another channel',
				),
		),
		ghost_color: text(
			'Colour of ghosts: a name such as cyan, or "r,g,b" with parts from 0 to 1',
			100,
		).default('cyan'),
	}),
	answer: z.strictObject({
		ok: z.literal(true),
		path: text('Path of the saved file', 1000).optional(),
		size_bytes: z.int().describe('Size of the saved file (bytes)').optional(),
		pictures: z
			.array(albumPicture)
			.describe('With cameras, report, ghosts or spawn: one picture for each camera')
			.optional(),
		channel: z.string(),
		width: z.int().describe('Width (pixels)'),
		height: z.int().describe('Height (pixels)'),
		...worldStamp,
	}),
	media: ['image/png', 'image/webp', 'image/jpeg'],
	errors: [...pictureErrors, 'unknown_world'],
} as const;

const picture = { name: 'Take a picture', needs: 'view', path: '/screenshot?width=64&height=36' } as const;

const withoutHud = {
	...picture,
	name: 'Without the HUD',
	path: '/screenshot?width=64&height=36&hud=false',
} as const;

const asWebp = {
	...picture,
	name: 'As WebP, with ids and names',
	path: '/screenshot?width=64&height=36&format=webp&quality=60&annotate=true',
} as const;

const withReport = {
	...picture,
	name: 'With the entities in it',
	path: '/screenshot?width=64&height=36&report=true',
} as const;

const withGhosts = {
	...picture,
	name: 'A fork, with ghosts where main differs',
	given: [
		{ path: '/spawn', body: { mesh: 'cube', velocity: { linear: [1, 0, 0] }, physics_body: 'Kinematic' } },
		{ path: '/fork', body: { fork_id: 'plan' } },
		{ path: '/fork/plan/step', body: { ticks: 60 } },
	],
	path: '/screenshot?ghosts=main&width=16&height=16&world=plan',
	answer: {
		ok: true,
		channel: 'color',
		width: 16,
		height: 16,
		tick: 60,
		state_digest: '70e4a4f2de1b3c95',
		pictures: [
			{
				type: 'image/png',
				data: 'iVBORw0KGgoAAAANSUhEUgAAABAAAAAQCAIAAACQkWg2AAAAFklEQVR42mOIyqoiCTGMahjVMHw1AADvij4QA8Kn/gAAAABJRU5ErkJggg==',
				size_bytes: 79,
			},
		],
	},
} as const;

const fromTwoSides = {
	name: 'From two cameras',
	needs: 'view',
	path: '/screenshot?width=64&height=36',
	body: { cameras: [{ eye: [0, 20, 0.1], target: [0, 0, 0] }, { eye: [12, 2, 0] }] },
} as const;

export const getScreenshot = route({
	...screenshot,
	id: 'camera.screenshot',
	method: 'GET',
	cli: ['screenshot'],
	examples: [picture, withoutHud, asWebp, withReport, withGhosts],
});

export const postScreenshot = route({
	...screenshot,
	id: 'camera.take_screenshot',
	method: 'POST',
	cli: ['camera', 'screenshot'],
	body: z
		.strictObject({
			cameras: optional(
				z
					.array(cameraBody)
					.min(1)
					.max(MAX_CAMERAS)
					.describe('Cameras, one picture each; a field left out is that of the camera of the world'),
			),
			spawn: optional(
				z
					.array(spawnDocument)
					.min(1)
					.max(MAX_SHOWN_ENTITIES)
					.describe(
						'Entities to show alone, instead of the world, which does not get them. Without cameras, one that has them in full',
					),
			),
		})
		.default({}),
	examples: [
		{ ...picture, body: {} },
		fromTwoSides,
		{
			name: 'A thing before it is spawned',
			needs: 'view',
			path: '/screenshot?width=64&height=64',
			body: { spawn: [{ mesh: 'cone', color: 'orange' }] },
		},
	],
	errors: [...screenshot.errors, 'entity_not_found', ...documentErrors, 'unknown_item', 'inventory_full'],
});

export const getFrame = route({
	id: 'camera.frame',
	tag: 'Camera and render',
	method: 'GET',
	path: '/frame',
	cli: ['camera', 'frame'],
	batch: false,
	summary: 'Data that a view needs to draw the world now',
	description:
		'With `Accept: application/vnd.orrery.frame` the answer is the frame as bytes, for a page that draws the world without running it; otherwise a description of its content.',
	effect: 'read',
	query: z.strictObject({
		known: optional(
			text(
				'Blocks that the caller already has, as name:version separated by commas; the answer omits them',
				1000,
			),
		),
		since: integer(
			'Tick of the last frame that the caller received; the answer includes later events',
		).optional(),
	}),
	answer: z.strictObject({
		ok: z.literal(true),
		world: text('World that it shows'),
		tick: z.int().describe('Ticks completed'),
		playing: z.boolean().describe('true: the world runs in real time'),
		versions: z
			.record(z.string(), z.int())
			.describe('Block -> version number, which changes with its content'),
		blocks: z.array(z.string()).describe('Blocks in the frame'),
		event_count: z.int().describe('Events in the frame'),
		size_bytes: z.int().describe('Size of the frame (bytes)'),
	}),
	media: ['application/vnd.orrery.frame'],
	errors: [],
	examples: [{ name: 'Ask for a frame', given: [{ path: '/spawn', body: { mesh: 'cube' } }] }],
});
