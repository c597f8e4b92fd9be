import fc from 'fast-check';
import { test } from 'vitest';
import { components } from '../../shared/components/index.ts';
import { count } from '../../web/sim/core/world.ts';
import { pending } from '../../web/sim/core/events.ts';
import { histories, perform, SEED } from '../support/arbitraries.ts';
import { startEngine } from '../support/engine.ts';
test('x', async () => {
	const seen = new Set<string>(); const kinds: Record<string, number> = {}; const rate: Record<string, [number, number, Record<string, number>]> = {}; let ticks = 0;
	for (const h of fc.sample(histories(30), { seed: SEED, numRuns: 60 })) {
		const e = await startEngine();
		for (const c of h) {
			const t = performance.now();
			const { body } = await perform(e, c);
			const dt = performance.now() - t; if (dt > 300) console.log('slow', dt, c.path, JSON.stringify(c.body).slice(0, 200));
			const r = (rate[c.path] ??= [0, 0, {}]); r[body.ok === false ? 1 : 0]++; if (body.ok === false) r[2][body.code as string] = (r[2][body.code as string] ?? 0) + 1;
			const { world } = e.engine.worlds.main;
			for (const k of components) if (count(world, k) > 0) seen.add(k.title);
			for (const ev of pending(world)) kinds[ev.kind] = (kinds[ev.kind] ?? 0) + 1;
		}
		ticks += e.engine.worlds.main.world.tick; e.engine.close();
	}
	console.log(JSON.stringify(kinds), ticks, 'missing', components.map((c) => c.title).filter((t) => !seen.has(t)));
	console.log(Object.entries(rate).map(([p, [a, b, c]]) => `${p} ${a}/${a + b} ${JSON.stringify(c)}`).sort().join('\n'));
}, 300000);
