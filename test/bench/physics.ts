/** Benchmark: ticks of bodies, compared with a raw loop of the physics library, and the cost of looking ahead. */

import { RAPIER } from '../../web/sim/physics/rapier.ts';
import { LOOK_AHEAD } from '../../web/sim/physics/sync-bodies.ts';
import { step } from '../../web/sim/step.ts';
import { measureInTurn, median, type Result, ratioResult, timeRun } from './measure.ts';
import { bodyPlaces, EDGE, FLOOR, pile } from './worlds.ts';

/** Returns the same scene in the library alone, with the same settings and order. */
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
	for (const position of bodyPlaces(count)) {
		const body = world.createRigidBody(
			RAPIER.RigidBodyDesc.dynamic()
				.setTranslation(...position)
				.setSoftCcdPrediction(LOOK_AHEAD),
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
		/** Reads poses and velocities of the moved bodies. */
		read: () =>
			world.forEachActiveRigidBody((body) => {
				body.translation(vector);
				body.rotation(turn);
				body.linvel(vector);
				body.angvel(vector);
			}),
	};
}

/**
 * Returns the tick function of balls that bounce in a closed room. `ahead` is the distance at which they look for
 * contacts (m).
 */
function flight(count: number, ahead: number): () => void {
	const world = new RAPIER.World({ x: 0, y: 0, z: 0 });
	const side = Math.ceil(Math.cbrt(count));
	const half = side + 1;
	const bouncing = (desc: InstanceType<typeof RAPIER.ColliderDesc>) =>
		desc.setMass(1).setRestitution(1).setFriction(0);
	for (const [x, y, z] of [
		[1, 0, 0],
		[0, 1, 0],
		[0, 0, 1],
	] as const)
		for (const wall of [-half - 1, half + 1])
			world.createCollider(
				bouncing(RAPIER.ColliderDesc.cuboid(x || half, y || half, z || half)).setTranslation(
					x * wall,
					y * wall,
					z * wall,
				),
			);
	for (let i = 0; i < count; i++) {
		const position = [i % side, Math.floor(i / side) % side, Math.floor(i / side / side)];
		const [x = 0, y = 0, z = 0] = position.map((at) => 2 * at - side + 1);
		const speed = (factor: number) => ((i * factor) % 121) - 60;
		const desc = RAPIER.RigidBodyDesc.dynamic()
			.setTranslation(x, y, z)
			.setLinvel(speed(7919), speed(104729), speed(1299709))
			.setSoftCcdPrediction(ahead);
		world.createCollider(bouncing(RAPIER.ColliderDesc.ball(0.05)), world.createRigidBody(desc));
	}
	return () => world.step();
}

function lookingAhead(): Result {
	const [ours, theirs] = measureInTurn(60, [{ run: flight(1000, LOOK_AHEAD) }, { run: flight(1000, 0) }]) as [
		number,
		number,
	];
	return ratioResult(
		'physics',
		'raw tick of 1 000 fast small balls, looking ahead',
		ours,
		'without looking ahead',
		theirs,
	);
}

export function benchPhysics(): Result[] {
	return [...piling(), lookingAhead()];
}

function piling(): Result[] {
	const count = 10_000;
	const world = pile(count);
	const raw = rawLoop(count);
	const phases = { falling: [5, 25], piling: [40, 100] } as const;
	const times = { ours: [] as number[], ticks: [] as number[], reads: [] as number[] };
	const theirTick = () => {
		times.ticks.push(timeRun(raw.tick));
		times.reads.push(timeRun(raw.read));
	};
	for (let tick = 0; tick < phases.piling[1]; tick++) {
		const first = tick % 2 === 0;
		if (!first) theirTick();
		times.ours.push(timeRun(() => step(world)));
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
			ratioResult(
				'physics',
				name,
				ours,
				'raw Rapier',
				ticks,
				phase === 'piling' ? 1.05 : undefined,
				share(ours, ticks),
			),
			{
				...ratioResult(
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
