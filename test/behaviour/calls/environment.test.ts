/** The environment of a world for learning agents: its numbers, its storage in scenarios, and the environments of five games. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ROOT } from '../../../relay/folders.ts';
import { startEngine } from '../../support/engine.ts';
import { playing } from '../../support/playing.ts';
import { readPublic } from '../../support/public-files.ts';

const { call, must, post, get, digest } = playing();

const duel = {
	name: 'Duel',
	agents: [{ name: 'hero', entity: 'tag:hero' }],
	observation: [
		{ name: 'health', field: 'health.current', low: 0, high: 60 },
		{ name: 'enemies', count: 'team:2+alive', low: 0, high: 10 },
		{ name: 'nearest', field: 'position.x', of: 'team:2', pick: 'nearest', relative: true, low: -9, high: 9 },
		{ name: 'first', field: 'position.x', of: 'team:2', low: -9, high: 9 },
		{ name: 'sum', field: 'health.current', of: 'team:2', pick: 'sum', low: 0, high: 999 },
		{ name: 'mean', field: 'health.current', of: 'team:2', pick: 'mean', low: 0, high: 999 },
		{ name: 'nothing', field: 'gold', low: -5, high: 5, missing: -3 },
		{ name: 'rich', condition: 'field:health<50 & tag:hero', low: 0, high: 1 },
		{ name: 'points', score: 1, low: 0, high: 100 },
	],
	actions: [
		{ name: 'wait' },
		{ name: 'right', inputs: [{ action: 'move_right', ticks: 6 }] },
		{ name: 'strike', requests: [{ path: '/entity/damage', body: { entity_id: 1, amount: 30 } }] },
	],
	reward: [
		{ field: 'health.current', of: 'team:2', pick: 'sum', weight: -0.1 },
		{ count: 'tag:hero', weight: 0.5, change: false },
	],
	terminated: 'none team:2+alive',
};

const world = {
	entities: [
		{ tags: ['hero'], team: 1, health: 100, player: true, position: [1, 0, 0] },
		{ team: 2, health: 60, position: [-7, 0, 0] },
		{ team: 2, health: 20, position: [3, 0, 0] },
	],
};
const loadDuel = () => must('POST', '/scenario', { ...world, environment: duel });

describe('the numbers', () => {
	test('are read from fields, counts, conditions and points, and kept within their range', async () => {
		await loadDuel();
		const { state, agents } = await get('/environment');
		expect(agents).toEqual([{ name: 'hero', entity_id: 0 }]);
		expect(state).toEqual({
			observation: [[60, 2, 2, -7, 80, 40, -3, 0, 0]],
			potential: [-8],
			bonus: [0.5],
			terminated: false,
			truncated: false,
		});
	});

	test('are in each row of POST /fork/step', async () => {
		await loadDuel();
		const strike = { fork_id: 'a', from: 'main', requests: duel.actions[2]!.requests };
		const { rows } = await post('/fork/step', {
			steps: [strike, { fork_id: 'b', from: 'main', inputs: duel.actions[1]!.inputs }],
			ticks: 6,
			environment: true,
		});
		expect(rows[0].environment).toMatchObject({ potential: [-5], terminated: false });
		expect(rows[1].environment.observation[0][2]).toBeLessThan(2);
		expect((await get('/environment?world=a')).state).toEqual(rows[0].environment);
	});

	test('a world without an environment reports that, also in a row', async () => {
		expect(await call('GET', '/environment')).toMatchObject({
			status: 404,
			body: { code: 'no_environment' },
		});
		const { rows } = await post('/fork/step', { steps: [{ fork_id: 'a', from: 'main' }], environment: true });
		expect(rows[0]).toMatchObject({ ok: false, error: { code: 'no_environment' } });
	});
});

describe('a declaration', () => {
	test('is kept by scenarios, forks and saves, and does not change the digest', async () => {
		await must('POST', '/scenario', world);
		const before = await digest();
		await must('POST', '/environment', duel);
		expect(await digest()).toBe(before);
		const scenario = await get('/scenario?exact=false');
		expect(scenario.environment).toMatchObject({ name: 'Duel', frame_skip: 6 });
		await must('POST', '/scenario', world);
		expect(await call('GET', '/environment')).toMatchObject({ status: 404 });
		await must('POST', '/scenario', scenario);
		await must('POST', '/fork', { fork_id: 'copy' });
		expect(await get('/environment?world=copy')).toEqual(await get('/environment'));
	});

	test.each([
		['an unknown field', { observation: [{ name: 'x', field: 'helth', low: 0, high: 1 }] }, 'health'],
		['two sources', { reward: [{ field: 'gold', count: 'any', weight: 1 }] }, 'exactly one of'],
		['no range', { observation: [{ name: 'x', field: 'gold', low: 1, high: 1 }] }, 'low must be less'],
		['a condition that is not one', { terminated: 'fild:gold>3' }, 'field'],
		['two agents of one name', { agents: [duel.agents[0], duel.agents[0]] }, 'share a name'],
	])('with %s is refused and changes nothing', async (_, part, words) => {
		await loadDuel();
		const before = await get('/environment');
		const { status, body } = await call('POST', '/environment', { ...duel, ...part });
		expect([status, `${body.message} ${body.fix}`]).toEqual([422, expect.stringContaining(words)]);
		expect(await get('/environment')).toEqual(before);
	});
});

test.each(['arena', 'dungeon', 'towers', 'market', 'skirmish'])(
	'%s: every agent can make every action, and numbers stay in range',
	async (name) => {
		const engine = await startEngine({ readPublic, seed: 1 });
		try {
			const path = join(ROOT, `public/scenes/${name}.json`);
			await engine.must('POST', '/scenario', JSON.parse(readFileSync(path, 'utf8')));
			const { environment, agents } = await engine.get('/environment');
			expect(agents.every(({ entity_id }: { entity_id: number | null }) => entity_id !== null)).toBe(true);
			const requests = environment.agents.flatMap(({ start }: { start: object[] }) => start);
			await engine.must('POST', '/fork/step', {
				steps: [{ fork_id: 'start', from: 'main', requests, ticks: 0 }],
			});
			for (const [i, agent] of environment.agents.entries()) {
				const observed = agent.observation ?? environment.observation;
				const steps = (agent.actions ?? environment.actions).map(
					(action: { inputs: object[]; requests: object[] }, k: number) => ({
						fork_id: `a${k}`,
						from: 'start',
						requests: action.requests,
						inputs: action.inputs.map((input) => ({ ...input, entity_id: agents[i].entity_id })),
					}),
				);
				const { rows, failed } = await engine.post('/fork/step', { steps, ticks: 1, environment: true });
				expect([failed, rows.length]).toEqual([0, steps.length]);
				for (const { environment: state } of rows)
					for (const [k, value] of state.observation[i].entries()) {
						expect(value).toBeGreaterThanOrEqual(observed[k].low);
						expect(value).toBeLessThanOrEqual(observed[k].high);
					}
			}
		} finally {
			engine.engine.close();
		}
	},
);
