/** System that evaluates every rule once, and performs its actions, in firing order. */

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
interface PreparedRule {
	readonly condition: PreparedCondition;
	readonly outcomes: readonly ChanceOutcome[] | null;
}
const preparedRules = new WeakMap<RuleDocument, PreparedRule>();

function prepareRule(document: RuleDocument): PreparedRule {
	let cached = preparedRules.get(document);
	if (cached === undefined) {
		const outcomes =
			document.outcomes?.map(({ label, weight }) => ({ label, weight: weightOf(weight, 'weight') })) ?? null;
		cached = { condition: prepareCondition(document), outcomes };
		preparedRules.set(document, cached);
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
	#evaluatedCount = 0;
	/** Firings of the last evaluated rule; null if none remain. */
	#firing: Firing | null = null;
	/** Number of these firings that are done. */
	#doneCount = 0;

	constructor(events: TickEvents, order: readonly number[]) {
		this.#events = events;
		this.#order = order;
	}

	advance(world: World): DueDraw | null {
		for (;;) {
			if (this.#firing !== null) {
				const { id, document } = this.#firing;
				const { outcomes } = prepareRule(document);
				if (outcomes !== null) return { rule: id, outcomes };
				this.#act(world, this.#firing, document.do ?? []);
			} else if (this.#evaluatedCount === this.#order.length) return null;
			else this.#evaluate(world, this.#order[this.#evaluatedCount++]!);
		}
	}

	draw(world: World): void {
		const firing = this.#firing!;
		const { id, document, occurrences } = firing;
		const source = { key: id, name: document.name ?? `rule ${id}` };
		const subject = occurrences[this.#doneCount]!.subject?.id ?? NO_ENTITY;
		const outcomeIndex = decide(world, source, subject, prepareRule(document).outcomes!);
		this.#act(world, firing, document.outcomes![outcomeIndex]!.do);
	}

	copy(): RuleCourse {
		const copy = new RuleCourse(this.#events, this.#order);
		copy.#evaluatedCount = this.#evaluatedCount;
		copy.#firing = this.#firing;
		copy.#doneCount = this.#doneCount;
		return copy;
	}

	#evaluate(world: World, id: number): void {
		if (!has(world, id, Rule)) return;
		this.#firing = firingOf(world, id, this.#events);
		this.#doneCount = 0;
	}

	/** Runs the actions of the next firing. A rule that removes itself does not fire again. */
	#act(world: World, { id, document, occurrences }: Firing, actions: Doer['actions']): void {
		runActions(world, doerOf(world, id, actions), occurrences[this.#doneCount++]!, document);
		if (this.#doneCount === occurrences.length || !has(world, id, Rule)) this.#firing = null;
	}
}

const NO_EVENTS: TickEvents = { events: () => [] };

/** Takes the events that rules have not read yet. Rules read each event on one tick. */
function takeTickEvents(world: World): TickEvents {
	const newEvents = drainEvents(world, 'run-rules');
	const byKind = new Map<string, SentEvent[]>();
	for (const event of newEvents) {
		const list = byKind.get(event.kind);
		if (list === undefined) byKind.set(event.kind, [event]);
		else list.push(event);
	}
	return { events: (kind) => byKind.get(kind) ?? [] };
}

/** Evaluates a rule and stores its memory. Returns its firings, or null for none. */
function firingOf(world: World, id: number, events: TickEvents): Firing | null {
	const document = documentOf(world, id);
	const oldMemory = read(world, Rule, 'memory')[id]!;
	if (document.enabled === false || (document.once && oldMemory.fired)) return null;
	const { condition } = prepareRule(document);
	const created = read(world, Rule, 'created')[id]!;
	const { occurrences: allOccurrences, memory } = firingsOf(
		world,
		events,
		document,
		condition,
		created,
		oldMemory,
	);
	const occurrences = document.once ? allOccurrences.slice(0, 1) : allOccurrences;
	const isFiring = occurrences.length > 0;
	const newMemory = isFiring && !memory.fired ? withFired(memory) : memory;
	if (newMemory !== oldMemory) add(world, id, Rule, { memory: newMemory });
	if (!isFiring) return null;
	add(world, id, RuleTally, {
		count: (get(world, id, RuleTally)?.count ?? 0) + occurrences.length,
		last: comingTick(world),
	});
	return { id, document, occurrences };
}

/** Memories after the first firing, by the memory before it. Forks share the object, so that digests compute its text once. */
const firedMemories = new WeakMap<RuleMemory, RuleMemory>();

function withFired(memory: RuleMemory): RuleMemory {
	let newMemory = firedMemories.get(memory);
	if (newMemory === undefined) {
		newMemory = { ...memory, fired: true };
		firedMemories.set(memory, newMemory);
	}
	return newMemory;
}

const doerOf = (world: World, id: number, actions: Doer['actions']): Doer => ({
	kind: 'rule',
	name: documentOf(world, id).name,
	actions,
	owner: ownerAt(world, id),
});
