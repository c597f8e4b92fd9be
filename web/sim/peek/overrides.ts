/**
 * Overrides of chance, in the words of peek.
 * Owns: what they mean, and that a tick in which they cannot apply is not made.
 */

import { ApiError } from '../../../shared/contract/errors.ts';
import { type Choosing, NO_ENTITY, type Override, overriding } from '../core/chance.ts';
import { clone, dispose } from '../core/clone.ts';
import type { World } from '../core/world.ts';
import { schedule } from '../schedule.ts';
import { step } from '../step.ts';
import type { ShownChoice } from './distribution.ts';

/** A draw as peek lists it, without its label. */
export type ChoiceOverride = Omit<ShownChoice, 'label'>;

const engineKeys = new Map(
	schedule.flatMap(({ chance }) =>
		chance === undefined || 'rules' in chance ? [] : [[chance.source.name, chance.source.key]],
	),
);

/**
 * Choosers for the next tick of a world that apply these overrides and sample all other draws. Throws
 * `no_such_draw` when the tick has no such draw or its outcome cannot happen; it is tried on a copy.
 */
export function following(world: World, choices: readonly ChoiceOverride[]): Choosing {
	const overrides = choices.map(toOverride);
	const { chooser, unused } = overriding(overrides);
	const copy = clone(world);
	try {
		step(copy, undefined, chooser);
	} finally {
		dispose(copy);
	}
	const [first] = unused;
	if (first !== undefined) throw noSuchDraw(choices[first]!, first);
	return () => overriding(overrides).chooser;
}

function toOverride(choice: ChoiceOverride, at: number): Override {
	const { rule, entity, outcome } = choice;
	const key = typeof rule === 'number' ? rule : engineKeys.get(rule);
	if (key === undefined) throw noSuchDraw(choice, at);
	return { rule: key, entity: entity ?? NO_ENTITY, outcome };
}

function noSuchDraw({ rule, entity, outcome }: ChoiceOverride, at: number): ApiError {
	const source = typeof rule === 'number' ? `rule ${rule}` : `"${rule}"`;
	const about = entity === null ? 'no entity' : `entity ${entity}`;
	return new ApiError(
		'no_such_draw',
		`The next tick has no draw of ${source} for ${about} with an outcome ${outcome}.`,
		{ path: `choices[${at}]` },
	);
}
