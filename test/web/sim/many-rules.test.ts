/** The total size of a world's rules has a limit, so that a document of them loads in seconds. */

import { expect, test, vi } from 'vitest';
import { MAX_RULE_PARTS, type SentRule, writtenRule } from '../../../shared/rules/rule.ts';
import { createRule, deleteRule, ruleIds } from '../../../web/sim/rules/rule.ts';
import { freshWorld, startEngine } from '../../support/engine.ts';

const rule = { when: 'tick:9', actions: Array.from({ length: 200 }, () => 'emit x') };

test('a document with too many rule parts is refused before its first rule is parsed', async () => {
	const { call, must, engine } = await startEngine();
	const parseCalls = vi.spyOn(writtenRule._zod, 'run');
	const rules = Array.from({ length: MAX_RULE_PARTS / 200 }, () => rule);
	const { body } = await call('POST', '/scenario', { version: 1, rules });
	expect(body).toMatchObject({ ok: false, error: expect.stringContaining(String(MAX_RULE_PARTS)) });
	expect(parseCalls).not.toHaveBeenCalled();
	parseCalls.mockRestore();
	expect(await must('GET', '/rule/list')).toMatchObject({ count: 0 });
	engine.close();
});

test('a full world refuses rules with any effects, and accepts a rule after one is removed', async () => {
	const world = await freshWorld();
	const sentRule = writtenRule.parse(rule);
	const effects = sentRule.actions!.map(() => ({ action: 'emit', name: 'x' })) as NonNullable<SentRule['do']>;
	const outcomes = Array.from({ length: 64 }, (_, i) => ({ label: `${i}`, weight: 1, do: effects }));
	const large: SentRule = {
		when: { kind: 'tick', every: 9 },
		filter: 'any',
		outcomes,
		priority: 0,
		once: false,
		enabled: true,
	};
	const maxRules = Math.floor(MAX_RULE_PARTS / (1 + 64 * 201));
	for (let i = 0; i < maxRules; i++) createRule(world, large);
	expect(() => createRule(world, large)).toThrow(String(MAX_RULE_PARTS));
	deleteRule(world, ruleIds(world)[0]!);
	createRule(world, large);
	expect(() => createRule(world, large)).toThrow(String(MAX_RULE_PARTS));
});
