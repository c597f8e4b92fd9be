/** Keeps grounded entities on the navigation mesh and at their height above it, whatever has set their velocity. */

import { Grounded } from '../../../shared/components/grounded.ts';
import { LocalTransform } from '../../../shared/components/local-transform.ts';
import { Velocity } from '../../../shared/components/velocity.ts';
import { steer } from '../ai/walk.ts';
import type { System } from '../core/system.ts';
import { count, each, read, type World } from '../core/world.ts';
import { parentOf } from '../transform/hierarchy.ts';
import { climb, mostToStep, onMesh } from './footing.ts';
import { placeAt } from './mesh.ts';
import { navigationOf } from './navigation.part.ts';
import { floats, rise } from './path.ts';
import { navmeshOf } from './settings.ts';

export const keepToGround: System = {
	name: 'keep-to-ground',
	needs: [Grounded],
	access: {
		reads: ['navmesh'],
		queries: [
			{
				with: ['grounded'],
				reads: ['grounded', 'local_transform.position', 'parent', 'physics_body.kind', 'velocity.linear'],
				writes: ['velocity.linear'],
			},
		],
	},
	most: (world) => ({ searched: count(world, Grounded) * mostToStep(world) }),
	run,
};

/** Greatest speed of rising or sinking (m/s). */
const FASTEST = 15;

function run(world: World): void {
	const mesh = navmeshOf(world) === null ? null : navigationOf(world).mesh;
	if (mesh === null) return;
	const heights = read(world, Grounded, 'height');
	const position = read(world, LocalTransform, 'position');
	each(world, [Grounded, LocalTransform, Velocity], (slot) => {
		if (!floats(world, slot) || parentOf(world, slot) !== null) return;
		const [x, y, z] = [position[slot * 3]!, position[slot * 3 + 1]!, position[slot * 3 + 2]!];
		const height = heights[slot]!;
		const place = placeAt(mesh, x, y - height, z);
		if (place < 0) return;
		const linear = read(world, Velocity, 'linear');
		const [vx, vz] = onMesh(world, mesh, place, { x, y, z }, [linear[slot * 3]!, linear[slot * 3 + 2]!]);
		steer(world, slot, vx, vz);
		rise(world, slot, climb(mesh, place, { x, y, z }, height, [vx, vz], FASTEST));
	});
}
