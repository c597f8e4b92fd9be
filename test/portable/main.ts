/**
 * `npm run portable`: the games give the same digests in Chromium, Firefox and Node, on this processor and on arm64.
 * Owns: where they are played, and the report. A place that is not here is no pass: it is named, with
 * what brings it.
 *
 * Exit code: 0 all equal in all places, 1 something differs or failed, 2 all equal where it was tried.
 */

import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { ensureBuilt } from '../../relay/build.ts';
import { lastOf } from '../../web/proof/game-proof.ts';
import { chromium, firefox } from './browsers.ts';
import { goldens } from './goldens.ts';
import { nodeHere, nodeOnArm64 } from './nodes.ts';
import { type GameResult, NotHere, type Runtime } from './place.ts';

/** Length of games under emulation: half a minute of each. */
const EMULATED_TICKS = 1800;

const USAGE = `npm run portable [-- FLAGS]

  --whole     plays every game to its end under emulation too (some ten minutes)
  --install   has apt-get install what is missing here (Debian, as root)
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
	// The slowest first.
	const places = [nodeOnArm64(whole ? undefined : EMULATED_TICKS), firefox(), chromium(), nodeHere()];
	await ensureBuilt();
	const outcomes = new Map<string, Outcome>();
	const waiting = [...places];
	const work = async () => {
		for (let place = waiting.shift(); place !== undefined; place = waiting.shift())
			outcomes.set(place.name, await playIn(place, install));
	};
	await Promise.all(Array.from({ length: Math.min(availableParallelism(), places.length) }, work));
	const those = (outcome: Outcome) =>
		places.map(({ name }) => name).filter((name) => outcomes.get(name) === outcome);
	const [equal, different, untried] = [those('equal'), those('different'), those('not tried')];
	const named = (names: readonly string[]) => (names.length === 0 ? '' : `: ${names.join(', ')}`);
	console.log(`\n${equal.length} equal${named(equal)}`);
	console.log(`${different.length} different or failed${named(different)}`);
	console.log(`${untried.length} not tried${named(untried)}`);
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
		if (!(error instanceof NotHere)) {
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

/** Every game was played there, and is equal. */
function isEqual(results: readonly GameResult[]): boolean {
	return goldens.every(({ name }) => results.some((game) => game.name === name && game.verdict === 'equal'));
}

function lineOf({ name, trace }: (typeof goldens)[number], results: readonly GameResult[]): string {
	const game = results.find((result) => result.name === name);
	if (game === undefined) return `  ${name.padEnd(9)} not played`;
	const [end] = lastOf(trace);
	const far = game.tick === end ? `tick ${end}` : `tick ${game.tick} of ${end}`;
	const why = game.why === '' ? '' : `  ${game.why}`;
	return `  ${name.padEnd(9)} ${game.verdict.padEnd(9)} ${game.digest} at ${far}, ${(game.ms / 1000).toFixed(1)} s${why}`;
}

function installed(packages: readonly string[]): Promise<boolean> {
	const foreign = packages.some((name) => name.endsWith(':arm64'));
	const mine = installing.then(
		async () =>
			(!foreign || (await ran('dpkg', ['--add-architecture', 'arm64']))) &&
			(await ran('apt-get', ['update', '-qq'])) &&
			(await ran('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...packages])),
	);
	installing = mine;
	return mine;
}

/** Returns true if a program ended well; its own words go to standard error. */
function ran(program: string, args: readonly string[]): Promise<boolean> {
	return new Promise((done) => {
		const child = spawn(program, args, { stdio: ['ignore', 'ignore', 'inherit'] });
		child.once('error', (error) => {
			console.error(error.message);
			done(false);
		});
		child.once('exit', (code) => done(code === 0));
	});
}
