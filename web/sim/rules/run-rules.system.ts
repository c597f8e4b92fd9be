/** Evaluates every rule once and does what follows, in firing order. */

import { Rule, type RuleMemory } from '../../../shared/components/rule.ts';
import { RuleTally } from '../../../shared/components/rule-tally.ts';
import { EVENT_KINDS } from '../../../shared/documents/event.ts';
import type { RuleDocument } from '../../../shared/rules/rule.ts';
import { type ChanceOutcome, decide, NO_ENTITY } from '../core/chance.ts';
import { comingTick } from '../core/coming-tick.ts';
import { drainEvents, type SentEvent, skipEvents } from '../core/events.ts';
import type { DrawCourse, DueDraw, System } from '../core/system.ts';
import { add, count, get, has, read, type World } from '../core/world.ts';
import { ownerAt } from '../owners/shares.ts';
import type { Doer } from './actions/action.ts';
import { runActions } from './actions/index.ts';
import type { Occurrence } from './conditions/occurrence.ts';
import { documentOf, firingOrder, weightOf } from './rule.ts';
import { firingsOf, type PreparedCondition, prepareCondition, type TickEvents } from './rule-firing.ts';
import { maximumOfRules } from './rules-maximum.ts';

/** Facts of a document that are computed once. */
interface Prepared {
	readonly condition: PreparedCondition;
	readonly outcomes: readonly ChanceOutcome[] | null;
}
const prepared = new WeakMap<RuleDocument, Prepared>();

function prepare(document: RuleDocument): Prepared {
	let cached = prepared.get(document);
	if (cached === undefined) {
		const outcomes =
			document.outcomes?.map(({ label, weight }) => ({ label, weight: weightOf(weight, 'weight') })) ?? null;
		cached = { condition: prepareCondition(document), outcomes };
		prepared.set(document, cached);
	}
	return cached;
}

export const runRules: System = {
	name: 'run-rules',
	access: {
		reads: ['agent_id', 'rule', 'rule_tally'],
		writes: ['rule.memory', 'rule_tally'],
		drains: EVENT_KINDS,
	},
	chance: { rules: true, begin },
	maximum: maximumOfRules,
	run,
};

function run(world: World): void {
	const course = begin(world);
	while (course.advance(world) !== null) course.draw(world);
}

function begin(world: World): RuleCourse {
	if (count(world, Rule) > 0) return new RuleCourse(takeTickEvents(world), [...firingOrder(world)]);
	skipEvents(world, 'run-rules');
	return new RuleCourse(NO_EVENTS, []);
}

/** Firings of one rule on this tick. */
interface Firing {
	readonly id: number;
	readonly document: RuleDocument;
	readonly occurrences: readonly Occurrence[];
}

/** Rules of a tick, in firing order. */
class RuleCourse implements DrawCourse {
	readonly #events: TickEvents;
	readonly #order: readonly number[];
	/** Number of rules that were evaluated. */
	#evaluated = 0;
	/** Firings of the last of them; null if it has none. */
	#firing: Firing | null = null;
	/** Number of these that are done. */
	#fired = 0;

	constructor(events: TickEvents, order: readonly number[]) {
		this.#events = events;
		this.#order = order;
	}

	advance(world: World): DueDraw | null {
		for (;;) {
			if (this.#firing !== null) {
				const { id, document } = this.#firing;
				const { outcomes } = prepare(document);
				if (outcomes !== null) return { rule: id, outcomes };
				this.#act(world, this.#firing, document.do ?? []);
			} else if (this.#evaluated === this.#order.length) return null;
			else this.#evaluate(world, this.#order[this.#evaluated++]!);
		}
	}

	draw(world: World): void {
		const firing = this.#firing!;
		const { id, document, occurrences } = firing;
		const source = { key: id, name: document.name ?? `rule ${id}` };
		const subject = occurrences[this.#fired]!.subject?.id ?? NO_ENTITY;
		const chosen = decide(world, source, subject, prepare(document).outcomes!);
		this.#act(world, firing, document.outcomes![chosen]!.do);
	}

	copy(): RuleCourse {
		const copy = new RuleCourse(this.#events, this.#order);
		copy.#evaluated = this.#evaluated;
		copy.#firing = this.#firing;
		copy.#fired = this.#fired;
		return copy;
	}

	#evaluate(world: World, id: number): void {
		if (!has(world, id, Rule)) return;
		this.#firing = firingOf(world, id, this.#events);
		this.#fired = 0;
	}

	/** Runs the actions of the next firing. A rule that removes itself fires no more. */
	#act(world: World, { id, document, occurrences }: Firing, actions: Doer['actions']): void {
		runActions(world, doerOf(world, id, actions), occurrences[this.#fired++]!, document);
		if (this.#fired === occurrences.length || !has(world, id, Rule)) this.#firing = null;
	}
}

const NO_EVENTS: TickEvents = { events: () => [] };

/** Events that rules have not had: each is theirs on one tick. */
function takeTickEvents(world: World): TickEvents {
	const fresh = drainEvents(world, 'run-rules');
	const byKind = new Map<string, SentEvent[]>();
	for (const event of fresh) {
		const list = byKind.get(event.kind);
		if (list === undefined) byKind.set(event.kind, [event]);
		else list.push(event);
	}
	return { events: (kind) => byKind.get(kind) ?? [] };
}

/** Evaluates a rule and keeps what it remembers. Returns its firings, or null for none. */
function firingOf(world: World, id: number, events: TickEvents): Firing | null {
	const document = documentOf(world, id);
	const before = read(world, Rule, 'memory')[id]!;
	if (document.enabled === false || (document.once && before.fired)) return null;
	const { condition } = prepare(document);
	const created = read(world, Rule, 'created')[id]!;
	const { occurrences: all, memory } = firingsOf(world, events, document, condition, created, before);
	const occurrences = document.once ? all.slice(0, 1) : all;
	const fires = occurrences.length > 0;
	const after = fires && !memory.fired ? withFired(memory) : memory;
	if (after !== before) add(world, id, Rule, { memory: after });
	if (!fires) return null;
	add(world, id, RuleTally, {
		count: (get(world, id, RuleTally)?.count ?? 0) + occurrences.length,
		last: comingTick(world),
	});
	return { id, document, occurrences };
}

/** Memories after the first firing, by the memory before: one object for all forks, so that digests make its text once. */
const fired = new WeakMap<RuleMemory, RuleMemory>();

function withFired(memory: RuleMemory): RuleMemory {
	let after = fired.get(memory);
	if (after === undefined) {
		after = { ...memory, fired: true };
		fired.set(memory, after);
	}
	return after;
}

const doerOf = (world: World, id: number, actions: Doer['actions']): Doer => ({
	by: 'rule',
	name: documentOf(world, id).name,
	actions,
	owner: ownerAt(world, id),
});
