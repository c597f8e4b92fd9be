/** The first status of a world, which a start waits for. Owns: the refusals that it waits out. */

import { STATUS_PATH } from '../shared/contract/relay-paths.ts';
import type { Answer } from '../shared/contract/route.ts';
import type { CallHandler } from '../shared/contract/wire.ts';
import type { getStatus } from '../shared/routes/world.ts';
import { createClient } from '../shared/transport/client.ts';

/** Asks for the status until the world answers. Without a tab the relay refuses every few seconds; that is waited out. */
export async function firstStatus(call: CallHandler): Promise<Answer<typeof getStatus>> {
	const client = createClient(call, { 'user-agent': 'orrery relay' });
	for (;;) {
		const { status, body } = await client.send({ method: 'GET', path: STATUS_PATH });
		const answer = JSON.parse(Buffer.from(body).toString());
		if (status < 400) return answer;
		if (answer.code !== 'no_engine' && answer.code !== 'engine_lost')
			throw new Error(`The engine refused its first call with status ${status}: ${answer.error}`);
	}
}
