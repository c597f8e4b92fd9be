/** Fake relay services for engines with sign-in. Owns: two agents with write access, whose session tokens are their names. */

import type { RelayServiceCalls, RelayServiceName, RelayServices } from '../../shared/transport/errand.ts';

const agents = ['ada', 'bob'];

export const WRITERS: RelayServices = {
	ask: async <E extends RelayServiceName>(
		errand: E,
		content: RelayServiceCalls[E][0],
	): Promise<RelayServiceCalls[E][1]> => {
		if (errand !== 'session') throw new Error(`These services do not support the errand ${errand}.`);
		const { session_token } = content as RelayServiceCalls['session'][0];
		const session: RelayServiceCalls['session'][1] = {
			agent_id: session_token,
			number: agents.indexOf(session_token) + 1,
			access: 'write',
			limits: {
				calls_per_second: 1000,
				entities: 100_000,
				forks: 2,
				snapshots: 2,
				files: 2,
				file_bytes: 1000,
				asset_bytes: 1000,
				journal_bytes: 1e7,
				paid_models: 10,
				worlds: 4,
			},
			seconds_left: 100,
		};
		return session as RelayServiceCalls[E][1];
	},
};
