/**
 * Golden traces: every game of public/scenes plays by itself, to the bit as it did when its trace was accepted.
 * Owns: what a trace says. A game without a trace fails, and so does a trace without a game.
 */

import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import type { Engine } from '../../../web/host/engine.ts';
import { clientOf } from '../../support/engine.ts';
import { openScene, sceneNames } from '../../support/scenes.ts';

const SEED = 1;
/** Ticks between two looks at a game. */
const GLANCE = 60;
/** A game that has not ended by then does not end. */
const LONGEST = 20_000;
/** Ticks played on after the end. */
const AFTER = 120;
/** Most digests in a trace. */
const LINES = 24;

const ACCEPT = 'ORRERY_GOLDEN=write npx vitest run --project unit test/behaviour/golden';
const goldenFile = (name: string) => fileURLToPath(new URL(`./${name}.golden.txt`, import.meta.url));

interface Played {
	readonly trace: string;
	readonly tick: number;
	readonly digest: string;
}

interface Sampled {
	readonly rule: number | string;
	readonly label: string;
}

/** Plays a game to its end and says how it went. */
async function play(name: string): Promise<Played> {
	const engine = await openScene(name, SEED);
	const names = await ruleNames(engine);
	const digests: [tick: number, digest: string][] = [];
	const chosen = new Map<string, Map<string, number>>();
	let left = LONGEST;
	for (let done = 0; left > 0; left -= GLANCE) {
		const { body } = await clientOf(engine.handle).call('POST', '/step', { ticks: GLANCE, trace: true });
		done = body.new_tick;
		digests.push([done, body.state_digest]);
		for (const { sampled } of body.trace as { sampled: Sampled[] }[])
			for (const { rule, label } of sampled) count(chosen, names.get(rule) ?? String(rule), label);
		const ended = left < LONGEST && (await phaseOf(engine)) === 'post_match';
		if (ended) left = Math.min(left, AFTER);
	}
	const [tick, digest] = digests.at(-1)!;
	const lines = [
		`seed ${SEED}`,
		...thinned(digests).map(([at, value]) => `${String(at).padStart(6)} ${value}`),
		...(await summary(engine)),
		...[...chosen].sort(byKey).map(([rule, labels]) => {
			const counts = [...labels].sort(byKey).map(([label, times]) => `${label} ${times}`);
			return `chance  ${rule}: ${counts.join(', ')}`;
		}),
	];
	engine.close();
	return { trace: `${lines.join('\n')}\n`, tick, digest };
}

const byKey = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]) => (a < b ? -1 : 1);

function count(chosen: Map<string, Map<string, number>>, rule: string, label: string): void {
	const labels = chosen.get(rule) ?? new Map<string, number>();
	chosen.set(rule, labels);
	labels.set(label, (labels.get(label) ?? 0) + 1);
}

async function ruleNames(engine: Engine): Promise<Map<number | string, string>> {
	const { body } = await clientOf(engine.handle).call('GET', '/rule/list');
	const rules = body.rules as { id: number; name?: string }[];
	return new Map(rules.map(({ id, name }) => [id, name ?? `rule ${id}`]));
}

async function phaseOf(engine: Engine): Promise<string> {
	return (await clientOf(engine.handle).call('GET', '/game/state')).body.phase;
}

/** Every so many digests, and the last. */
function thinned<T>(all: readonly T[]): T[] {
	const stride = Math.ceil(all.length / LINES);
	return all.filter((_, i) => (i + 1) % stride === 0 || i === all.length - 1);
}

async function summary(engine: Engine): Promise<string[]> {
	const state = (await clientOf(engine.handle).call('GET', '/game/state')).body;
	const { summary } = (await clientOf(engine.handle).call('GET', '/game/summary')).body;
	const { entities } = (await clientOf(engine.handle).call('POST', '/observe')).body;
	const rich = entities.filter((entity: { gold?: number }) => entity.gold !== undefined);
	return [
		`phase   ${state.phase} after ${state.elapsed} s`,
		`winner  ${state.winner === null ? 'nobody' : `team ${state.winner.team}`}`,
		...summary.teams.map(
			(team: { team: number; score: number; entity_count: number }) =>
				`team ${team.team}  score ${team.score}, entities ${team.entity_count}`,
		),
		...rich.map(
			(entity: { id: number; tags?: string[]; gold: number; level?: number; health?: number[] }) =>
				`gold    ${entity.gold} of ${entity.id} (${(entity.tags ?? []).join(', ')}), level ${entity.level}`,
		),
	];
}

describe('golden traces', () => {
	test.for(sceneNames())('%s', { timeout: 90_000 }, async (name) => {
		const played = await play(name);
		const file = goldenFile(name);
		if (process.env.ORRERY_GOLDEN === 'write') writeFileSync(file, played.trace);
		expect(
			existsSync(file),
			`${name} has no golden trace. Look at how it plays, then write one: ${ACCEPT}`,
		).toBe(true);
		expect(
			played.trace,
			`${name} no longer plays as its golden trace says. If that is what you want, accept it: ${ACCEPT}`,
		).toBe(readFileSync(file, 'utf8'));
		expect(played.trace).toContain('phase   post_match');

		const again = await openScene(name, SEED);
		let digest = '';
		for (let left = played.tick; left > 0; left -= 5000)
			digest = (await clientOf(again.handle).call('POST', '/step', { ticks: Math.min(left, 5000) })).body
				.state_digest;
		again.close();
		expect(digest, `${name} does not play the same way twice`).toBe(played.digest);
	});

	test('every trace belongs to a game', () => {
		const traces = readdirSync(fileURLToPath(new URL('.', import.meta.url)))
			.filter((file) => file.endsWith('.golden.txt'))
			.map((file) => file.slice(0, -'.golden.txt'.length));
		expect(traces.sort()).toEqual(sceneNames());
	});
});
