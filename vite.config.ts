/**
 * How the page is built and served: the page itself from `web/`, the service worker as `/sw.js`.
 * Owns: the build's settings. The plugins are in relay/build/.
 */

import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';
import { apiPaths } from './relay/build/api-paths.ts';
import { goldenList } from './relay/build/golden-list.ts';
import { guide } from './relay/build/guide/plugin.ts';
import { createNoticePlugins } from './relay/build/notices.ts';
import { offlineList } from './relay/build/offline-list.ts';
import { physicsBinary } from './relay/build/physics-binary.ts';
import { pythonPackage } from './relay/build/python.ts';
import { recordedExamples } from './relay/build/recorded-examples.ts';
import { sceneList } from './relay/build/scene-list.ts';
import { serviceWorker } from './relay/build/service-worker.ts';

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const { page, worker } = createNoticePlugins();

export default defineConfig({
	root: here('./web'),
	// The page works under any path of any static host.
	base: './',
	publicDir: here('./public'),
	plugins: [
		apiPaths(),
		sceneList(here('./public/scenes')),
		goldenList(here('./test/behaviour/golden'), here('./public/scenes')),
		recordedExamples(here('./public')),
		serviceWorker(here('./sw/worker.ts')),
		guide(here('./web/guide/guide.ts')),
		offlineList(here('./public')),
		pythonPackage(),
		page,
	],
	worker: {
		format: 'es',
		plugins: () => [apiPaths(), physicsBinary(), worker()],
		// Hints for a bundler, which is done by then.
		rolldownOptions: { output: { comments: { annotation: false } }, checks: { pluginTimings: false } },
	},
	build: {
		outDir: here('./dist/page'),
		emptyOutDir: true,
		target: 'esnext',
		sourcemap: true,
		// three.js, Rapier and Lua are what they are; a warning about their size does not help.
		chunkSizeWarningLimit: 4096,
		// Nor does which plugin took how long.
		rolldownOptions: { checks: { pluginTimings: false } },
	},
});
