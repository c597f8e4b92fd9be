/**
 * Finds the last death of an entity, with the damage before it, by re-running the journal.
 * Owns: the records of each tick and call, and the choice of the entries to re-run.
 * Never: changes a world that is in use.
 */

import { Health } from '../../../shared/components/health.ts';
import { Rule } from '../../../shared/components/rule.ts';
import { RuleTally } from '../../../shared/components/rule-tally.ts';
import { Tags } from '../../../shared/components/tags.ts';
import { Team } from '../../../shared/components/team.ts';
import type { EntityHandle } from '../../../shared/contract/component.ts';
import { DamageDealt } from '../../../shared/events/damage.ts';
import { Death } from '../../../shared/events/death.ts';
import type { Journal } from '../../../shared/transport/journal.ts';
import type { ReadEntry } from '../../../shared/transport/journal-entry.ts';
import type { LastDeath, Life, LifeSearch, RuleFired, TickHit } from '../../api/host-journal.ts';
import { isAlive } from '../../sim/core/entities.ts';
import { eventsOfLastTick, eventsSinceLastTick } from '../../sim/core/events.ts';
import { shortestFloat32 } from '../../sim/core/float32.ts';
import { each, get, type World } from '../../sim/core/world.ts';
import { documentOf } from '../../sim/rules/rule.ts';
import type { WorldEntry, Worlds } from '../../store/worlds.ts';
import { entriesFrom } from './history.ts';
import { lineBeginOf } from './line-begin.ts';
import type { ReplayEnd, ReplayPace, ReplaySearch } from './replay.ts';

/** Maximum number of listed hits before a death. */
const MAX_HITS = 50;
/** Maximum time of re-running (ms). */
const MAX_MS = 15_000;

/** Searches the journal backwards, from one stored state to the previous one, up to the beginning of the present world. */
export async function lifeOf(
	journal: Journal,
	search: LifeSearch,
	now: () => number,
	pace: ReplayPace,
	rebuild: (moment: ReplayEnd) => Promise<void>,
): Promise<Life> {
	const { next, states } = await journal.extent();
	const deadline = now() + MAX_MS;
	const begin = await lineBeginOf(journal, search.world, pace);
	const first = begin?.entry ?? 0;
	let end = next;
	for (const state of [...states].reverse()) {
		const from = Math.max(state, first);
		if (from < end && (!search.isHere || (await hasDeath(journal, search.world, from, end, pace)))) {
			const trail = new LifeTrail(search, first, () => now() > deadline);
			await rebuild({ entry: end, from: state, world: search.world, search: trail });
			const { death, removed } = trail;
			if (death !== null || removed !== null || trail.isLate)
				return { death, removed, begin, finished: !trail.isLate };
		}
		if (state <= first) break;
		end = Math.min(end, state);
	}
	return { death: null, removed: null, begin, finished: true };
}

async function hasDeath(
	journal: Journal,
	world: string,
	from: number,
	end: number,
	pace: ReplayPace,
): Promise<boolean> {
	for await (const { head } of entriesFrom(journal, from, pace, end))
		if (hasDeathMark(head, world)) return true;
	return false;
}

const hasDeathMark = (head: ReadEntry['head'], world: string): boolean =>
	(head.happened ?? []).some(({ id, kind }) => id === world && kind === Death.kind);

class LifeTrail implements ReplaySearch {
	death: LastDeath | null = null;
	removed: Life['removed'] = null;
	isLate = false;
	readonly #search: LifeSearch;
	/** Entry with which the present world begins. */
	readonly #beginEntry: number;
	readonly #isTimeOver: () => boolean;
	#line = -1;
	#generation = -1;
	#hits: TickHit[] = [];
	#hitCount = 0;
	#health: (readonly [number, number])[] = [];
	#sequence = -1;
	#lastCallTick = -1;
	#firstTick = -1;

	constructor(search: LifeSearch, first: number, isTimeOver: () => boolean) {
		this.#search = search;
		this.#beginEntry = first;
		this.#isTimeOver = isTimeOver;
	}

	onTick(entry: number, of: Pick<WorldEntry, 'id' | 'world' | 'line'>): boolean {
		if (of.id === this.#search.world) this.#record(entry, of, false);
		return this.#isOver();
	}

	onEntryEnd(entry: number, worlds: Worlds): boolean {
		const sought = worlds.all().find(({ id }) => id === this.#search.world);
		if (sought !== undefined) {
			this.#record(entry, sought, true);
			this.#lastCallTick = sought.world.tick;
		}
		return this.#isOver();
	}

	#isOver(): boolean {
		this.isLate ||= this.#isTimeOver();
		return this.isLate;
	}

	#record(entry: number, { world, line }: Pick<WorldEntry, 'world' | 'line'>, isCall: boolean): void {
		if (entry < this.#beginEntry - 1) return;
		const { id } = this.#search;
		if (line.number !== this.#line) this.#beginLine(line.number, world, isCall);
		if (this.#firstTick < 0) this.#firstTick = world.tick;
		this.#recordLife(entry, world);
		if (this.#generation < 0) return;
		const events = isCall ? eventsSinceLastTick(world) : eventsOfLastTick(world);
		for (const event of events) {
			if (event.sequence <= this.#sequence) continue;
			const subject = (event.data as Readonly<Record<string, unknown>>)[
				event.kind === Death.kind ? 'entity' : 'target'
			] as EntityHandle | null | undefined;
			if (subject?.id !== id) continue;
			if (event.kind === DamageDealt.kind) this.#recordHit(entry, world, isCall, event.data);
			if (event.kind === Death.kind && !isCall)
				this.#recordDeath(entry, world, subject.generation, event.data);
		}
		this.#sequence = Math.max(this.#sequence, events.at(-1)?.sequence ?? -1);
	}

	/** Drops the records of a replaced world. */
	#beginLine(line: number, world: World, called: boolean): void {
		const isReplaced = this.#line >= 0;
		this.#line = line;
		if (!isReplaced) return;
		[this.death, this.removed, this.#generation, this.#firstTick] = [null, null, -1, -1];
		[this.#hits, this.#hitCount, this.#health] = [[], 0, []];
		// Events in the new world were sent before it came here.
		this.#sequence = called ? (eventsSinceLastTick(world).at(-1)?.sequence ?? -1) : -1;
	}

	/** Records the entity that has the id, and its health. */
	#recordLife(entry: number, world: World): void {
		const { id } = this.#search;
		const generation = isAlive(world, id) ? world.entities.generations.data[id]! : -1;
		if (generation !== this.#generation) {
			if (this.#generation >= 0 && this.death?.generation !== this.#generation)
				this.removed = { tick: world.tick, entry };
			if (generation >= 0) {
				this.removed = null;
				[this.#hits, this.#hitCount, this.#health] = [[], 0, []];
			}
			this.#generation = generation;
		}
		const current = get(world, id, Health)?.current;
		if (generation < 0 || current === undefined || this.#health.at(-1)?.[1] === shortestFloat32(current))
			return;
		this.#health.push([world.tick, shortestFloat32(current)]);
		if (this.#health.length > MAX_HITS) this.#health.shift();
	}

	#recordHit(entry: number, world: World, called: boolean, data: object): void {
		const {
			amount,
			source,
			category = 'physical',
		} = data as {
			readonly amount: number;
			readonly source: EntityHandle | null;
			readonly category?: string;
		};
		const from = source !== null && isAlive(world, source.id) ? source.id : null;
		this.#hitCount++;
		this.#hits.push({
			tick: world.tick,
			entry,
			called,
			amount: shortestFloat32(amount),
			category,
			source: source?.id ?? null,
			source_tags: from === null ? [] : (get(world, from, Tags)?.tags ?? []),
			source_team: from === null ? null : (get(world, from, Team)?.team ?? null),
		});
		if (this.#hits.length > MAX_HITS) this.#hits.shift();
	}

	#recordDeath(entry: number, world: World, generation: number, data: object): void {
		const { killer } = data as { readonly killer: EntityHandle | null };
		const rules: RuleFired[] = [];
		each(world, [Rule, RuleTally], (slot) => {
			// A rule that fires after the deaths of a tick is recorded on the next tick.
			if (get(world, slot, RuleTally)!.last >= world.tick - 1)
				rules.push({ id: slot, name: documentOf(world, slot).name ?? null });
		});
		this.death = {
			tick: world.tick,
			entry,
			generation,
			killer: killer?.id ?? null,
			health: this.#health,
			hits: this.#hits,
			hit_count: this.#hitCount,
			rules,
			since: this.#lastCallTick,
			from_tick: this.#firstTick,
		};
		// The next life begins without hits.
		[this.#hits, this.#hitCount, this.#health] = [[], 0, []];
	}
}
