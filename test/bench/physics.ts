/** A tick of 10 000 bodies against a raw loop of the physics library on the same scene. */

import { RAPIER } from '../../web/sim/physics/rapier.ts';
import { step } from '../../web/sim/step.ts';
import { compared, median, type Result, timed } from './measure.ts';
import { bodyPlaces, EDGE, FLOOR, pile } from './worlds.ts';

/** The same scene in the library alone: same settings, same order, events drained, nothing read back. */
function rawLoop(count: number): { tick: () => void; read: () => void } {
	const world = new RAPIER.World({ x: 0, y: -9.81, z: 0 });
	world.timestep = 1 / 60;
	const queue = new RAPIER.EventQueue(true);
	const collider = (desc: InstanceType<typeof RAPIER.ColliderDesc>) =>
		desc
			.setMass(1)
			.setRestitution(0.3)
			.setRestitutionCombineRule(RAPIER.CoefficientCombineRule.Multiply)
			.setFriction(0.5)
			.setActiveEvents(RAPIER.ActiveEvents.COLLISION_EVENTS);
	const floor = world.createRigidBody(RAPIER.RigidBodyDesc.fixed().setTranslation(0, -FLOOR[1], 0));
	world.createCollider(collider(RAPIER.ColliderDesc.cuboid(...FLOOR)), floor);
	for (const place of bodyPlaces(count)) {
		const body = world.createRigidBody(
			RAPIER.RigidBodyDesc.dynamic()
				.setTranslation(...place)
				.setSoftCcdPrediction(7),
		);
		world.createCollider(collider(RAPIER.ColliderDesc.cuboid(EDGE / 2, EDGE / 2, EDGE / 2)), body);
	}
	const vector = { x: 0, y: 0, z: 0 };
	const turn = { x: 0, y: 0, z: 0, w: 1 };
	return {
		tick: () => {
			world.step(queue);
			queue.drainCollisionEvents(() => {});
		},
		/** Poses and velocities of what moved, as the library's own loop reads them. */
		read: () =>
			world.forEachActiveRigidBody((body) => {
				body.translation(vector);
				body.rotation(turn);
				body.linvel(vector);
				body.angvel(vector);
			}),
	};
}

export function physics(): Result[] {
	const count = 10_000;
	const world = pile(count);
	const raw = rawLoop(count);
	const phases = { falling: [5, 25], piling: [40, 100] } as const;
	const times = { ours: [] as number[], ticks: [] as number[], reads: [] as number[] };
	const theirTick = () => {
		times.ticks.push(timed(raw.tick));
		times.reads.push(timed(raw.read));
	};
	for (let tick = 0; tick < phases.piling[1]; tick++) {
		const first = tick % 2 === 0;
		if (!first) theirTick();
		times.ours.push(timed(() => step(world)));
		if (first) theirTick();
	}
	const both = times.ticks.map((ms, i) => ms + times.reads[i]!);
	const sides = (phase: keyof typeof phases) => {
		const [from, to] = phases[phase];
		return [times.ours, times.ticks, both].map((list) => median(list.slice(from, to))) as [
			number,
			number,
			number,
		];
	};
	const share = (ours: number, theirs: number) => `${Math.round((100 * theirs) / ours)} % of its speed`;
	return (['falling', 'piling'] as const).flatMap((phase) => {
		const [ours, ticks, withReads] = sides(phase);
		const name = `tick, 10 000 bodies ${phase}`;
		return [
			compared(
				'physics',
				name,
				ours,
				'raw Rapier',
				ticks,
				phase === 'piling' ? 1 / 0.9 : undefined,
				share(ours, ticks),
			),
			{
				...compared(
					'physics',
					name,
					ours,
					'raw Rapier, poses read',
					withReads,
					undefined,
					share(ours, withReads),
				),
				differs: 'ours also keeps poses in columns, and reports touches as events',
			},
		];
	});
}
