/**
 * The sections about the world, in order.
 * Owns: the grouping of routes. The declarations have their fields.
 */

import { count, formatNumber } from '../../numbers.ts';
import type { WorldSection } from './part.ts';

const DEGREE = Math.PI / 180;
const number = (value: unknown): string => formatNumber(Number(value));

interface Failure {
	readonly message: string;
	readonly line: number | null;
}

/** Describes the state of a script, and its last error. */
function scriptWords(state: string, entities: number, failed: number, errors: readonly Failure[]): string {
	const last = errors.at(-1);
	if (last === undefined) return `${state}, ${count(entities, 'entity', 'entities')}`;
	const line = last.line === null ? '' : `line ${last.line}: `;
	return `${count(failed, 'error')}, the last in ${line}${last.message}`;
}

export const worldSections: readonly WorldSection[] = [
	{
		name: 'Sky',
		parts: [
			{
				kind: 'choices',
				path: '/sky/settings',
				label: 'light',
				choices: [
					['Studio', 'No sky: the world stands in the dark, lit from the left', { time_of_day: null }],
					['Morning', 'The sky at 8 h', { time_of_day: 8 }],
					['Noon', 'The sky at 12 h', { time_of_day: 12 }],
					['Dusk', 'The sky at 18.2 h', { time_of_day: 18.2 }],
					['Night', 'The sky at 0 h', { time_of_day: 0 }],
				],
			},
			{ kind: 'settings', path: '/sky/settings' },
		],
	},
	{ name: 'Fog', parts: [{ kind: 'settings', path: '/fog/settings' }] },
	{
		name: 'Post-processing',
		parts: [
			{ kind: 'words', route: 'POST /postprocess/preset', field: 'quality', label: 'preset' },
			{ kind: 'settings', path: '/postprocess/settings' },
		],
	},
	{
		name: 'Camera',
		parts: [
			{ kind: 'words', route: 'POST /camera/view', field: 'view', label: 'view' },
			{
				kind: 'settings',
				path: '/camera',
				// The angle is declared in radians and in degrees; the form uses degrees.
				from: (read) => ({ ...read, fov: Math.round((Number(read.fov_y) / DEGREE) * 1e4) / 1e4 }),
				hides: ['fov_y'],
			},
			{ kind: 'form', route: 'POST /camera/follow', label: 'Follow an entity' },
			{ kind: 'form', route: 'POST /camera/orbit', label: 'Orbit' },
			{ kind: 'form', route: 'POST /camera/path', label: 'Follow a path' },
			{ kind: 'form', route: 'POST /camera/focus', label: 'Look at an entity' },
			{ kind: 'form', route: 'POST /camera/shake', label: 'Shake the picture' },
			{ kind: 'press', route: 'POST /camera/stop', label: 'Stop the camera' },
		],
	},
	{ name: 'Combat effects', parts: [{ kind: 'settings', path: '/feedback/settings' }] },
	{
		name: 'Sound',
		parts: [
			{ kind: 'each', path: '/audio/bus', list: 'buses', by: 'bus' },
			{
				kind: 'rows',
				path: '/audio/list',
				list: 'sources',
				none: 'There are no sounds.',
				words: ({ path, hash, playing }) => [String(path ?? hash), playing === true ? 'plays' : 'silent'],
				end: {
					verb: 'Stop',
					route: 'POST /audio/stop',
					call: ({ entity_id, entity_generation }) => ['POST /audio/stop', { entity_id, entity_generation }],
				},
			},
			{
				kind: 'form',
				route: 'POST /audio/play',
				label: 'Play a sound',
				first: ['path', 'volume', 'loop', 'bus', 'position'],
			},
			{ kind: 'form', route: 'POST /audio/listener', label: 'Listen from' },
		],
	},
	{
		name: 'Terrain',
		parts: [
			{
				kind: 'rows',
				path: '/terrain/list',
				list: 'terrains',
				none: 'There is no terrain.',
				words: ({ entity_id, world_width, world_depth, lowest, highest }) => [
					`Terrain ${entity_id}`,
					`${number(world_width)} x ${number(world_depth)} m, ${number(lowest)} to ${number(highest)} m`,
				],
			},
			{ kind: 'form', route: 'POST /terrain/create', label: 'Make a terrain' },
		],
	},
	{
		name: 'Navigation',
		parts: [
			{
				kind: 'form',
				route: 'POST /navmesh/generate',
				label: 'Make the navigation mesh',
				first: ['cell_size', 'min_x', 'min_z', 'max_x', 'max_z', 'agent_radius', 'shown'],
			},
			{ kind: 'form', route: 'POST /navmesh/show', label: 'Show or hide the mesh' },
			{
				kind: 'rows',
				path: '/path/list',
				list: 'paths',
				none: 'No entity follows a path.',
				words: ({ entity_id, state, goal }) => [
					`Entity ${entity_id}`,
					`${String(state).replace('_', ' ')}, to ${(goal as number[]).map(number).join(', ')}`,
				],
				end: {
					verb: 'Stop',
					route: 'DELETE /path/{entity_id}',
					call: ({ entity_id }) => [`DELETE /path/${entity_id}`],
				},
			},
			{
				kind: 'form',
				route: 'POST /path/set',
				label: 'Send an entity somewhere',
				first: ['entity_id', 'target', 'speed'],
			},
			{ kind: 'press', route: 'DELETE /navmesh', label: 'Remove the mesh' },
		],
	},
	{
		name: 'Foliage',
		parts: [
			{
				kind: 'rows',
				path: '/foliage/list',
				list: 'layers',
				none: 'There are no plants.',
				words: ({ id, mesh, instance_count }) => [`${mesh} ${id}`, count(Number(instance_count), 'plant')],
				end: {
					verb: 'Remove',
					route: 'POST /foliage/remove',
					call: ({ id }) => ['POST /foliage/remove', { id }],
				},
			},
			{
				kind: 'form',
				route: 'POST /foliage/scatter',
				label: 'Scatter plants',
				first: ['mesh_name', 'density', 'area_min', 'area_max', 'color'],
			},
		],
	},
	{
		name: 'Particles',
		parts: [
			{
				kind: 'rows',
				path: '/particle/list',
				list: 'emitters',
				none: 'There are no emitters.',
				words: ({ entity_id, particle_count, active }) => [
					`Emitter ${entity_id}`,
					`${count(Number(particle_count), 'particle')}, ${active === true ? 'on' : 'off'}`,
				],
			},
			{
				kind: 'form',
				route: 'POST /particle/create',
				label: 'Make an emitter',
				first: ['preset', 'position'],
			},
		],
	},
	{
		name: 'Materials',
		parts: [
			{
				kind: 'rows',
				path: '/material/list',
				list: 'materials',
				none: 'There are no named materials.',
				words: ({ name }) => [String(name), ''],
				end: {
					verb: 'Remove',
					route: 'DELETE /material/{name}',
					call: ({ name }) => [`DELETE /material/${encodeURIComponent(String(name))}`],
				},
			},
			{ kind: 'form', route: 'POST /material/define', label: 'Define a material' },
		],
	},
	{ name: 'Models from text', parts: [{ kind: 'models' }] },
	{
		name: 'Animation clips',
		parts: [
			{
				kind: 'rows',
				path: '/animation/list',
				list: 'clips',
				none: 'No clips are loaded.',
				words: ({ name, duration, model }) => [String(name), `${number(duration)} s, ${model}`],
			},
			{ kind: 'form', route: 'POST /animation/load', label: 'Load the clips of a model' },
		],
	},
	{
		name: 'Scripts',
		parts: [
			{
				kind: 'rows',
				path: '/script/list',
				list: 'scripts',
				none: 'There are no scripts.',
				words: ({ script_name, state, entities, failed, errors }) => [
					String(script_name),
					scriptWords(String(state), Number(entities), Number(failed), errors as readonly Failure[]),
				],
				end: {
					verb: 'Remove',
					route: 'POST /script/unload',
					call: ({ script_name }) => ['POST /script/unload', { script_name }],
				},
			},
			{
				kind: 'form',
				route: 'POST /script/load',
				label: 'Load a script',
				first: ['script_name', 'source', 'entity_id'],
			},
			{ kind: 'form', route: 'POST /script/enable', label: 'Enable or disable a script' },
		],
	},
	{
		name: 'HUD',
		parts: [
			{ kind: 'hud' },
			{ kind: 'form', route: 'POST /ui/bar', label: 'Add a bar' },
			{ kind: 'form', route: 'POST /ui/rect', label: 'Add a rectangle' },
			{ kind: 'form', route: 'POST /ui/image', label: 'Add a picture' },
			{ kind: 'form', route: 'POST /ui/button', label: 'Add a button' },
			{ kind: 'form', route: 'POST /ui/press', label: 'Press a button' },
			{ kind: 'form', route: 'POST /ui/update', label: 'Change an element' },
			{ kind: 'press', route: 'POST /ui/clear', label: 'Clear all' },
		],
	},
];
