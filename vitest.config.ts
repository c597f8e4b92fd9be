/**
 * The tests: `unit` and `isolated` run in Node alone, `browser` starts Chromium.
 * Owns: which files belong to which project, and how long a test may take.
 */

import { globSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { apiPaths } from './relay/build/api-paths.ts';
import { sceneList } from './relay/build/scene-list.ts';
import { LongestFirst } from './test/gate/longest-first.ts';
import { PATIENCE } from './test/support/patience.ts';

const BROWSER = 'test/behaviour/browser/**/*.test.ts';

/** A file that replaces modules must not share them with other files. */
const isolated = globSync('test/**/*.test.ts', { cwd: import.meta.dirname }).filter((file) =>
	readFileSync(new URL(file, import.meta.url), 'utf8').includes('vi.mock('),
);

/** Pattern of the root's path. */
const ROOT = import.meta.dirname.replaceAll('\\', '/').replaceAll(/[.*+?^${}()|[\]]/g, '\\$&');

/**
 * Files that Node itself loads. Vite's transform makes every call of another module slower, and with it every tick. The rest of the
 * page needs Vite, for JSX and for modules that its plugins make. Vitest follows the imports of its own files only, so a run of
 * what changed has none.
 */
const NATIVE = process.argv.some((arg) => arg.startsWith('--changed'))
	? []
	: ['shared', 'relay', 'web/(api|content|frames|guide|host|proof|sim|store)', 'test/support'].map(
			(folder) => new RegExp(`^${ROOT}/${folder}/.*\\.ts$`),
		);

/** `npm run deep` multiplies the random cases, and with them the time. */
const times = Number(process.env.ORRERY_TIMES ?? 1);

/** Limits that notice a hang, not a busy machine. */
const limits = {
	testTimeout: 300_000 * times,
	hookTimeout: 300_000,
	expect: { poll: { timeout: 120_000 } },
};

export default defineConfig({
	test: {
		// One more than cores: many tests wait for servers, sockets and timers.
		maxWorkers: availableParallelism() + 1,
		sequence: { sequencer: LongestFirst },
		silent: 'passed-only',
		// A worker ends within a tenth of a second, but not on a machine that gives it no time.
		teardownTimeout: 60_000,
		projects: [
			{
				plugins: [apiPaths(), sceneList('public/scenes')],
				test: {
					...limits,
					name: 'unit',
					include: ['test/**/*.test.ts'],
					exclude: [BROWSER, 'test/bench/**', ...isolated],
					// Files of one worker share the modules: loading the engine takes longer than most files.
					isolate: false,
					server: { deps: { external: NATIVE } },
				},
			},
			{
				plugins: [apiPaths()],
				test: { ...limits, name: 'isolated', include: isolated },
			},
			{
				plugins: [apiPaths()],
				test: {
					name: 'browser',
					include: [BROWSER],
					server: { deps: { external: NATIVE } },
					globalSetup: ['test/behaviour/browser/set-up.ts'],
					setupFiles: ['test/behaviour/browser/bounded-fetch.ts'],
					// Each wait ends before, and says what it waited for.
					testTimeout: 2 * PATIENCE * times,
					hookTimeout: 2 * PATIENCE,
					expect: { poll: { timeout: PATIENCE, interval: 100 } },
					// A browser has timers and frames of its own. A test that passes only the second time is listed at the end.
					retry: 1,
					// Each worker has a Chromium of its own. While one waits, the others keep two cores busy.
					maxWorkers: 3,
					// Vitest wants this of projects that differ in their workers.
					sequence: { groupOrder: 1 },
					isolate: false,
				},
			},
		],
	},
});
