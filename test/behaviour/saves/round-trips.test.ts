/**
 * Documents of any world: what goes out and comes back is the same, byte for byte.
 * Owns: the claims about scenarios, scenes, levels and snapshots, over random histories with a fixed seed.
 */

import { describe, expect, test } from 'vitest';
import { dispose } from '../../../web/sim/core/clone.ts';
import { type Command, histories, relive } from '../../support/arbitraries.ts';
import { startEngine, type TestEngine, testEngine } from '../../support/engine.ts';
import { testFiles } from '../../support/memory-files.ts';
import { check, SEED } from '../../support/property.ts';

interface Place {
	readonly engine: TestEngine;
	readonly t: TestEngine;
	readonly disk: ReturnType<typeof testFiles>;
}

/** Does `work` in one engine or two that read the same files, and frees them. */
async function inEngines(work: (here: Place, there: Place) => Promise<void>): Promise<void> {
	const disk = testFiles();
	const [one, two] = [
		await startEngine({ seed: 5, files: disk.files }),
		await startEngine({ seed: 6, files: disk.files }),
	];
	try {
		await work(
			{ engine: one, t: testEngine(one.engine), disk },
			{ engine: two, t: testEngine(two.engine), disk },
		);
	} finally {
		for (const { engine } of [one, two]) {
			for (const { world, snapshots } of engine.worlds.all()) {
				dispose(world);
				for (const snapshot of snapshots) dispose(snapshot.world);
			}
			engine.close();
		}
	}
}

const RUNS = 40;

const afterAny = (work: (here: Place, there: Place) => Promise<void>) =>
	check(RUNS, [histories(30)], (history: Command[]) =>
		inEngines(async (here, there) => {
			await relive(here.engine, history);
			await work(here, there);
		}),
	);

/** Makes a call whose answer must be ok. */
async function must(t: TestEngine, path: string, body: unknown = {}) {
	const answer = await t.post(path, body);
	if (answer.ok !== true) throw new Error(`${path}: ${JSON.stringify(answer)}`);
	return answer;
}

describe(`whatever was done to a world (seed ${SEED})`, () => {
	test('a scenario with its exact part brings back digest, document and future', () =>
		afterAny(async (here, there) => {
			const document = await here.t.get('/scenario');
			const applied = await must(there.t, '/scenario', document);
			expect(applied).toMatchObject({ exact: true, state_digest: await here.t.digest() });
			expect(JSON.stringify(await there.t.get('/scenario'))).toBe(JSON.stringify(document));
			expect(there.t.bytes()).toBe(here.t.bytes());
			expect(await there.t.future(6)).toEqual(await here.t.future(6));
		}));

	test('a plain scenario describes the world that it makes', () =>
		afterAny(async (here, there) => {
			const document = await here.t.get('/scenario?exact=false');
			const applied = await must(there.t, '/scenario', document);
			expect(applied.exact).toBe(false);
			expect(applied.entity_ids).toEqual((document.entities ?? []).map(({ id }: { id: number }) => id));
			expect(JSON.stringify(await there.t.get('/scenario?exact=false'))).toBe(JSON.stringify(document));
		}));

	test('a scene brings back digest, file and future', () =>
		afterAny(async (here, there) => {
			await must(here.t, '/scene/save', { path: 'one.json' });
			const loaded = await must(there.t, '/scene/load', { path: 'one.json' });
			expect(loaded).toMatchObject({ exact: true, state_digest: await here.t.digest() });
			await must(there.t, '/scene/save', { path: 'two.json' });
			expect(here.disk.text('two.json')).toBe(here.disk.text('one.json'));
			expect(there.t.bytes()).toBe(here.t.bytes());
			expect(await there.t.future(6)).toEqual(await here.t.future(6));
		}));

	test('a level is the same file again once it was loaded into an empty world', () =>
		afterAny(async (here, there) => {
			await must(here.t, '/level/save', { path: 'one.json' });
			await must(there.t, '/level/load', { path: 'one.json' });
			await must(there.t, '/level/save', { path: 'two.json' });
			expect(here.disk.text('two.json')).toBe(here.disk.text('one.json'));
		}));

	test('a snapshot brings back every byte and the future, in the world and in a fork', () =>
		afterAny(async ({ t }) => {
			await must(t, '/snapshot', { label: 'here' });
			const saved = t.bytes();
			const first = await t.future(6);
			await must(t, '/fork', { fork_id: 'twin' });
			await must(t, '/reset');
			for (const world of ['main', 'twin']) {
				await must(t, `/snapshot/here/restore?world=${world}`);
				expect(t.bytes(world)).toBe(saved);
				expect(await t.future(6, world)).toEqual(first);
			}
		}));
});
