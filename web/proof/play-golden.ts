/**
 * Plays a game without a person to its end, and writes its trace: digests, the end of the game, and the outcomes of draws.
 * Owns: the format of a trace, so that a test, another machine and a visitor's browser all write the same one.
 */

import { createClient } from '../../shared/transport/client.ts';
import { createEngine, type Engine } from '../host/engine.ts';

const SEED = 1;
/** Number of ticks per step of a game. */
const GLANCE = 60;
/** Maximum ticks of a game. A longer one counts as endless. */
const LONGEST = 20_000;
/** Maximum number of digests in a trace. */
const LINES = 24;

export interface GoldenGame {
	readonly name: string;
	/** Its scene, as the body of `POST /scenario`. */
	readonly document: unknown;
	/** Returns a file of `public/`; null if it does not exist. */
	readonly readPublic: (path: string) => Promise<Uint8Array | null>;
	/** Tick at which the trace ends; the end of the game if omitted. */
	readonly until?: number;
	/** Called after each step with tick and digest. */
	readonly played?: (tick: number, digest: string) => void;
	/** Called after each step with the engine. It may use forks, which do not change the trace. */
	readonly visit?: (engine: Engine, step: GoldenStep) => Promise<void>;
}

export interface PlayedGolden {
	readonly trace: string;
	readonly tick: number;
	readonly digest: string;
}

interface Sampled {
	readonly rule: number | string;
	readonly label: string;
}

/** Answer of a step. */
export interface GoldenStep {
	readonly new_tick: number;
	readonly state_digest: string;
	readonly trace: readonly { readonly tick: number; readonly sampled: readonly Sampled[] }[];
}

interface GameState {
	readonly phase: string;
	readonly elapsed: number;
	readonly winner: { readonly team: number } | null;
}

interface Summary {
	readonly teams: readonly { readonly team: number; readonly score: number; readonly entity_count: number }[];
}

interface Observed {
	readonly id: number;
	readonly tags?: readonly string[];
	readonly gold?: number;
	readonly level?: number;
}

type EngineAsk = <T>(method: 'GET' | 'POST', path: string, body?: object) => Promise<T>;

const decoder = new TextDecoder();

function askerOf({ handle }: Engine): EngineAsk {
	const client = createClient(handle);
	return async (method, path, body) => {
		const sent = method === 'POST' ? { body: body ?? {} } : {};
		const response = await client.send({ method, path, ...sent });
		const answer = JSON.parse(decoder.decode(response.body)) as { readonly ok?: boolean };
		if (response.status >= 400 || answer.ok === false)
			throw new Error(`${method} ${path} was answered with ${JSON.stringify(answer)}`);
		return answer as never;
	};
}

/** Opens a game in a new engine. Throws if the engine refuses the scene or warns about it. */
export async function openGolden({ name, document, readPublic }: GoldenGame): Promise<Engine> {
	const engine = await createEngine({ seed: SEED, readPublic });
	const answer = await askerOf(engine)<{ readonly warnings?: unknown }>(
		'POST',
		'/scenario',
		document as object,
	);
	if (answer.warnings === undefined) return engine;
	await engine.close();
	throw new Error(`The scene ${name} was answered with ${JSON.stringify(answer)}`);
}

/** Plays a game to its end, and returns its trace. */
export async function playGolden(game: GoldenGame): Promise<PlayedGolden> {
	const engine = await openGolden(game);
	const ask = askerOf(engine);
	const names = await ruleNames(ask);
	const digests: [tick: number, digest: string][] = [];
	const chosen = new Map<string, Map<string, number>>();
	const longest = Math.min(game.until ?? LONGEST, LONGEST);
	for (let tick = 0, ended = false; tick < longest; ) {
		const ticks = Math.min(GLANCE, longest - tick);
		const stepped = await ask<GoldenStep>('POST', '/step', { ticks, trace: true });
		tick = stepped.new_tick;
		digests.push([tick, stepped.state_digest]);
		game.played?.(tick, stepped.state_digest);
		await game.visit?.(engine, stepped);
		for (const { sampled } of stepped.trace)
			for (const { rule, label } of sampled) count(chosen, names.get(rule) ?? String(rule), label);
		// One more step after the end.
		if (ended) break;
		ended = (await ask<GameState>('GET', '/game/state')).phase === 'post_match';
	}
	const [tick, digest] = digests.at(-1)!;
	const lines = [
		`seed ${SEED}`,
		...thinned(digests).map(([at, value]) => `${String(at).padStart(6)} ${value}`),
		...(await summary(ask)),
		...[...chosen].sort(byKey).map(([rule, labels]) => {
			const counts = [...labels].sort(byKey).map(([label, times]) => `${label} ${times}`);
			return `chance  ${rule}: ${counts.join(', ')}`;
		}),
	];
	await engine.close();
	return { trace: `${lines.join('\n')}\n`, tick, digest };
}

const byKey = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]) => (a < b ? -1 : 1);

function count(chosen: Map<string, Map<string, number>>, rule: string, label: string): void {
	const labels = chosen.get(rule) ?? new Map<string, number>();
	chosen.set(rule, labels);
	labels.set(label, (labels.get(label) ?? 0) + 1);
}

async function ruleNames(ask: EngineAsk): Promise<Map<number | string, string>> {
	const { rules } = await ask<{ readonly rules: readonly { id: number; name?: string }[] }>(
		'GET',
		'/rule/list',
	);
	return new Map(rules.map(({ id, name }) => [id, name ?? `rule ${id}`]));
}

/** Returns evenly spaced elements, up to the limit of lines, and always the last. */
function thinned<T>(all: readonly T[]): T[] {
	const stride = Math.ceil(all.length / LINES);
	return all.filter((_, i) => (i + 1) % stride === 0 || i === all.length - 1);
}

async function summary(ask: EngineAsk): Promise<string[]> {
	const state = await ask<GameState>('GET', '/game/state');
	const { summary } = await ask<{ readonly summary: Summary }>('GET', '/game/summary');
	const { entities } = await ask<{ readonly entities: readonly Observed[] }>('POST', '/observe');
	const rich = entities.filter(({ gold }) => gold !== undefined);
	return [
		`phase   ${state.phase} after ${state.elapsed} s`,
		`winner  ${state.winner === null ? 'nobody' : `team ${state.winner.team}`}`,
		...summary.teams.map(
			({ team, score, entity_count }) => `team ${team}  score ${score}, entities ${entity_count}`,
		),
		...rich.map(
			({ id, tags = [], gold, level }) => `gold    ${gold} of ${id} (${tags.join(', ')}), level ${level}`,
		),
	];
}
