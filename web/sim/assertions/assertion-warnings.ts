/** Warnings about assertions whose verdicts prove less than they seem to. */

import type { Condition } from '../../../shared/verbs/conditions/index.ts';
import type { World } from '../core/world.ts';
import { conditionWarnings } from '../warnings/condition-warnings.ts';
import { assertionsOf, type HeldWhen, type RegisteredAssertion } from './assertion.ts';

const NO_ASSERTION = 'no assertion was evaluated, so nothing was tested; create one with POST /assert/create';

/** Returns warnings about one assertion, for its creation and for GET /diagnose. */
export function assertionWarnings(
	world: World,
	{ condition, held }: { readonly condition: Condition; readonly held: HeldWhen },
): string[] {
	const warnings = conditionWarnings(world, condition, 'condition', 'statement');
	if (held === 'throughout')
		warnings.push('held: only POST /probe checks an assertion on every tick; POST /step and play do not');
	return warnings;
}

/**
 * Returns warnings about the verdicts of an evaluation. `isProbe`: true for the evaluation of a probe, which checked each
 * of its ticks. `earlierWarnings`: warnings that were collected before the evaluation.
 */
export function evaluationWarnings(
	world: World,
	evaluated: readonly { readonly id: number }[],
	{
		earlierWarnings = [],
		isProbe: probed = false,
	}: { readonly earlierWarnings?: readonly string[]; readonly isProbe?: boolean } = {},
): string[] {
	if (evaluated.length === 0) return [NO_ASSERTION];
	const ids = new Set(evaluated.map(({ id }) => id));
	const evaluatedAssertions = assertionsOf(world).filter(({ id }) => ids.has(id));
	return [
		...earlierWarnings,
		...evaluatedAssertions.flatMap(({ name, condition, held }) => [
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
 * Returns a warning for each assertion that must hold throughout, if ticks followed its last verdict. No probe ran these
 * ticks, so they were not checked.
 */
export function uncheckedTickWarnings(world: World): string[] {
	const isUnchecked = ({ held, last }: RegisteredAssertion) =>
		held === 'throughout' && last !== null && last.tick < world.tick;
	return assertionsOf(world)
		.filter(isUnchecked)
		.map(
			({ name, last }) =>
				`assertion "${name}" must hold throughout, but no probe checked it from tick ${last!.tick + 1} to tick ${world.tick}`,
		);
}
