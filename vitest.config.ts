/**
 * The tests: `unit` runs in Node alone, `browser` starts Chromium and runs two files together.
 * Owns: which files belong to which project, and how long they may take.
 */

import { defineConfig } from 'vitest/config';
import { apiPaths } from './relay/build/api-paths.ts';

export default defineConfig({
	test: {
		projects: [
			{
				plugins: [apiPaths()],
				test: {
					name: 'unit',
					include: ['test/**/*.test.ts'],
					exclude: ['test/behaviour/browser/**', 'test/bench/**'],
					testTimeout: 60_000,
					hookTimeout: 60_000,
				},
			},
			{
				plugins: [apiPaths()],
				test: {
					name: 'browser',
					include: ['test/behaviour/browser/**/*.test.ts'],
					globalSetup: ['test/behaviour/browser/set-up.ts'],
					testTimeout: 120_000,
					hookTimeout: 120_000,
					expect: { poll: { timeout: 60_000 } },
					// A browser has timers and frames of its own. What passes only the second time is named at the end.
					retry: 1,
					// Each worker has a Chromium of its own. More of them than cores would only wait for each other.
					maxWorkers: 2,
					isolate: false,
				},
			},
		],
	},
});
