/** Whether a period ends. */

import { type Finding, found, type Scope } from './condition.ts';

/** Whether so many ticks, or several times as many, have passed since conditions count. */
export function due({ now, since }: Scope, period: number): Finding {
	const passed = now > since && (now - since) % period === 0;
	return found(passed, `${now - since} ticks have passed, every ${period} are waited for.`);
}
