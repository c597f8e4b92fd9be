/** The keys of the answers that the specification documents, by route. */

import { afterEach, beforeEach, expect, test } from 'vitest';
import { playMontage } from '../../../shared/routes/animation.ts';
import { startEngine, type TestEngine } from '../../support/engine.ts';
import { createMemoryFiles } from '../../support/memory-files.ts';
import { readPublic } from '../../support/public-files.ts';

let testEngine: TestEngine;
beforeEach(async () => {
	testEngine = await startEngine({ readPublic, files: createMemoryFiles().files });
});
afterEach(() => testEngine.engine.close());

/** A call, the calls that must precede it, and the keys that its answer must have. */
interface DocumentedCall {
	readonly given?: readonly (readonly [path: string, body: object])[];
	readonly method: string;
	readonly path: string;
	readonly body?: object;
	readonly keys: string;
}

const hero = ['/spawn', { health: 100, team: 1, position: [0, 0, 0] }] as const;
const POST_SETTINGS =
	'ok bloom_enabled bloom_threshold contrast exposure fxaa_enabled saturation ssao_enabled ssao_intensity ssao_radius temperature';

const DOCUMENTED_CALLS: readonly DocumentedCall[] = [
	{
		method: 'POST',
		path: '/foliage/scatter',
		body: { area_min: [-5, 0, -5], area_max: [5, 0, 5], density: 1, mesh_name: 'cube' },
		keys: 'density instance_count mesh ok',
	},
	{
		given: playMontage.examples[0].given!.map(({ path, body }) => [path, body as object]),
		method: 'POST',
		path: '/animation/montage',
		body: { entity_id: 0, clip: 0, clip_duration: 1 },
		keys: 'ok message',
	},
	{
		method: 'POST',
		path: '/audio/play',
		body: { path: 'sounds/coin.wav' },
		keys: 'clip entity_id ok spatial',
	},
	{
		method: 'POST',
		path: '/ui/text',
		body: { text: 'Hello', type: 'text', x: 0.5, y: 0.5 },
		keys: 'ok message',
	},
	{
		method: 'POST',
		path: '/terrain/create',
		body: { cell_size: 1, width: 8, height: 8 },
		keys: 'cell_size entity_id height ok width world_depth world_width',
	},
	{
		given: [hero],
		method: 'POST',
		path: '/despawn',
		body: { entity_id: 0, entity_generation: 0 },
		keys: 'ok message',
	},
	{
		given: [
			hero,
			[
				'/ability/set',
				{
					entity_id: 0,
					abilities: [{ slot: 'Q', name: 'Heal', cooldown: 1, effect: { Heal: { amount: 5 } } }],
				},
			],
		],
		method: 'POST',
		path: '/ability/use',
		body: { entity_id: 0, slot: 'Q' },
		keys: 'ok message',
	},
	{
		given: [['/fork', { fork_id: 'plan' }]],
		method: 'POST',
		path: '/fork/plan/scenario',
		body: { entities: [{ health: 5, position: [0, 0, 0] }] },
		keys: 'assertions entities_spawned fork_id ok rules templates',
	},
	{
		method: 'GET',
		path: '/fog/settings',
		keys: 'absorption color density enabled height_falloff light_contribution max_distance ok scattering',
	},
	{ method: 'POST', path: '/postprocess/settings', body: { exposure: 1.2 }, keys: POST_SETTINGS },
	{ method: 'POST', path: '/spawn', body: { health: 1 }, keys: 'id generation' },
];

test.each(DOCUMENTED_CALLS)(
	'$method $path answers $keys',
	async ({ given = [], method, path, body, keys }) => {
		for (const [givenPath, givenBody] of given) await testEngine.must('POST', givenPath, givenBody);
		const answer = await testEngine.must(method, path, body);
		expect(Object.keys(answer)).toEqual(expect.arrayContaining(keys.split(' ')));
	},
);

test('POST /auth/login answers agent_id, ok and session_token', async () => {
	testEngine.engine.setGated(true);
	const limits = {
		calls_per_second: 10,
		entities: 10,
		forks: 1,
		file_bytes: 10,
		asset_bytes: 1e6,
		journal_bytes: 1e9,
		paid_models: 10,
	};
	const session = {
		agent_id: 'ada',
		number: 1,
		access: 'write',
		limits,
		seconds_left: 60,
		session_token: 'x',
	};
	testEngine.engine.setRelayServices({ ask: async () => session } as unknown as Parameters<
		typeof testEngine.engine.setRelayServices
	>[0]);
	const login = {
		agent_id: 'ada',
		domain: 'orrery.local',
		timestamp: 1,
		signature: `${'a'.repeat(86)}==`,
		public_key: `${'a'.repeat(43)}=`,
	};
	const answer = await testEngine.must('POST', '/auth/login', login);
	expect(Object.keys(answer)).toEqual(expect.arrayContaining(['agent_id', 'ok', 'session_token']));
});
