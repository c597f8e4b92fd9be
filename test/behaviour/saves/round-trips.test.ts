/**
 * Documents of any world: what goes out and comes back is the same, byte for byte.
 * Owns: the claims about scenarios, scenes, levels and snapshots, over random histories with a fixed seed.
 */

import { describe, expect, test } from 'vitest';
import { dispose } from '../../../web/sim/core/clone.ts';
import { histories, relive } from '../../support/arbitraries.ts';
import { startEngine, type TestEngine, testEngine } from '../../support/engine.ts';
import { testFiles } from '../../support/memory-files.ts';
import { check, claim, SEED } from '../../support/property.ts';

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

/** Makes a call whose answer must be ok. */
async function must(t: TestEngine, path: string, body: unknown = {}) {
	const answer = await t.post(path, body);
	if (answer.ok !== true) throw new Error(`${path}: ${JSON.stringify(answer)}`);
	return answer;
}

describe(`whatever was done to a world (seed ${SEED})`, () => {
	test('every document of it brings back what it promises', () =>
		check(12, [histories(24)], (history) =>
			inEngines(async (here, there) => {
				await relive(here.engine, history);
				const bytes = here.t.bytes();
				const state_digest = await here.t.digest();
				const [exact, plain] = [await here.t.get('/scenario'), await here.t.get('/scenario?exact=false')];
				for (const path of ['/scene/save', '/level/save'])
					await must(here.t, path, { path: `${path.split('/')[1]}.json` });
				await must(here.t, '/snapshot', { label: 'here' });
				const future = await here.t.future(6);

				await claim('a level is the same file again once it was loaded into an empty world', async () => {
					await must(there.t, '/level/load', { path: 'level.json' });
					await must(there.t, '/level/save', { path: 'again.json' });
					expect(here.disk.text('again.json')).toBe(here.disk.text('level.json'));
				});
				await claim('a plain scenario describes the world that it makes', async () => {
					const applied = await must(there.t, '/scenario', plain);
					expect(applied.exact).toBe(false);
					expect(applied.entity_ids).toEqual((plain.entities ?? []).map(({ id }: { id: number }) => id));
					expect(JSON.stringify(await there.t.get('/scenario?exact=false'))).toBe(JSON.stringify(plain));
				});
				await claim('a scenario with its exact part brings back digest, document and future', async () => {
					const applied = await must(there.t, '/scenario', exact);
					expect(applied).toMatchObject({ exact: true, state_digest });
					expect(JSON.stringify(await there.t.get('/scenario'))).toBe(JSON.stringify(exact));
					expect(there.t.bytes()).toBe(bytes);
					expect(await there.t.future(6)).toEqual(future);
				});
				await claim('a scene brings back digest, file and future', async () => {
					const loaded = await must(there.t, '/scene/load', { path: 'scene.json' });
					expect(loaded).toMatchObject({ exact: true, state_digest });
					await must(there.t, '/scene/save', { path: 'again.json' });
					expect(here.disk.text('again.json')).toBe(here.disk.text('scene.json'));
					expect(there.t.bytes()).toBe(bytes);
					expect(await there.t.future(6)).toEqual(future);
				});
				await claim(
					'a snapshot brings back every byte and the future, in the world and in a fork',
					async () => {
						await must(here.t, '/fork', { fork_id: 'twin' });
						await must(here.t, '/reset');
						for (const world of ['main', 'twin']) {
							await must(here.t, `/snapshot/here/restore?world=${world}`);
							expect(here.t.bytes(world)).toBe(bytes);
							expect(await here.t.future(6, world)).toEqual(future);
						}
					},
				);
			}),
		));
});
