/**
 * Overrides of draws, in the form in which peek lists draws.
 * Owns: their translation, and refusing overrides that cannot apply to the next tick.
 */

import { ApiError } from '../../../shared/contract/errors.ts';
import { type ChooserFactory, NO_ENTITY, type Override, overrideChance } from '../core/chance.ts';
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
 * Returns a factory of choosers that apply overrides to the next tick and sample all other draws. It tries the tick on a
 * copy. Throws `no_such_draw` if the tick has no such draw, or if its outcome is impossible.
 */
export function overridingChoosers(world: World, choices: readonly ChoiceOverride[]): ChooserFactory {
	const overrides = choices.map(toOverride);
	const { chooser, unused } = overrideChance(overrides);
	const copy = clone(world);
	try {
		step(copy, undefined, chooser);
	} finally {
		dispose(copy);
	}
	const [firstUnused] = unused;
	if (firstUnused !== undefined) throw noSuchDraw(choices[firstUnused]!, firstUnused);
	return () => overrideChance(overrides).chooser;
}

function toOverride(choice: ChoiceOverride, index: number): Override {
	const { rule, entity, outcome } = choice;
	const key = typeof rule === 'number' ? rule : engineKeys.get(rule);
	if (key === undefined) throw noSuchDraw(choice, index);
	return { rule: key, entity: entity ?? NO_ENTITY, outcome };
}

function noSuchDraw({ rule, entity, outcome }: ChoiceOverride, index: number): ApiError {
	const source = typeof rule === 'number' ? `rule ${rule}` : `"${rule}"`;
	const subject = entity === null ? 'no entity' : `entity ${entity}`;
	return new ApiError(
		'no_such_draw',
		`The next tick has no draw of ${source} for ${subject} with an outcome ${outcome}.`,
		{ path: `choices[${index}]` },
	);
}
