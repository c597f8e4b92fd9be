/**
 * `npm run python`: the Python package with Gymnasium, PettingZoo and stable-baselines3, in a virtual environment.
 * Owns: the time limit, and the exit code: 1 if a check failed. Checks without their packages are skipped, with the reason.
 */

import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ROOT } from '../../relay/folders.ts';
import { installPython } from './installation.ts';

const USAGE = `npm run python [-- FLAGS] [CHECKS]

  --seconds N     time of the whole run (default 900); half of it for the installation
  --no-training   installs no stable-baselines3, which may bring several GB with it, and no Ray
`;

const { values, positionals } = parseArgs({
	allowPositionals: true,
	options: {
		seconds: { type: 'string', default: '900' },
		'no-training': { type: 'boolean', default: false },
		help: { type: 'boolean', default: false },
	},
});

if (values.help) process.stdout.write(USAGE);
else process.exitCode = await check(Number(values.seconds) * 1000, !values['no-training'], positionals);

async function check(ms: number, trains: boolean, names: readonly string[]): Promise<number> {
	const end = performance.now() + ms;
	const installed = await installPython({ ms: ms / 2, trains, peers: false });
	if (typeof installed === 'string') {
		console.log(`Python: skipped. ${installed}`);
		return 0;
	}
	for (const reason of installed.missing) console.log(`Not installed: ${reason}`);
	const only = names.flatMap((name) => ['--only', name]);
	const seconds = String(Math.max(30, (end - performance.now()) / 1000));
	const args = [join(import.meta.dirname, 'check.py'), ROOT, '--seconds', seconds, ...only];
	return new Promise((done) => {
		const env = { ...process.env, ORRERY_NODE: process.execPath };
		const child = spawn(installed.python, args, { stdio: ['ignore', 'inherit', 'inherit'], env });
		const stop = (): void => void child.kill('SIGINT');
		process.once('SIGTERM', stop);
		child.once('error', (error) => {
			console.error(error.message);
			done(1);
		});
		child.once('close', (code) => {
			process.off('SIGTERM', stop);
			done(code ?? 1);
		});
	});
}
