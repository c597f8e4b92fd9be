/** Handlers of the tag Simulation. */

import * as routes from '../../shared/routes/simulation.ts';
import { digest } from '../sim/core/digest.ts';
import { toNumber } from '../sim/core/fraction.ts';
import {
	distributionDigest,
	factorsOf,
	jointDistribution,
	showChoice,
	showFraction,
} from '../sim/peek/distribution.ts';
import type { TracedTick } from '../sim/peek/traced-step.ts';
import { handler } from './handler.ts';
import { momentOf } from './moment.ts';

function show({ choices, distribution_digest }: TracedTick) {
	const sampled = choices.map((choice) => ({
		...showChoice(choice),
		probability: showFraction(choice.probability),
		p: toNumber(choice.probability),
	}));
	return { sampled, distribution_digest };
}

export const handlers = [
	handler(routes.peek, ({ world }, { body }) => {
		const { distribution, exact, covered } = jointDistribution(world, body.max_branches, body.merge);
		const factors = factorsOf(world);
		return {
			tick: world.tick,
			next_tick: world.tick + 1,
			state_digest: digest(world),
			exact,
			covered: toNumber(covered),
			covered_fraction: showFraction(covered),
			distribution: distribution.map((outcome) => ({ ...outcome, choices: [...outcome.choices] })),
			factors: factors.map(({ outcomes, ...factor }) => ({
				...factor,
				outcomes: outcomes.map((outcome) => ({ ...outcome, choices: [...outcome.choices] })),
			})),
			distribution_digest: distributionDigest(factors),
		};
	}),

	handler(routes.step, async ({ host, held }, { body }) => {
		const traced = await host.advance(held, body.ticks, undefined, body.trace);
		const last = traced.at(-1);
		const idle = { sampled: [], distribution_digest: distributionDigest([]) };
		const ended = last !== undefined && last.tick === held.world.tick - 1 ? show(last) : idle;
		return {
			ticks_advanced: body.ticks,
			new_tick: held.world.tick,
			entity_count: held.world.entities.count,
			...momentOf(held.world),
			...ended,
			...(body.trace
				? {
						trace: traced
							.filter(({ choices }) => choices.length > 0)
							.map((tick) => ({ tick: tick.tick, ...show(tick) })),
					}
				: {}),
		};
	}),

	handler(routes.play, ({ host, held }) => {
		host.setPlaying(held, true);
		return { message: 'playing', playing: true };
	}),

	handler(routes.pause, ({ host, held }) => {
		host.setPlaying(held, false);
		return { message: 'paused', playing: false };
	}),
];
