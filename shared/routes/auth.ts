/** Routes of the tag Auth: signing in with a key. */

import * as z from 'zod';
import { LOGIN_PATH, SESSION_PATH } from '../contract/relay-paths.ts';
import { route } from '../contract/route.ts';
import { integer, optional, text } from '../contract/values.ts';

const shared = { tag: 'Auth', world: false, batch: false, effect: 'read' } as const;

const agentId = text('Name of the agent in the list of keys', 100).min(1);

const agentFields = {
	agent_id: z.string(),
	agent_number: integer('Number of the agent: the agent_id of entities it creates'),
	access: z
		.enum(['read', 'write', 'admin'])
		.describe('read: reads only. write: also changes its own things. admin: changes everything'),
	expires_in: integer('Time until the session ends', { unit: 's', max: Number.MAX_SAFE_INTEGER }),
	limits: z.strictObject({
		calls_per_second: integer('Calls per second', { max: Number.MAX_SAFE_INTEGER }),
		entities: integer('Entities it may own per world', { max: Number.MAX_SAFE_INTEGER }),
		forks: integer('Forks it may have', { max: Number.MAX_SAFE_INTEGER }),
		worlds: integer('Worlds it may have beside main', { max: Number.MAX_SAFE_INTEGER }),
		snapshots: integer('Snapshots of one world that are kept for it', { max: Number.MAX_SAFE_INTEGER }),
		files: integer('Files it may own in the data folder', { max: Number.MAX_SAFE_INTEGER }),
		file_bytes: integer('Size of the files it may have', { unit: 'bytes', max: Number.MAX_SAFE_INTEGER }),
		asset_bytes: integer('Size of the assets it may have', { unit: 'bytes', max: Number.MAX_SAFE_INTEGER }),
		journal_bytes: integer('Size that its calls may add to the journal per hour', {
			unit: 'bytes',
			max: Number.MAX_SAFE_INTEGER,
		}),
		paid_models: integer('Paid models it may order per day', { max: Number.MAX_SAFE_INTEGER }),
	}),
};

const ZERO_KEY = 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=';

export const login = route({
	...shared,
	id: 'auth.login',
	method: 'POST',
	path: LOGIN_PATH,
	cli: ['auth', 'login'],
	summary: 'Signs in with an Ed25519 key, and returns a session',
	description:
		'Sign the UTF-8 bytes of agent_id, a line feed, domain, a line feed, timestamp in decimal digits, a line feed, and server. Without "server", the signature ends with the timestamp; another server that lists the key could use it. The time may differ from the server\'s by 300 s, and each signature is valid for one session. Send the session as the header "Authorization: Bearer TOKEN". A server without --auth returns 503, and no call needs a session.',
	body: z.strictObject({
		agent_id: agentId,
		domain: text('Domain of the server, for which the signature is made', 253).min(1),
		timestamp: integer('Time of the signature', { unit: 'Unix s', max: Number.MAX_SAFE_INTEGER }),
		signature: text('The signature of 64 bytes, as base64', 200),
		server: optional(text('Name of the server, from GET /auth/status, if the signature covers it', 100)),
		public_key: text('The public key of 32 bytes, as base64, with or without the prefix "ed25519:"', 200),
	}),
	answer: z.strictObject({
		ok: z.literal(true),
		session_token: z.string().describe('The session; keep it secret'),
		...agentFields,
	}),
	errors: ['no_auth', 'login_refused'],
	examples: [
		{
			name: 'Sign in',
			body: {
				agent_id: 'ada',
				domain: 'orrery.local',
				timestamp: 1_800_000_000,
				signature: `${ZERO_KEY.slice(0, 42)}${ZERO_KEY}`.padEnd(88, '=').slice(0, 88),
				public_key: ZERO_KEY,
			},
			needs: 'relay',
			answer: {
				ok: true,
				session_token: 'a-secret-of-43-characters',
				agent_id: 'ada',
				agent_number: 1,
				access: 'write',
				expires_in: 3600,
				limits: {
					calls_per_second: 200,
					entities: 10_000,
					forks: 50,
					worlds: 4,
					snapshots: 20,
					files: 1000,
					file_bytes: 1_073_741_824,
					asset_bytes: 67_108_864,
					journal_bytes: 268_435_456,
					paid_models: 10,
				},
			},
		},
	],
});

export const authStatus = route({
	...shared,
	id: 'auth.status',
	method: 'GET',
	path: SESSION_PATH,
	cli: ['auth', 'status'],
	summary: 'Session of the call: its validity and its agent',
	answer: z.strictObject({
		ok: z.literal(true),
		authenticated: z.boolean(),
		required: z.boolean().describe('true: calls that change something need a session'),
		server: z
			.string()
			.optional()
			.describe('If a session is required: name of the server since its last start, for POST /auth/login'),
		...z.strictObject(agentFields).partial().shape,
	}),
	errors: [],
	examples: [{ name: 'Look' }],
});

export const logout = route({
	...shared,
	id: 'auth.logout',
	method: 'POST',
	path: '/auth/logout',
	cli: ['auth', 'logout'],
	summary: 'Ends the session of the call',
	answer: z.strictObject({
		ok: z.literal(true),
		ended: z.boolean().describe('true: there was a session'),
	}),
	errors: [],
	examples: [{ name: 'Sign out' }],
});
