/**
 * Plays a game without a person to its end, and writes its trace: digests, the end of the game, and the outcomes of draws.
 * Owns: the format of a trace. Tests, other machines and a visitor's browser all use it.
 */

import { createClient } from '../../shared/transport/client.ts';
import { createEngine, type Engine } from '../host/engine.ts';

/** Seed of every game. */
const SEED = 1;
/** Number of ticks per step of a game. */
const STEP_TICKS = 60;
/** Maximum number of ticks of a game. A longer game ends here. */
const MAX_TICKS = 20_000;
/** Maximum number of digests in a trace. */
const MAX_DIGESTS = 24;

export interface GoldenGame {
	readonly name: string;
	/** Scene of the game, as the body of `POST /scenario`. */
	readonly document: unknown;
	/** Returns a file of `public/`; null if it does not exist. */
	readonly readPublic: (path: string) => Promise<Uint8Array | null>;
	/** Tick at which the trace ends; the end of the game if omitted. */
	readonly until?: number;
	/** Called after each step with tick and digest. */
	readonly onStep?: (tick: number, digest: string) => void;
	/** Called after each step with the engine. It may use forks, which do not change the trace. */
	readonly visit?: (engine: Engine, step: GoldenStep) => Promise<void>;
}

export interface PlayedGolden {
	readonly trace: string;
	readonly tick: number;
	readonly digest: string;
}

interface SampledDraw {
	readonly rule: number | string;
	readonly label: string;
}

/** Answer of a step. */
export interface GoldenStep {
	readonly new_tick: number;
	readonly state_digest: string;
	readonly trace: readonly { readonly tick: number; readonly sampled: readonly SampledDraw[] }[];
}

interface GameState {
	readonly phase: string;
	readonly elapsed: number;
	readonly winner: { readonly team: number } | null;
}

interface Summary {
	readonly teams: readonly { readonly team: number; readonly score: number; readonly entity_count: number }[];
}

interface ObservedEntity {
	readonly id: number;
	readonly tags?: readonly string[];
	readonly gold?: number;
	readonly level?: number;
}

type EngineCall = <T>(method: 'GET' | 'POST', path: string, body?: object) => Promise<T>;

const decoder = new TextDecoder();

function callerOf({ handle }: Engine): EngineCall {
	const client = createClient(handle);
	return async (method, path, body) => {
		const bodyField = method === 'POST' ? { body: body ?? {} } : {};
		const response = await client.send({ method, path, ...bodyField });
		const answer = JSON.parse(decoder.decode(response.body)) as { readonly ok?: boolean };
		if (response.status >= 400 || answer.ok === false)
			throw new Error(`${method} ${path} was answered with ${JSON.stringify(answer)}`);
		return answer as never;
	};
}

/** Opens a game in a new engine. Throws if the engine refuses the scene or warns about it. */
export async function openGolden({ name, document, readPublic }: GoldenGame): Promise<Engine> {
	const engine = await createEngine({ seed: SEED, readPublic });
	const answer = await callerOf(engine)<{ readonly warnings?: unknown }>(
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
	const ask = callerOf(engine);
	const names = await ruleNames(ask);
	const digests: [tick: number, digest: string][] = [];
	const outcomeCounts = new Map<string, Map<string, number>>();
	const maxTicks = Math.min(game.until ?? MAX_TICKS, MAX_TICKS);
	for (let tick = 0, hasEnded = false; tick < maxTicks; ) {
		const ticks = Math.min(STEP_TICKS, maxTicks - tick);
		const step = await ask<GoldenStep>('POST', '/step', { ticks, trace: true });
		tick = step.new_tick;
		digests.push([tick, step.state_digest]);
		game.onStep?.(tick, step.state_digest);
		await game.visit?.(engine, step);
		for (const { sampled } of step.trace)
			for (const { rule, label } of sampled)
				countOutcome(outcomeCounts, names.get(rule) ?? String(rule), label);
		// One more step after the end.
		if (hasEnded) break;
		hasEnded = (await ask<GameState>('GET', '/game/state')).phase === 'post_match';
	}
	const [tick, digest] = digests.at(-1)!;
	const lines = [
		`seed ${SEED}`,
		...sampleEvenly(digests).map(([at, value]) => `${String(at).padStart(6)} ${value}`),
		...(await summaryLines(ask)),
		...[...outcomeCounts].sort(byKey).map(([rule, labels]) => {
			const counts = [...labels].sort(byKey).map(([label, times]) => `${label} ${times}`);
			return `chance  ${rule}: ${counts.join(', ')}`;
		}),
	];
	await engine.close();
	return { trace: `${lines.join('\n')}\n`, tick, digest };
}

const byKey = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]) => (a < b ? -1 : 1);

function countOutcome(chosen: Map<string, Map<string, number>>, rule: string, label: string): void {
	const labels = chosen.get(rule) ?? new Map<string, number>();
	chosen.set(rule, labels);
	labels.set(label, (labels.get(label) ?? 0) + 1);
}

async function ruleNames(ask: EngineCall): Promise<Map<number | string, string>> {
	const { rules } = await ask<{ readonly rules: readonly { id: number; name?: string }[] }>(
		'GET',
		'/rule/list',
	);
	return new Map(rules.map(({ id, name }) => [id, name ?? `rule ${id}`]));
}

/** Returns evenly spaced elements, up to the limit of digests, and always the last one. */
function sampleEvenly<T>(all: readonly T[]): T[] {
	const stride = Math.ceil(all.length / MAX_DIGESTS);
	return all.filter((_, i) => (i + 1) % stride === 0 || i === all.length - 1);
}

async function summaryLines(ask: EngineCall): Promise<string[]> {
	const state = await ask<GameState>('GET', '/game/state');
	const { summary } = await ask<{ readonly summary: Summary }>('GET', '/game/summary');
	const { entities } = await ask<{ readonly entities: readonly ObservedEntity[] }>('POST', '/observe');
	const owners = entities.filter(({ gold }) => gold !== undefined);
	return [
		`phase   ${state.phase} after ${state.elapsed} s`,
		`winner  ${state.winner === null ? 'nobody' : `team ${state.winner.team}`}`,
		...summary.teams.map(
			({ team, score, entity_count }) => `team ${team}  score ${score}, entities ${entity_count}`,
		),
		...owners.map(
			({ id, tags = [], gold, level }) => `gold    ${gold} of ${id} (${tags.join(', ')}), level ${level}`,
		),
	];
}
