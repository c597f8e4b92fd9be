/** System that evaluates every rule once, in firing order, and runs the actions of the rules that fire. */

import { Rule, type RuleMemory } from '../../../shared/components/rule.ts';
import { RuleTally } from '../../../shared/components/rule-tally.ts';
import { EVENT_KINDS } from '../../../shared/documents/event.ts';
import type { RuleDocument } from '../../../shared/rules/rule.ts';
import { type ChanceOutcome, decide, NO_ENTITY } from '../core/chance.ts';
import { comingTick } from '../core/coming-tick.ts';
import { drainEvents, type SentEvent, skipEvents } from '../core/events.ts';
import type { System } from '../core/system.ts';
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
	chance: { rules: true },
	maximum: maximumOfRules,
	run: runAllRules,
};

function runAllRules(world: World): void {
	if (count(world, Rule) === 0) {
		skipEvents(world, 'run-rules');
		return;
	}
	const events = takeTickEvents(world);
	for (const id of [...firingOrder(world)]) if (has(world, id, Rule)) runRule(world, id, events);
}

/** Takes the events since the last run. Rules read each event on one tick only. */
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

function runRule(world: World, id: number, events: TickEvents): void {
	const document = documentOf(world, id);
	const before = read(world, Rule, 'memory')[id]!;
	if (document.enabled === false || (document.once && before.fired)) return;
	const { condition } = prepareRule(document);
	const created = read(world, Rule, 'created')[id]!;
	const { occurrences, memory } = firingsOf(world, events, document, condition, created, before);
	const firings = document.once ? occurrences.slice(0, 1) : occurrences;
	const after = firings.length > 0 && !memory.fired ? withFired(memory) : memory;
	if (after !== before) add(world, id, Rule, { memory: after });
	if (firings.length > 0)
		add(world, id, RuleTally, {
			count: (get(world, id, RuleTally)?.count ?? 0) + firings.length,
			last: comingTick(world),
		});
	for (const occurrence of firings) {
		fireRule(world, id, document, occurrence);
		if (!has(world, id, Rule)) return;
	}
}

/** Memories after the first firing, by the memory before. All forks share the object, so digests build its text once. */
const firedMemories = new WeakMap<RuleMemory, RuleMemory>();

function withFired(memory: RuleMemory): RuleMemory {
	let after = firedMemories.get(memory);
	if (after === undefined) {
		after = { ...memory, fired: true };
		firedMemories.set(memory, after);
	}
	return after;
}

function fireRule(world: World, id: number, document: RuleDocument, occurrence: Occurrence): void {
	const { outcomes } = prepareRule(document);
	if (outcomes === null) {
		runActions(world, doerOf(world, id, document.do ?? []), occurrence, document);
		return;
	}
	const source = { key: id, name: document.name ?? `rule ${id}` };
	const chosen = decide(world, source, occurrence.subject?.id ?? NO_ENTITY, outcomes);
	runActions(world, doerOf(world, id, document.outcomes![chosen]!.do), occurrence, document);
}

const doerOf = (world: World, id: number, actions: Doer['actions']): Doer => ({
	by: 'rule',
	name: documentOf(world, id).name,
	actions,
	owner: ownerAt(world, id),
});
