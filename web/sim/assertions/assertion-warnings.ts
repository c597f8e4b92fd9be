/** Warnings about assertions: verdicts that say less than they seem to. */

import type { Condition } from '../../../shared/verbs/conditions/index.ts';
import type { World } from '../core/world.ts';
import { conditionWarnings } from '../warnings/condition-warnings.ts';
import { assertions, type HeldWhen, type Registered } from './assertion.ts';

const NO_ASSERTION = 'no assertion was evaluated, so nothing was tested; create one with POST /assert/create';

/** Warnings about one assertion, as it is created and as GET /diagnose shows it. */
export function assertionWarnings(
	world: World,
	{ condition, held }: { readonly condition: Condition; readonly held: HeldWhen },
): string[] {
	const warnings = conditionWarnings(world, condition, 'condition', 'statement');
	if (held === 'throughout')
		warnings.push('held: only POST /probe checks an assertion on every tick; POST /step and play do not');
	return warnings;
}

/** Warnings about the verdicts of an evaluation. `probed`: a probe made them, and checked all of its ticks. `unchecked`: warnings from before it. */
export function evaluationWarnings(
	world: World,
	evaluated: readonly { readonly id: number }[],
	{
		unchecked = [],
		probed = false,
	}: { readonly unchecked?: readonly string[]; readonly probed?: boolean } = {},
): string[] {
	if (evaluated.length === 0) return [NO_ASSERTION];
	const ids = new Set(evaluated.map(({ id }) => id));
	const about = assertions(world).filter(({ id }) => ids.has(id));
	return [
		...unchecked,
		...about.flatMap(({ name, condition, held }) => [
			...conditionWarnings(world, condition, `assertion "${name}"`, 'statement'),
			...(held === 'throughout' && !probed
				? [
						`assertion "${name}" must hold throughout, but only the current tick was checked; POST /probe checks each of its ticks`,
					]
				: []),
		]),
	];
}

/**
 * Returns ticks since the last verdict on assertions that are to hold throughout: no probe made them, so they were
 * not checked.
 */
export function uncheckedTicks(world: World): string[] {
	const isUnchecked = ({ held, last }: Registered) =>
		held === 'throughout' && last !== null && last.tick < world.tick;
	return assertions(world)
		.filter(isUnchecked)
		.map(
			({ name, last }) =>
				`assertion "${name}" must hold throughout, but no probe checked it from tick ${last!.tick + 1} to tick ${world.tick}`,
		);
}
