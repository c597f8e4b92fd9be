/** The shapes that can be spawned with a press: each falls, and lands on what is there. */

import { Icon, type IconName } from '../drawn/icon.tsx';
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

/** Places in turn, so that what is spawned one after the other does not stand in one spot. Metres. */
function place(number: number): readonly [number, number, number] {
	const ring = Math.floor(Math.sqrt(number));
	const along = number - ring * ring;
	const angle = ring === 0 ? 0 : (along / (2 * ring + 1)) * 2 * Math.PI;
	const round = (value: number) => Math.round(value * 100) / 100;
	return [round(Math.cos(angle) * ring * 1.5), 0.5, round(Math.sin(angle) * ring * 1.5)];
}

export function SpawnPalette() {
	const { entities, worlds } = usePanels();
	const spawn = ({ mesh, color, collider }: Shape) =>
		void entities.spawn({ mesh, color, collider, position: place(entities.list.value.length) });
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
