/** Handlers of the tag Auth. The relay knows keys and sessions; the engine only asks. */

import { ApiError } from '../../shared/contract/errors.ts';
import type { AgentSession } from '../../shared/contract/principal.ts';
import * as routes from '../../shared/routes/auth.ts';
import type { SignInGate } from '../store/sign-in-gate.ts';
import { handler } from './handler.ts';

const sessionFields = ({ agent_id, number, access, limits, seconds_left }: AgentSession) => ({
	agent_id,
	agent_number: number,
	access,
	expires_in: seconds_left,
	limits,
});

/** Returns the agent of a session; null if the token belongs to none. */
async function sessionOf(
	{ closed, relayServices }: SignInGate,
	token: string | undefined,
): Promise<AgentSession | null> {
	return !closed || token === undefined ? null : relayServices.ask('session', { session_token: token });
}

export const handlers = [
	handler(routes.login, async ({ host: { gate } }, { body }) => {
		if (!gate.closed) throw new ApiError('no_auth', 'This server has no sign-in.');
		const { session_token, ...session } = await gate.relayServices.ask('login', {
			...body,
			server: body.server ?? undefined,
		});
		return { session_token, ...sessionFields(session) };
	}),

	handler(routes.authStatus, async ({ host: { gate }, session }) => {
		const signedIn = await sessionOf(gate, session);
		const { server = '' } = gate.relayServices;
		const serverField = gate.closed && server !== '' ? { server } : {};
		const status = { authenticated: signedIn !== null, required: gate.closed, ...serverField };
		return signedIn === null ? status : { ...status, ...sessionFields(signedIn) };
	}),

	handler(routes.logout, async ({ host: { gate }, session }) => {
		if (!gate.closed || session === undefined) return { ended: false };
		gate.forget(session);
		return gate.relayServices.ask('logout', { session_token: session });
	}),
];
