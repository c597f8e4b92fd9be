/**
 * One play of a game of `public/scenes` to its end, along its golden trace.
 * Owns: the experiments on the way, in forks and clones, which do not disturb the play. `any-game.ts` checks their results.
 */

import type { Engine } from '../../../web/host/engine.ts';
import { type GoldenStep, playGolden } from '../../../web/proof/play-golden.ts';
import { clone, dispose } from '../../../web/sim/core/clone.ts';
import { digest } from '../../../web/sim/core/digest.ts';
import type { World } from '../../../web/sim/core/world.ts';
import { step } from '../../../web/sim/step.ts';
import { clientOf, type Json, type TestClient } from '../../support/engine.ts';
import { times } from '../../support/property.ts';
import { goldenGame } from '../../support/scenes.ts';

/** Ticks of the game at which the experiments are made. Games take steps of 60 ticks. */
const PRESSED_AT = 60;
const BROKEN_AT = 600;
const COPIED_AT = 900;
/** Number of steps of 60 ticks for which copies are compared. */
const COMPARED_STEPS = 5;
/** Number of peeks at draws of each source of chance. */
const PEEKS = 3;
/** Number of rounds of 45 ticks in which keys are pressed. */
const ROUNDS = 10;

const KEYS = ['ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight', 'A', 'MouseRight', 'Q', 'W', 'E', 'R', 'F'];

/** A tick with a draw: its outcomes according to peek, and its actual outcome. */
interface Peeked {
	readonly tick: number;
	readonly exact: boolean;
	readonly announced: readonly string[];
	readonly happened: string;
	/** Digests at the end of the 60 ticks, of the peeked fork and of the game. */
	readonly ends: readonly [fork: string, game: string];
}

export class WatchedGame {
	readonly name: string;
	trace = '';
	readonly peeked: Peeked[] = [];
	/** Digests after `COPIED_AT` of the game, of a fork of it, and of an exact copy. */
	readonly ways: Record<'game' | 'fork' | 'copy', string[]> = { game: [], fork: [], copy: [] };
	/** Digests and script errors of the same key presses in two forks. */
	readonly pressed: { readonly digests: string[]; readonly errors: unknown[] }[] = [];
	/** Digests of a world before and after failed ticks, and of the world and its twin some ticks later. */
	failed: {
		readonly faults: number;
		readonly before: string;
		readonly after: string;
		readonly later: string[];
	};
	readonly #peeks = new Map<number | string, number>();

	constructor(name: string) {
		this.name = name;
		this.failed = { faults: 0, before: '', after: '', later: [] };
	}

	async play(): Promise<void> {
		const visit = (engine: Engine, step: GoldenStep) => this.#visit(engine, step);
		this.trace = (await playGolden({ ...goldenGame(this.name), visit })).trace;
	}

	async #visit(engine: Engine, stepped: GoldenStep): Promise<void> {
		const client = clientOf(engine.handle);
		const { new_tick: tick, state_digest } = stepped;
		if (tick > 60) await this.#peekWithin(client, stepped);
		await client.must('POST', '/fork', { fork_id: 'probe' });
		if (tick === PRESSED_AT)
			for (const fork of ['first', 'second']) this.pressed.push(await pressKeys(client, fork));
		if (tick === BROKEN_AT) this.failed = failTicks(engine.worlds.main.world);
		if (tick === COPIED_AT) await this.#copy(client);
		else if (tick > COPIED_AT && this.ways.game.length < COMPARED_STEPS) this.ways.game.push(state_digest);
	}

	/** Peeks at a tick of the last step, in a fork from before the step, if its source of chance needs more peeks. */
	async #peekWithin({ must }: TestClient, { new_tick, state_digest, trace }: GoldenStep): Promise<void> {
		const rare = trace.find(({ sampled }) =>
			sampled.some(({ rule }) => (this.#peeks.get(rule) ?? 0) < times(PEEKS)),
		);
		if (rare !== undefined) {
			const { tick, sampled } = rare;
			for (const { rule } of sampled) this.#peeks.set(rule, (this.#peeks.get(rule) ?? 0) + 1);
			await must('POST', '/step?world=probe', { ticks: tick - trace[0]!.tick });
			const { exact, distribution } = await must('POST', '/peek?world=probe');
			const { state_digest: happened } = await must('POST', '/step?world=probe', { ticks: 1 });
			const end = await must('POST', '/step?world=probe', { ticks: new_tick - tick - 1 });
			this.peeked.push({
				tick,
				exact: exact as boolean,
				announced: (distribution as Json[]).map((way) => way.state_digest as string),
				happened: happened as string,
				ends: [end.state_digest as string, state_digest],
			});
		}
		await must('DELETE', '/fork/probe');
	}

	async #copy({ must }: TestClient): Promise<void> {
		const exact = await must('GET', '/scenario?exact=true');
		for (const way of ['fork', 'copy'] as const) {
			await must('POST', '/fork', { fork_id: way });
			if (way === 'copy') await must('POST', '/scenario?world=copy', exact);
			for (let i = 0; i < COMPARED_STEPS; i++)
				this.ways[way].push((await must('POST', `/step?world=${way}`, { ticks: 60 })).state_digest as string);
			await must('DELETE', `/fork/${way}`);
		}
	}
}

/** Plays a fork with keys that a fixed stream of numbers chooses. */
async function pressKeys({ must }: TestClient, fork: string): Promise<WatchedGame['pressed'][number]> {
	await must('POST', '/fork', { fork_id: fork });
	const entities = (await must('POST', `/observe?world=${fork}`, {})).entities as Json[];
	const hero =
		entities.find(({ role, player }) => role === 'Hero' || player === true) ??
		entities.find(({ physics_body }) => physics_body === 'Kinematic');
	const entity_id = hero!.id;
	await must('POST', `/entities/${entity_id}/components?world=${fork}`, { player: true });
	let state = 7;
	const random = (below: number): number => {
		state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
		return (state >>> 8) % below;
	};
	const digests: string[] = [];
	const errors: unknown[] = [];
	for (let round = 0; round < times(ROUNDS); round++) {
		const inputs = Array.from({ length: 3 }, (_, at) => ({
			at: at * 10,
			entity_id,
			key: KEYS[random(KEYS.length)]!,
			ticks: 1 + random(40),
			point: [random(60) - 30, 1, random(30) - 15],
		}));
		const stepped = await must('POST', `/step?world=${fork}`, {
			ticks: 45,
			inputs,
			events: ['script_error'],
		});
		errors.push(...(stepped.events as unknown[]));
		digests.push(stepped.state_digest as string);
	}
	await must('DELETE', `/fork/${fork}`);
	return { digests, errors };
}

/** Makes ticks of a clone fail in the middle, then steps the clone and its twin. */
function failTicks(world: World): WatchedGame['failed'] {
	const [tried, twin] = [clone(world), clone(world)];
	const broken = {
		beginTick: () => {},
		endSystem: (index: number) => {
			if (index === 20) throw new Error('interrupted');
		},
	};
	const before = digest(tried);
	let faults = 0;
	for (let i = 0; i < 3; i++)
		try {
			step(tried, broken);
		} catch {
			faults++;
		}
	tried.digest = null;
	const after = digest(tried);
	for (let i = 0; i < 120; i++) {
		step(tried);
		step(twin);
	}
	const later = [digest(tried), digest(twin)];
	dispose(tried);
	dispose(twin);
	return { faults, before, after, later };
}
