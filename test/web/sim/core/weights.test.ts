/** Weights whose exact odds would take minutes to compute are refused before any draw. */

import { afterEach, beforeEach, expect, test } from 'vitest';
import { startEngine, type TestEngine } from '../../../support/engine.ts';

let testEngine: TestEngine;
beforeEach(async () => {
	testEngine = await startEngine();
});
afterEach(() => testEngine.engine.close());

/** Returns fractions without a small common denominator. */
const unrelatedFractions = (count: number) =>
	Array.from({ length: count }, (_, i) => `1/${10n ** 30n + BigInt(2 * i + 1)}`);
const rule = (weights: readonly (string | number)[]) => ({
	when: 'tick:1',
	outcomes: weights.map((weight, i) => ({ label: `o${i}`, weight, do: [] })),
});

test.for<[what: string, path: string, body: (weights: readonly string[]) => object]>([
	['a rule', '/rule/create', rule],
	['loot', '/spawn', (weights) => ({ loot: weights.map((weight, i) => ({ label: `l${i}`, weight })) })],
	[
		'the spread of shots',
		'/projectile/spawn',
		(weights) => ({
			from: [0, 0, 0],
			direction: [1, 0, 0],
			speed: 1,
			spread: weights.map((weight) => ({ weight })),
		}),
	],
])('weights without a common denominator are refused in %s', async ([, path, body]) => {
	const before = await testEngine.digest();
	const answer = await testEngine.post(path, body(unrelatedFractions(40)));
	expect(answer).toMatchObject({ ok: false });
	expect(answer.error).toContain('no common denominator of at most 512 bits');
	expect(await testEngine.digest()).toBe(before);
	await testEngine.must('POST', path, body(unrelatedFractions(4)));
});

test('weights without a common denominator are refused in scripts, and draws use up the time of a script', async () => {
	await testEngine.must('POST', '/script/load', {
		script_name: 'x',
		source: `local n, parts, unlike = 0, {}, {}
for i = 1, 64 do parts[i] = { "o" .. i, i } unlike[i] = { "o" .. i, "1/1" .. ("0"):rep(20) .. i * 2 + 1 } end
function on_update()
  if n > 0 then print(n) return end
  print(select(2, pcall(engine.chance, "x", unlike)))
  while true do n = n + 1 engine.chance("x", parts) end
end`,
	});
	await testEngine.spawn({ script: 'x' });
	await testEngine.step(2);
	const [{ output }] = (await testEngine.get('/script/list')).scripts;
	expect(output[0]).toContain('no common denominator of at most 512 bits');
	expect(Number(output[1])).toBeGreaterThan(0);
	expect(Number(output[1])).toBeLessThan(150);
});

test('usual weights have exact odds', async () => {
	await testEngine.must('POST', '/rule/create', rule(['1/3', '0.25', 2, '0', '5/7']));
	const { distribution } = await testEngine.post('/peek', {});
	const odds = (distribution as { probability: { num: string; den: string } }[]).map(
		({ probability }) => probability,
	);
	expect(odds.map(({ num, den }) => `${num}/${den}`).sort()).toEqual([
		'168/277',
		'21/277',
		'28/277',
		'60/277',
	]);
});
