/** Times and order of firing rules. */

import { describe, expect, test } from 'vitest';
import { pay, playing } from '../../support/playing.ts';

const { get, spawn, rule, step, ledger, gold } = playing();

describe('order', () => {
	test('higher priority first, then the order of kinds, then the older rule', async () => {
		const a = await spawn({ gold: 1, health: 5 });
		const set = (value: number) => [{ action: 'set_field', target: { entity: a }, field: 'gold', value }];
		const twice = [{ action: 'teleport', target: { entity: a }, position: [1, 0, 0] }];
		await rule({ when: 'tick:1', do: [...set(3), ...twice] });
		expect(await ledger(a, 1)).toEqual([3]);
		await rule({ when: 'tick:1', do: set(4) });
		expect(await ledger(a, 1)).toEqual([4]);
		await rule({ when: 'timer:0', do: set(5) });
		expect(await ledger(a, 1)).toEqual([4]);
		await rule({ when: 'timer:0', do: set(6), priority: -1 });
		expect(await ledger(a, 1)).toEqual([6]);
	});

	test('a rule sees the changes of the rules before it, in the same tick', async () => {
		const a = await spawn({ gold: 0 });
		await rule({ when: { kind: 'field', field: 'gold', op: '>', value: 4 }, actions: [pay('this', 100)] });
		await rule({ when: 'tick:3', actions: [pay({ entity: a }, 5)], priority: 1 });
		expect(await ledger(a, 4)).toEqual([0, 0, 105, 105]);
	});

	test('once fires once in the life of the rule, for one entity', async () => {
		const a = await spawn({ gold: 5 });
		const b = await spawn({ gold: 5 });
		const id = await rule({
			when: { kind: 'field', field: 'gold', value: 0, edge: 'level' },
			once: true,
			actions: [pay()],
		});
		expect((await get(`/rule/${id}`)).rule.fired).toBe(false);
		await step(3);
		expect([await gold(a), await gold(b)]).toEqual([6, 5]);
		expect((await get(`/rule/${id}`)).rule.fired).toBe(true);
	});
});
