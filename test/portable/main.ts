/**
 * `npm run portable`: checks that the games have equal digests in Chromium, Firefox and Node, on this processor and on arm64.
 * Owns: the list of runtimes, and the report. A missing runtime does not pass: the report names it, with the command that
 * installs it.
 *
 * Exit code: 0 if all runtimes are equal, 1 if one differs or fails, 2 if some are missing and the others are equal.
 */

import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { ensureBuilt } from '../../relay/build.ts';
import { lastOf } from '../../web/proof/game-proof.ts';
import { chromium, firefox } from './browsers.ts';
import { goldens } from './goldens.ts';
import { nodeHere, nodeOnArm64 } from './nodes.ts';
import { type GameResult, MissingRuntime, type Runtime } from './place.ts';

/** Length of each game under emulation: half a minute. */
const EMULATED_TICKS = 1800;

const USAGE = `npm run portable [-- FLAGS]

  --whole     plays every game to its end under emulation too (some ten minutes)
  --install   installs missing packages with apt-get (Debian, as root)
`;

type Outcome = 'equal' | 'different' | 'not tried';

const { values } = parseArgs({
	options: { whole: { type: 'boolean' }, install: { type: 'boolean' }, help: { type: 'boolean' } },
});

/** Only one apt-get can run at a time. */
let installing: Promise<unknown> = Promise.resolve();

if (values.help === true) process.stdout.write(USAGE);
else process.exitCode = await check(values.whole === true, values.install === true);

async function check(whole: boolean, install: boolean): Promise<number> {
	// The slowest starts first.
	const places = [nodeOnArm64(whole ? undefined : EMULATED_TICKS), firefox(), chromium(), nodeHere()];
	await ensureBuilt();
	const outcomes = new Map<string, Outcome>();
	const waiting = [...places];
	const work = async () => {
		for (let place = waiting.shift(); place !== undefined; place = waiting.shift())
			outcomes.set(place.name, await playIn(place, install));
	};
	await Promise.all(Array.from({ length: Math.min(availableParallelism(), places.length) }, work));
	const withOutcome = (outcome: Outcome) =>
		places.map(({ name }) => name).filter((name) => outcomes.get(name) === outcome);
	const [equal, different, untried] = [
		withOutcome('equal'),
		withOutcome('different'),
		withOutcome('not tried'),
	];
	const nameList = (names: readonly string[]) => (names.length === 0 ? '' : `: ${names.join(', ')}`);
	console.log(`\n${equal.length} equal${nameList(equal)}`);
	console.log(`${different.length} different or failed${nameList(different)}`);
	console.log(`${untried.length} not tried${nameList(untried)}`);
	return different.length > 0 ? 1 : untried.length > 0 ? 2 : 0;
}

async function playIn(place: Runtime, install: boolean): Promise<Outcome> {
	const began = performance.now();
	try {
		const { as, results } = await place.play();
		const seconds = ((performance.now() - began) / 1000).toFixed(0);
		console.log(`\n${as}, ${seconds} s`);
		for (const golden of goldens) console.log(lineOf(golden, results));
		return isEqual(results) ? 'equal' : 'different';
	} catch (error) {
		if (!(error instanceof MissingRuntime)) {
			console.log(`\n${place.name}: failed: ${error instanceof Error ? error.message : error}`);
			return 'different';
		}
		const { message, packages } = error;
		if (install && packages.length > 0 && (await installed(packages))) return playIn(place, false);
		const fix = packages.length > 0 ? `: apt-get install ${packages.join(' ')}` : '';
		const foreign = packages.some((name) => name.endsWith(':arm64'))
			? ' (after dpkg --add-architecture arm64 and apt-get update)'
			: '';
		console.log(`\n${place.name}: not tried, ${message}${fix}${foreign}`);
		return 'not tried';
	}
}

/** Returns true if every game was played and is equal. */
function isEqual(results: readonly GameResult[]): boolean {
	return goldens.every(({ name }) => results.some((game) => game.name === name && game.verdict === 'equal'));
}

function lineOf({ name, trace }: (typeof goldens)[number], results: readonly GameResult[]): string {
	const game = results.find((result) => result.name === name);
	if (game === undefined) return `  ${name.padEnd(9)} not played`;
	const [end] = lastOf(trace);
	const progress = game.tick === end ? `tick ${end}` : `tick ${game.tick} of ${end}`;
	const why = game.why === '' ? '' : `  ${game.why}`;
	return `  ${name.padEnd(9)} ${game.verdict.padEnd(9)} ${game.digest} at ${progress}, ${(game.ms / 1000).toFixed(1)} s${why}`;
}

function installed(packages: readonly string[]): Promise<boolean> {
	const foreign = packages.some((name) => name.endsWith(':arm64'));
	const installation = installing.then(
		async () =>
			(!foreign || (await succeeds('dpkg', ['--add-architecture', 'arm64']))) &&
			(await succeeds('apt-get', ['update', '-qq'])) &&
			(await succeeds('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...packages])),
	);
	installing = installation;
	return installation;
}

/** Runs a program, with its errors on standard error. Resolves to true if it succeeds. */
function succeeds(program: string, args: readonly string[]): Promise<boolean> {
	return new Promise((done) => {
		const child = spawn(program, args, { stdio: ['ignore', 'ignore', 'inherit'] });
		child.once('error', (error) => {
			console.error(error.message);
			done(false);
		});
		child.once('exit', (code) => done(code === 0));
	});
}
