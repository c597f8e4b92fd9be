/**
 * `npx orrery start` of an installed package. It finds or installs a browser if the flags need one, then starts the
 * server.
 * Owns: this order. In a clone, `relay/setup/run.mjs` owns it.
 */

import { findBrowser, startNeedsBrowser } from '../setup/browser.mjs';
import { watchParent } from '../setup/parent.mjs';

try {
	if (startNeedsBrowser(process.argv.slice(2))) process.env.CHROME_PATH = await findBrowser(process.execPath);
	watchParent(() => process.kill(process.pid, 'SIGTERM'))?.unref();
	await import('../main.ts');
} catch (error) {
	console.error(error instanceof Error ? error.message : error);
	process.exitCode = 1;
}
