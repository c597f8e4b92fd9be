/**
 * Models that cost the operator money: which callers may order them, and how many a day.
 * Owns: that rule, and the count of a day. Never: knows a provider; writes the count down.
 */

import { ApiError } from '../../shared/contract/errors.ts';
import type { Customer } from '../../shared/transport/errand.ts';

export interface PaidRules {
	/** Models that all callers may order in a day (UTC); undefined if the operator set no budget. */
	readonly perDay: number | undefined;
	/** Without a budget: any caller may order them. */
	readonly allowed: boolean;
	/** Without a budget: operators may order them, since callers sign in. */
	readonly gated: boolean;
}

/** Models that were ordered on a day, counted in days since 1970. */
export interface PaidTotals {
	readonly day: number;
	readonly all: number;
	readonly byAgent: Readonly<Record<string, number>>;
}

const DAY_MS = 24 * 60 * 60 * 1000;

/** Counts one more model. Throws `not_allowed` or `budget_spent`. `now`: milliseconds since 1970. */
export function spend(
	{ perDay, allowed, gated }: PaidRules,
	spent: PaidTotals | undefined,
	{ operator, agent, paid_models }: Customer,
	now: number,
): PaidTotals {
	const day = Math.floor(now / DAY_MS);
	const { all, byAgent }: Omit<PaidTotals, 'day'> = spent?.day === day ? spent : { all: 0, byAgent: {} };
	const own = Object.hasOwn(byAgent, agent) ? (byAgent[agent] ?? 0) : 0;
	if (perDay === undefined && !allowed && !(gated && operator)) throw notAllowed(gated);
	const isOver = perDay !== undefined && (all >= perDay || (!operator && own >= paid_models));
	if (isOver) {
		const limit =
			all >= perDay ? `The callers have ordered ${perDay}` : `"${agent}" has ordered ${paid_models}`;
		throw new ApiError('budget_spent', `${limit} paid models today, which is the limit.`, {
			headers: { 'retry-after': String(Math.ceil(((day + 1) * DAY_MS - now) / 1000)) },
		});
	}
	return { day, all: all + 1, byAgent: agent === '' ? byAgent : { ...byAgent, [agent]: own + 1 } };
}

function notAllowed(gated: boolean): ApiError {
	if (gated)
		return new ApiError(
			'not_allowed',
			'Models of this provider cost money, so only an operator may order them.',
			{
				fix: 'Use the provider procedural, which is free, or ask the operator to set a budget with --paid-models.',
			},
		);
	return new ApiError(
		'not_allowed',
		'Models of this provider cost money, and this server does not order them.',
		{
			fix: 'Use the provider procedural, which is free, or start the server with --paid-models N or --allow-paid.',
		},
	);
}
