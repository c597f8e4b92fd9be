/**
 * Models that cost the operator money: the callers that may order them, and the limit per day.
 * Owns: this rule, and the count of a day. Never: knows a provider; stores the count.
 */

import { ApiError } from '../../shared/contract/errors.ts';
import type { Customer } from '../../shared/transport/errand.ts';

export interface PaidRules {
	/** Maximum models per day (UTC) for all callers together; undefined if the operator set no budget. */
	readonly perDay: number | undefined;
	/** True if any caller may order them without a budget. */
	readonly allowed: boolean;
	/** True if callers sign in. Then operators may order them without a budget. */
	readonly gated: boolean;
}

/** Numbers of models that were ordered on a day. `day`: days since 1970. */
export interface PaidTotals {
	readonly day: number;
	readonly all: number;
	readonly byAgent: Readonly<Record<string, number>>;
}

const DAY_MS = 24 * 60 * 60 * 1000;

/** Returns the totals with one more model. Throws `not_allowed` or `budget_spent`. `now`: milliseconds since 1970. */
export function countPaidModel(
	{ perDay, allowed, gated }: PaidRules,
	totals: PaidTotals | undefined,
	{ operator, agent, paid_models }: Customer,
	now: number,
): PaidTotals {
	const day = Math.floor(now / DAY_MS);
	const { all, byAgent }: Omit<PaidTotals, 'day'> = totals?.day === day ? totals : { all: 0, byAgent: {} };
	const agentTotal = Object.hasOwn(byAgent, agent) ? (byAgent[agent] ?? 0) : 0;
	if (perDay === undefined && !allowed && !(gated && operator)) throw notAllowedError(gated);
	const isOver = perDay !== undefined && (all >= perDay || (!operator && agentTotal >= paid_models));
	if (isOver) {
		const limit =
			all >= perDay ? `The callers have ordered ${perDay}` : `"${agent}" has ordered ${paid_models}`;
		throw new ApiError('budget_spent', `${limit} paid models today, which is the limit.`, {
			headers: { 'retry-after': String(Math.ceil(((day + 1) * DAY_MS - now) / 1000)) },
		});
	}
	return { day, all: all + 1, byAgent: agent === '' ? byAgent : { ...byAgent, [agent]: agentTotal + 1 } };
}

function notAllowedError(gated: boolean): ApiError {
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
