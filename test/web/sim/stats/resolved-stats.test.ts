/** Resolved stats follow changes of their base values, so that a loaded world, which resolves them again, is equal. */

import { expect, test } from 'vitest';
import { encodeWorld } from '../../../../web/sim/core/codec.ts';
import { digest } from '../../../../web/sim/core/digest.ts';
import { loadWorld } from '../../../../web/sim/create-world.ts';
import { step } from '../../../../web/sim/step.ts';
import { startEngine } from '../../../support/engine.ts';

test.each([
	['defense.armor', 'armor'],
	['defense.magic_resist', 'magic_resist'],
	['combat.damage', 'attack_damage'],
])('a rule that sets %s changes the stat %s', async (field, stat) => {
	const { engine, must } = await startEngine();
	const effect = { tag: 'ward', duration: 60, modifiers: [`${stat}:add:0.25`] };
	await must('POST', '/spawn', { health: 10, combat: true, armor: 1, magic_resist: 0.5, effects: [effect] });
	await must('POST', '/step', { ticks: 3 });
	await must('POST', '/rule/create', {
		when: { kind: 'tick', every: 1 },
		once: true,
		do: [{ action: 'set_field', target: { entity: 0 }, field, value: 0.75 }],
	});
	await must('POST', '/step', { ticks: 2 });
	const { world } = engine.worlds.main;
	const loaded = loadWorld(encodeWorld(world));
	step(world);
	step(loaded);
	expect(digest(loaded)).toBe(digest(world));
	const { stats } = (await must('GET', '/entities/0')) as { stats: Record<string, number> };
	expect(stats[stat]).toBe(1);
	engine.close();
});
