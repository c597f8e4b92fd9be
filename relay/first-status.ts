/** First status of a world after a start. Owns: the refusals after which the status is requested again. */

import { STATUS_PATH } from '../shared/contract/relay-paths.ts';
import type { Answer } from '../shared/contract/route.ts';
import type { CallHandler } from '../shared/contract/wire.ts';
import type { getStatus } from '../shared/routes/world.ts';
import { createClient } from '../shared/transport/client.ts';

/** Returns the status once the world answers. Without a tab the relay refuses after a few seconds, and this repeats the call. */
export async function waitForStatus(call: CallHandler): Promise<Answer<typeof getStatus>> {
	const client = createClient(call, { 'user-agent': 'orrery relay' });
	for (;;) {
		const { status, body } = await client.send({ method: 'GET', path: STATUS_PATH });
		const answer = JSON.parse(Buffer.from(body).toString());
		if (status < 400) return answer;
		if (answer.code !== 'no_engine' && answer.code !== 'engine_lost')
			throw new Error(`The engine refused its first call with status ${status}: ${answer.error}`);
	}
}
