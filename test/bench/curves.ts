/**
 * `npm run bench -- --curves`: how costs grow with the number of entities.
 * Owns: the lines, the sizes, and the exponent of each line. Writes public/pictures/costs.svg, which the guide shows.
 */

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { spawnDocument } from '../../shared/documents/spawn.ts';
import { writtenRule } from '../../shared/rules/rule.ts';
import { MemoryJournal } from '../../shared/transport/memory-journal.ts';
import { createEngine, type Engine } from '../../web/host/engine.ts';
import { clone, dispose } from '../../web/sim/core/clone.ts';
import { encodeWorld } from '../../web/sim/core/codec.ts';
import { digest } from '../../web/sim/core/digest.ts';
import type { World } from '../../web/sim/core/world.ts';
import { createWorld } from '../../web/sim/create-world.ts';
import { parseRule } from '../../web/sim/documents/rule-entry.ts';
import { observeBytes } from '../../web/sim/observe/write-out.ts';
import { createRule } from '../../web/sim/rules/rule.ts';
import { spawnEntity } from '../../web/sim/spawn/spawn-entity.ts';
import { step } from '../../web/sim/step.ts';
import { type Lab, openLabIn } from '../behaviour/browser/lab.ts';
import { launchBrowser } from '../support/browser.ts';
import { jsonOf, requestOf } from '../support/engine.ts';
import { servePage } from '../web/render/serve-page.ts';
import { type Curve, type CurvePoint, exponentOf, plot } from './plot.ts';

const SIZES = [10, 100, 1000, 10_000, 50_000, 250_000];
/** Time of one measurement (ms). It has at least `MIN_RUNS` and at most `MAX_RUNS` runs. */
const PATIENCE = 1000;
const MIN_RUNS = 5;
const MAX_RUNS = 300;
/** Maximum exponent. From 1,000 to 250,000, n log n has the exponent 1.11; the rest is a margin for noise. */
const MAX_EXPONENT = 1.15;

const PLOT = join(import.meta.dirname, '../../public/pictures/costs.svg');

/** Returns a world of moving entities with health, team and tags, and a rule that tosses a coin on each tick. */
function walkers(count: number): World {
	const world = createWorld();
	for (let i = 0; i < count; i++)
		spawnEntity(
			world,
			spawnDocument.parse({
				mesh: 'cube',
				position: [(i % 500) * 2, 0, Math.floor(i / 500) * 2],
				physics_body: 'Kinematic',
				velocity: { linear: [0.01 * (i % 7) + 0.01, 0, 0.01] },
				health: 100,
				team: 1 + (i % 2),
				tags: ['walker'],
			}),
		);
	const coin = {
		when: { kind: 'tick', every: 1 },
		outcomes: [
			{
				label: 'heads',
				weight: 1,
				do: [{ action: 'add_field', target: { entity: 0 }, field: 'health', value: 1 }],
			},
			{ label: 'tails', weight: 1 },
		],
	};
	createRule(world, parseRule(writtenRule.parse(coin)));
	step(world);
	return world;
}

/** Returns the shortest time of a run (ms). `before` is not timed. */
async function shortestTime(run: () => unknown, before?: () => unknown): Promise<number> {
	let best = Number.POSITIVE_INFINITY;
	const until = performance.now() + PATIENCE;
	for (let i = 0; i < MAX_RUNS && (i < MIN_RUNS || performance.now() < until); i++) {
		await before?.();
		const began = performance.now();
		const result = run();
		if (result instanceof Promise) await result;
		best = Math.min(best, performance.now() - began);
	}
	return best;
}

async function call(engine: Engine, path: string, body: object): Promise<void> {
	const answer = jsonOf(await engine.handle(requestOf('POST', path, body)));
	if (answer.ok === false) throw new Error(`${path} was refused: ${JSON.stringify(answer).slice(0, 300)}`);
}

/** Returns the times of all lines that need no browser (ms). */
async function costsOf(count: number): Promise<Record<string, number>> {
	const world = walkers(count);
	const tick = () => step(world);
	const costs: Record<string, number> = {
		tick: await shortestTime(tick),
		fork: await shortestTime(() => dispose(clone(world))),
		'digest after a tick': await shortestTime(() => digest(world), tick),
		'observe after a tick': await shortestTime(() => observeBytes(world), tick),
		save: await shortestTime(() => encodeWorld(world), tick),
	};
	dispose(world);
	const engine = await createEngine({ journal: new MemoryJournal() });
	engine.worlds.main.world = walkers(count);
	costs['peek of a coin'] = await shortestTime(() => call(engine, '/peek', {}));
	costs['step with its journal entry'] = await shortestTime(() => call(engine, '/step', { ticks: 1 }));
	await engine.close();
	return costs;
}

/** Number of entities in one call. */
const TOGETHER = 1000;

async function screenshots(sizes: readonly number[]): Promise<CurvePoint[]> {
	const served = await servePage();
	const lab: Lab = await openLabIn(await launchBrowser({ width: 160, height: 90 }), served.url);
	try {
		await lab.page.evaluate(() => window.lab.view.setShown(false));
		await lab.must('POST', '/camera', { eye: [400, 300, 400], target: [500, 0, 250] });
		const points: CurvePoint[] = [];
		let count = 0;
		for (const size of sizes) {
			while (count < size) {
				const end = Math.min(size, count + TOGETHER);
				const requests = [];
				for (; count < end; count++) {
					const position = [(count % 500) * 2, 0, Math.floor(count / 500) * 2];
					requests.push({ path: '/spawn', body: { mesh: 'cube', position } });
				}
				await lab.must('POST', '/batch', { requests });
			}
			const take = () => lab.page.evaluate(() => window.lab.call('GET', '/screenshot?width=256&height=160'));
			points.push({ entities: size, ms: await shortestTime(take) });
		}
		return points;
	} finally {
		await lab.close();
		await served.close();
	}
}

const curveOf = (name: string, points: readonly CurvePoint[]): Curve => ({
	name,
	points,
	exponent: exponentOf(points),
});

function print({ name, points, exponent }: Curve): void {
	const numbers = points.map(({ ms }) => ms.toPrecision(3).padStart(10)).join('');
	const verdict = exponent > MAX_EXPONENT ? 'worse than n log n' : '';
	console.log(`${name.padEnd(28)}${numbers}   n^${exponent.toFixed(2)} ${verdict}`.trimEnd());
}

/** Measures all lines, prints them with their exponents, and draws them. */
export async function drawCurves(withScreenshots: boolean, sizes = SIZES): Promise<readonly Curve[]> {
	const lines = new Map<string, CurvePoint[]>();
	for (const entities of sizes) {
		console.error(`measuring ${entities} entities ...`);
		for (const [name, ms] of Object.entries(await costsOf(entities))) {
			const points = lines.get(name) ?? [];
			lines.set(name, [...points, { entities, ms }]);
		}
	}
	const curves = [...lines].map(([name, points]) => curveOf(name, points));
	for (const curve of curves) print(curve);
	if (withScreenshots) {
		console.error('taking screenshots ...');
		const curve = curveOf('screenshot', await screenshots(sizes));
		print(curve);
		curves.push(curve);
	}
	await writeFile(PLOT, plot(curves));
	console.log(`\nWritten to ${PLOT}`);
	return curves;
}
