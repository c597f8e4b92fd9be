/**
 * The shapes that can be spawned with a press: each stands still on the ground, on a free place.
 * Owns: the documents that are spawned and the choice of the place.
 */

import { Icon, type IconName } from '../drawn/icon.tsx';
import { type Entity, freeName, type Vector } from '../entities/entity.ts';
import { usePanels } from '../state/panels.ts';

interface Shape {
	readonly name: string;
	readonly icon: IconName;
	readonly mesh: string;
	readonly color: string;
	readonly collider: Readonly<Record<string, unknown>>;
}

const SHAPES: readonly Shape[] = [
	{
		name: 'Box',
		icon: 'cube',
		mesh: 'cube',
		color: 'gold',
		collider: { shape: 'Aabb', hx: 0.5, hy: 0.5, hz: 0.5 },
	},
	{ name: 'Ball', icon: 'sphere', mesh: 'sphere', color: 'blue', collider: { shape: 'Sphere', radius: 0.5 } },
	{
		name: 'Cylinder',
		icon: 'cylinder',
		mesh: 'cylinder',
		color: 'green',
		collider: { shape: 'Aabb', hx: 0.5, hy: 0.5, hz: 0.5 },
	},
	{
		name: 'Cone',
		icon: 'cone',
		mesh: 'cone',
		color: 'orange',
		collider: { shape: 'Aabb', hx: 0.5, hy: 0.5, hz: 0.5 },
	},
];

/** Place `number` of a growing spiral round the middle, half a metre up. Metres. */
function place(number: number): Vector {
	const ring = Math.floor(Math.sqrt(number));
	const along = number - ring * ring;
	const angle = ring === 0 ? 0 : (along / (2 * ring + 1)) * 2 * Math.PI;
	const round = (value: number) => Math.round(value * 100) / 100;
	return [round(Math.cos(angle) * ring * 1.5), 0.5, round(Math.sin(angle) * ring * 1.5)];
}

/** The first place of the spiral whose square metre nothing stands in. */
function freePlace(entities: readonly Entity[]): Vector {
	const square = (position: Vector) => `${Math.round(position[0])} ${Math.round(position[2])}`;
	const taken = new Set<string>();
	for (const { local_transform } of entities)
		if (local_transform) taken.add(square(local_transform.position));
	for (let number = 0; ; number++) {
		const free = place(number);
		if (!taken.has(square(free))) return free;
	}
}

export function SpawnPalette() {
	const { entities, worlds } = usePanels();
	const spawn = ({ name, mesh, color, collider }: Shape) =>
		void entities.spawn({
			name: freeName(name, entities.list.value),
			mesh,
			color,
			collider,
			physics_body: 'Static',
			position: freePlace(entities.list.value),
		});
	return (
		<fieldset class="spawn-palette">
			<legend class="only-said">Spawn</legend>
			{SHAPES.map((shape) => (
				<button
					key={shape.name}
					type="button"
					title={`Spawn a ${shape.name.toLowerCase()} of 1 m`}
					disabled={worlds.here.value === null}
					onClick={() => spawn(shape)}
				>
					<Icon name={shape.icon} />
					{shape.name}
				</button>
			))}
		</fieldset>
	);
}
