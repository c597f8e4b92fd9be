/**
 * Benchmark of environments and the bandit in Python, with a server without a browser.
 * Owns: running the measuring checks of `npm run python`. Without Python or its registry, the row has the reason.
 */

import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from '../../relay/folders.ts';
import { installPython } from '../python/installation.ts';
import type { Result } from './measure.ts';

/** Time of the installation (ms). */
const INSTALLATION_MS = 300_000;
/** Longest time of a thousand forks (s). */
const BANDIT_AIM = 20;

const STEP = 'a step of 6 ticks in Python, 64 environments';

interface Numbers {
	readonly bandit_s: number;
	readonly single_ms: number;
	readonly vector_ms: number;
}

export async function benchPython(): Promise<Result[]> {
	const installed = await installPython({ ms: INSTALLATION_MS, trains: false, peers: false });
	const why = typeof installed === 'string' ? installed : installed.missing[0];
	if (typeof installed === 'string' || why !== undefined)
		return [{ section: 'python', name: STEP, ours_ms: null, note: `not measured: ${why}` }];
	const folder = await mkdtemp(join(tmpdir(), 'orrery-bench-'));
	try {
		const file = join(folder, 'numbers.json');
		const only = ['--only', 'speed', '--only', 'bandit'];
		const args = [join(ROOT, 'test/python/check.py'), ROOT, '--numbers', file, ...only];
		const env = { ...process.env, ORRERY_NODE: process.execPath };
		await promisify(execFile)(installed.python, args, { env });
		const { bandit_s, single_ms, vector_ms } = JSON.parse(await readFile(file, 'utf8')) as Numbers;
		const perSecond = (ms: number) => `${Math.round(1000 / ms)} steps/s`;
		return [
			{
				section: 'python',
				name: STEP,
				ours_ms: vector_ms,
				against: 'one environment',
				against_ms: single_ms,
				ratio: vector_ms / single_ms,
				note: `${perSecond(vector_ms)}, one alone ${perSecond(single_ms)}`,
			},
			{
				section: 'python',
				name: 'a bandit over 1,000 fights in Python',
				ours_ms: bandit_s * 1000,
				aim: `at most ${BANDIT_AIM} s`,
				met: bandit_s <= BANDIT_AIM,
			},
		];
	} finally {
		await rm(folder, { recursive: true, force: true });
	}
}
