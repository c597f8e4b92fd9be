/** System that keeps grounded entities on the navigation mesh, and at their height above it. */

import { Grounded } from '../../../shared/components/grounded.ts';
import { LocalTransform } from '../../../shared/components/local-transform.ts';
import { Velocity } from '../../../shared/components/velocity.ts';
import { steer } from '../ai/walk.ts';
import type { System } from '../core/system.ts';
import { count, each, read, type World } from '../core/world.ts';
import { parentOf } from '../transform/hierarchy.ts';
import { keepOnMesh, maxStepCost, verticalVelocity } from './footing.ts';
import { placeAt } from './mesh.ts';
import { navigationOf } from './navigation.part.ts';
import { isKinematic, setVerticalVelocity } from './path.ts';
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
	maximum: (world) => ({ searched: count(world, Grounded) * maxStepCost(world) }),
	run: keepAllToGround,
};

/** Maximum vertical speed (m/s). */
const MAX_VERTICAL_SPEED = 15;

function keepAllToGround(world: World): void {
	const mesh = navmeshOf(world) === null ? null : navigationOf(world).mesh;
	if (mesh === null) return;
	const heights = read(world, Grounded, 'height');
	const position = read(world, LocalTransform, 'position');
	each(world, [Grounded, LocalTransform, Velocity], (slot) => {
		if (!isKinematic(world, slot) || parentOf(world, slot) !== null) return;
		const [x, y, z] = [position[slot * 3]!, position[slot * 3 + 1]!, position[slot * 3 + 2]!];
		const height = heights[slot]!;
		const place = placeAt(mesh, x, y - height, z);
		if (place < 0) return;
		const linear = read(world, Velocity, 'linear');
		const [vx, vz] = keepOnMesh(world, mesh, place, { x, y, z }, [linear[slot * 3]!, linear[slot * 3 + 2]!]);
		steer(world, slot, vx, vz);
		setVerticalVelocity(
			world,
			slot,
			verticalVelocity(mesh, place, { x, y, z }, height, [vx, vz], MAX_VERTICAL_SPEED),
		);
	});
}
