/** Handlers of the tag Auth. The relay knows keys and sessions, so the engine asks it. */

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

/** Returns the signed-in agent of a token; null if the token has no session. */
async function sessionOf(
	{ isClosed, relayServices }: SignInGate,
	token: string | undefined,
): Promise<AgentSession | null> {
	return !isClosed || token === undefined ? null : relayServices.ask('session', { session_token: token });
}

export const handlers = [
	handler(routes.login, async ({ host: { gate } }, { body }) => {
		if (!gate.isClosed) throw new ApiError('no_auth', 'This server has no sign-in.');
		const { session_token, ...session } = await gate.relayServices.ask('login', {
			...body,
			server: body.server ?? undefined,
		});
		return { session_token, ...sessionFields(session) };
	}),

	handler(routes.authStatus, async ({ host: { gate }, session }) => {
		const signedIn = await sessionOf(gate, session);
		const { server = '' } = gate.relayServices;
		const serverField = gate.isClosed && server !== '' ? { server } : {};
		const status = { authenticated: signedIn !== null, required: gate.isClosed, ...serverField };
		return signedIn === null ? status : { ...status, ...sessionFields(signedIn) };
	}),

	handler(routes.logout, async ({ host: { gate }, session }) => {
		if (!gate.isClosed || session === undefined) return { ended: false };
		gate.dropSession(session);
		return gate.relayServices.ask('logout', { session_token: session });
	}),
];
