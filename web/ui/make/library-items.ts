/**
 * Items of the library: shapes, models, units that walk and fight, prefabs, lights, particles and sounds.
 * Owns: the call and the size of each item. The server lists models, prefabs, particles and sounds.
 */

import type { Answer } from '../../../shared/contract/route.ts';
import type { getCatalog } from '../../../shared/routes/catalog.ts';
import type { listPrefabs } from '../../../shared/routes/templates.ts';
import type { PlacementBox } from '../../render/view-host.ts';
import type { IconName } from '../drawn/icon.tsx';
import type { Entity, Vector } from '../entities/entity.ts';

export const GROUPS = [
	'Shapes',
	'Models',
	'Units',
	'Prefabs',
	'Zones',
	'Lights',
	'Effects',
	'Sounds',
] as const;
export type Group = (typeof GROUPS)[number];

/** Body of a shape or a model: it stands still, falls, or is only seen. */
export type BodyChoice = 'Static' | 'Dynamic' | 'none';

export interface Item {
	readonly group: Group;
	readonly name: string;
	readonly icon: IconName;
	/** Words that it is found by, besides its name. */
	readonly words?: readonly string[];
	/** Entity that its picture shows; left out for what is not seen. */
	readonly shown?: Readonly<Record<string, unknown>>;
	/** Space around its place (m). */
	readonly room: PlacementBox;
	readonly path: string;
	readonly body: (position: Vector) => Readonly<Record<string, unknown>>;
}

const HALF = 0.5;
const UNIT: PlacementBox = { least: [-HALF, -HALF, -HALF], most: [HALF, HALF, HALF] };
/** Space of invisible things, which places their handle above the surface (m). */
const ABOVE: PlacementBox = { least: [-0.2, -1.5, -0.2], most: [0.2, 0.2, 0.2] };
const SMALL: PlacementBox = { least: [-0.2, 0, -0.2], most: [0.2, 0.4, 0.2] };

const BOX = { shape: 'Aabb', hx: HALF, hy: HALF, hz: HALF };
const SHAPES: readonly (readonly [
	name: string,
	icon: IconName,
	mesh: string,
	color: string,
	collider: object,
])[] = [
	['Box', 'cube', 'cube', 'gold', BOX],
	['Ball', 'sphere', 'sphere', 'blue', { shape: 'Sphere', radius: HALF }],
	['Cylinder', 'cylinder', 'cylinder', 'green', BOX],
	['Cone', 'cone', 'cone', 'orange', BOX],
];

/** Returns true if every word of a search is in the name, the words or the group of an item. */
export function fits({ name, group, words = [] }: Item, search: string): boolean {
	const line = [name, group, ...words].join(' ').toLowerCase();
	return search
		.toLowerCase()
		.split(/\s+/)
		.every((word) => line.includes(word));
}

/** Returns the shapes with a body, or without. */
export const shapes = (choice: BodyChoice): readonly Item[] =>
	SHAPES.map(([name, icon, mesh, color, collider]) => ({
		group: 'Shapes',
		name,
		icon,
		shown: { mesh, color },
		room: UNIT,
		path: '/spawn',
		body: (position) => ({
			mesh,
			color,
			position,
			...(choice === 'none' ? {} : { collider, physics_body: choice }),
		}),
	}));

/** Space of a zone of 4 by 2 by 4 m. It reaches half a metre into the surface, so that it contains walkers. */
const ZONE: PlacementBox = { least: [-2, -0.5, -2], most: [2, 1.5, 2] };
const zoneHalf = [2, 1, 2] as const;

/** Rounds a position to millimetres, for a short text of the rule. */
const inMillimetres = (position: Vector): readonly number[] =>
	position.map((part) => Math.round(part * 1000) / 1000);

const zones: readonly Item[] = [
	{
		group: 'Zones',
		name: 'Trap',
		icon: 'rule',
		room: ZONE,
		path: '/rule/create',
		body: (center) => ({
			name: 'Trap',
			when: { kind: 'enter', zone: { center: inMillimetres(center), half: zoneHalf } },
			outcomes: [
				{ label: 'snap', weight: 1, do: [{ action: 'damage', target: 'this', amount: 20 }] },
				{ label: 'miss', weight: 3, do: [] },
			],
		}),
	},
	...(['damage', 'heal'] as const).map(
		(kind): Item => ({
			group: 'Zones',
			name: kind === 'damage' ? 'Damage zone' : 'Healing zone',
			icon: kind === 'damage' ? 'zone' : 'heart',
			room: ZONE,
			path: '/trigger/create',
			body: (position) => ({ position, zone: zoneHalf, action: `${kind}:10`, per: 'second' }),
		}),
	),
];

const FIGHTS = { health: 100, combat: true, combat_damage: 12, combat_range: 2, combat_speed: 2.5 } as const;

/** Waypoints of a guard's square round, relative to its place (m). */
const ROUND = [
	[4, 0],
	[4, 4],
	[0, 4],
	[0, 0],
] as const;

/** Units with their models and further fields. */
const UNITS: readonly (readonly [
	name: string,
	model: string,
	does: (at: Vector) => Readonly<Record<string, unknown>>,
])[] = [
	[
		'Guard on patrol',
		'guard',
		([x, y, z]) => ({ ...FIGHTS, team: 1, ai_patrol: ROUND.map(([dx, dz]) => [x + dx, y, z + dz]) }),
	],
	['Knight', 'knight', () => ({ ...FIGHTS, team: 1, role: 'hero' })],
	['Goblin', 'goblin', () => ({ ...FIGHTS, team: 2, role: 'minion' })],
	[
		'Villager',
		'villager',
		([x, y, z]) => ({
			health: 50,
			combat_speed: 1.5,
			ai_patrol: [
				[x + 3, y, z],
				[x, y, z],
			],
		}),
	],
];

const LIGHTS: readonly (readonly [name: string, kind: string])[] = [
	['Lamp light', 'point'],
	['Spot light', 'spot'],
	['Sun light', 'sun'],
];

const lights: readonly Item[] = LIGHTS.map(([name, kind]) => ({
	group: 'Lights',
	name,
	icon: 'sun',
	room: ABOVE,
	path: '/spawn',
	body: (position) => ({ light: { kind }, position }),
}));

/** Returns a readable name from a path. */
const readableName = (path: string): string => {
	const name = path
		.split('/')
		.at(-1)!
		.replace(/\.[^.]*$/, '')
		.replace(/[_-]+/g, ' ');
	return name.slice(0, 1).toUpperCase() + name.slice(1);
};

/** Half the width of a trunk (m): who walks through a wood walks below the canopies. */
const TRUNK = 0.3;
/** A flat model has a body of this thickness (m). */
const THINNEST = 0.02;

/** Body of a model: its box, or the trunk of a tree. */
function modelBody(
	choice: BodyChoice,
	{ least, most }: PlacementBox,
	words: readonly string[],
): Readonly<Record<string, unknown>> {
	if (choice === 'none') return {};
	const isTree = words.includes('tree');
	const low = isTree ? [-TRUNK, least[1], -TRUNK] : least;
	const high = (isTree ? [TRUNK, most[1], TRUNK] : most).map((part, axis) =>
		Math.max(part, low[axis]! + THINNEST),
	);
	const points = [0, 1, 2, 3, 4, 5, 6, 7].map((corner) =>
		[0, 1, 2].map((axis) => ((corner >> axis) & 1 ? high : low)[axis]!),
	);
	return { physics_body: choice, collider: { shape: 'ConvexHull', points } };
}

type Catalog = Answer<typeof getCatalog>;
type Prefab = Answer<typeof listPrefabs>['details'][number];

/** Items of the server besides shapes and lights. Files that cannot be used are left out. `choice`: body of the models. */
export function itemsOf(
	catalog: Catalog,
	prefabs: readonly Prefab[],
	choice: BodyChoice = 'Static',
): readonly Item[] {
	const models = (catalog.models ?? []).flatMap(({ name, size, low, words = [], problem }): Item[] => {
		if (problem !== undefined) return [];
		const least = low ?? [-HALF, 0, -HALF];
		const most = [0, 1, 2].map((axis) => least[axis]! + (size?.[axis] ?? 1)) as unknown as Vector;
		const room = { least, most };
		// Without a known size there is no box.
		const solid = size === undefined ? {} : modelBody(choice, room, words);
		const body = (position: Vector) => ({ mesh: name, position, ...solid });
		return [
			{
				group: 'Models',
				name: readableName(name),
				icon: 'model',
				words,
				shown: { mesh: name },
				room,
				path: '/spawn',
				body,
			},
		];
	});
	const units = UNITS.flatMap(([name, model, does]): Item[] => {
		const look = models.find(({ shown }) => shown?.mesh === `models/${model}.glb`);
		if (look === undefined) return [];
		const body = (position: Vector) => ({
			...look.shown,
			position,
			physics_body: 'Kinematic',
			tags: [model],
			...does(position),
		});
		return [{ ...look, group: 'Units', name, icon: 'structure', body }];
	});
	const things = prefabs.map(
		({ name, document }): Item => ({
			group: 'Prefabs',
			name: readableName(name),
			icon: 'structure',
			...looksOf(document),
			room: roomOf(document as Partial<Entity> & { readonly scale?: Vector }),
			path: '/prefab/spawn',
			body: (position) => ({ name, position }),
		}),
	);
	const presets = (catalog.presets ?? []).find(
		({ route, field }) => route === 'POST /particle/create' && field === 'preset',
	);
	const effects = (presets?.names ?? []).map(
		(preset): Item => ({
			group: 'Effects',
			name: readableName(preset),
			icon: 'star',
			room: SMALL,
			path: '/particle/create',
			body: (position) => ({ preset, position }),
		}),
	);
	const sounds = (catalog.sounds ?? []).flatMap(({ name, problem }): Item[] => {
		const body = (position: Vector) => ({ sound: { clip: name, loop: true }, position });
		return problem !== undefined
			? []
			: [{ group: 'Sounds', name: readableName(name), icon: 'sound', room: ABOVE, path: '/spawn', body }];
	});
	return [...models, ...units, ...things, ...zones, ...lights, ...effects, ...sounds];
}

const LOOKS = ['mesh', 'color', 'material', 'scale', 'rotation', 'stance', 'team', 'role'] as const;

/** Returns the looks of a prefab, if it has a shape. */
function looksOf(document: Readonly<Record<string, unknown>>): Pick<Item, 'shown'> {
	if (document.mesh == null) return {};
	const looks = LOOKS.flatMap((field) => (document[field] == null ? [] : [[field, document[field]]]));
	return { shown: Object.fromEntries(looks) };
}

/** Returns the space of a shape by its scale, or that of a small thing without a shape. */
function roomOf({
	mesh,
	scale = [1, 1, 1],
}: {
	readonly mesh?: string;
	readonly scale?: Vector;
}): PlacementBox {
	if (mesh === undefined) return SMALL;
	const half = scale.map((part) => part / 2) as unknown as Vector;
	return { least: half.map((part) => -part) as unknown as Vector, most: half };
}
