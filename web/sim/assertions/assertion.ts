/**
 * Assertions of a world: their creation, evaluation and removal.
 * Owns: the entity of an assertion, and its last verdict.
 */

import { Assertion } from '../../../shared/components/assertion.ts';
import { AssertionVerdict as Verdict } from '../../../shared/components/assertion-verdict.ts';
import type { EntityHandle } from '../../../shared/contract/component.ts';
import { ApiError } from '../../../shared/contract/errors.ts';
import { suggestion } from '../../../shared/contract/nearest.ts';
import type { AssertionDocument, SentAssertion } from '../../../shared/rules/assertion.ts';
import type { Condition } from '../../../shared/verbs/conditions/index.ts';
import { tickLimits } from '../core/tick-budget.ts';
import { add, despawn, each, get, has, spawn, type World } from '../core/world.ts';
import type { ConditionFinding } from '../rules/conditions/condition.ts';
import { ConditionLook } from '../rules/conditions/evaluate-condition.ts';
import { sizeOf } from '../rules/conditions/filter.ts';
import { conditionOf, requireCondition } from './condition.ts';

export type Severity = AssertionDocument['severity'];
export type HeldWhen = AssertionDocument['held'];

/** Verdict of an assertion in a summary. */
export interface AssertionVerdict {
	readonly name: string;
	readonly passed: boolean;
	readonly message: string;
}

export interface RegisteredAssertion {
	readonly id: number;
	readonly name: string;
	readonly severity: Severity;
	readonly held: HeldWhen;
	readonly condition: Condition;
	/** The last verdict, or null if it was never evaluated. */
	readonly last: {
		readonly passed: boolean;
		readonly vacuous: boolean;
		readonly message: string;
		readonly tick: number;
	} | null;
}

/** Registers an assertion. Its condition must be checked already. */
export function createAssertion(
	world: World,
	name: string,
	condition: Condition,
	severity: Severity = 'error',
	held: HeldWhen = 'end',
): EntityHandle {
	const handle = spawn(world);
	add(world, handle.id, Assertion, { name, condition, severity, held });
	return handle;
}

/** Returns a sent assertion with its condition in typed form. Throws `invalid_assertion`. */
export function toTypedAssertion(sent: SentAssertion): AssertionDocument {
	return { ...sent, condition: conditionOf(sent.condition) };
}

/** Registers an assertion of a document. Throws `invalid_assertion`. */
export function createFromDocument(world: World, document: AssertionDocument): EntityHandle {
	return createAssertion(
		world,
		document.name,
		requireCondition(document.condition),
		document.severity,
		document.held,
	);
}

/** Evaluates a condition on the current world. */
export const evaluateCondition = (world: World, condition: Condition): ConditionFinding =>
	new ConditionLook(world).find(condition);

/** Refuses conditions that together take too long to check on every tick. Throws `too_many_actions`. */
export function requireFewLooks(world: World, conditions: readonly Condition[]): void {
	const size = conditions.reduce((sum, condition) => sum + sizeOf(condition), 0);
	if (size * world.entities.count <= tickLimits.searched) return;
	throw new ApiError(
		'too_many_actions',
		`Each tick would check ${size} conditions against ${world.entities.count} entities. The product may be at most ${tickLimits.searched}.`,
		{ fix: 'Send a shorter condition, or use "held": "throughout" for fewer assertions.' },
	);
}

/** Returns all assertions in id order. */
export function assertionsOf(world: World): RegisteredAssertion[] {
	const list: RegisteredAssertion[] = [];
	each(world, [Assertion], (id) => {
		const { name, severity, held, condition } = get(world, id, Assertion)!;
		list.push({
			id,
			name,
			severity,
			held,
			condition: condition as Condition,
			last: get(world, id, Verdict) ?? null,
		});
	});
	return list;
}

/** Returns the documents of all assertions, in id order. */
export function assertionDocumentsOf(world: World): AssertionDocument[] {
	return assertionsOf(world).map(({ name, condition, severity, held }) => ({
		name,
		condition,
		severity,
		held,
	}));
}

/** First failures of the assertions that must hold throughout a probe. */
export class Vigil {
	readonly #failures = new Map<number, ConditionFinding>();

	/** Checks the assertions that have not failed yet. Throws `too_many_actions` if this takes too long for a tick. */
	*check(world: World): Generator<void, void> {
		const pending = assertionsOf(world).filter(
			({ id, held }) => held === 'throughout' && !this.#failures.has(id),
		);
		requireFewLooks(
			world,
			pending.map(({ condition }) => condition),
		);
		for (const { id, condition } of pending) {
			yield;
			const finding = evaluateCondition(world, condition);
			if (!finding.passed)
				this.#failures.set(id, { ...finding, message: `Not at tick ${world.tick}: ${finding.message}` });
		}
	}

	/** Returns the first failure of an assertion; undefined if it has none. */
	failureOf(id: number): ConditionFinding | undefined {
		return this.#failures.get(id);
	}
}

/** Evaluates every assertion and stores the verdicts. A failure in `vigil` counts as the finding of its assertion. */
export function* evaluateAll(world: World, vigil?: Vigil): Generator<void, EvaluatedAssertion[]> {
	const verdicts: EvaluatedAssertion[] = [];
	for (const { id, name, severity, condition } of assertionsOf(world)) {
		const { passed, vacuous = false, message } = vigil?.failureOf(id) ?? evaluateCondition(world, condition);
		add(world, id, Verdict, { passed, vacuous, message, tick: world.tick });
		verdicts.push({ id, name, severity, passed, vacuous, message });
		yield;
	}
	return verdicts;
}

type EvaluatedAssertion = AssertionVerdict & { id: number; severity: Severity; vacuous: boolean };

/** Returns the last verdicts of the evaluated assertions, in id order. */
export function lastVerdicts(world: World): AssertionVerdict[] {
	return assertionsOf(world).flatMap(({ name, last }) =>
		last === null ? [] : [{ name, passed: last.passed, message: last.message }],
	);
}

/** Refuses names that no assertion has. Throws `unknown_assertion`. */
export function requireNames(world: World, names: readonly string[]): void {
	const knownNames = new Set(assertionsOf(world).map(({ name }) => name));
	for (const name of names) {
		if (knownNames.has(name)) continue;
		const fix = suggestion(name, knownNames);
		throw new ApiError('unknown_assertion', `There is no assertion "${name}".`, { fix });
	}
}

/** Removes an assertion. Throws `unknown_assertion`. */
export function deleteAssertion(world: World, id: number): void {
	if (!has(world, id, Assertion))
		throw new ApiError('unknown_assertion', `Entity ${id} is not an assertion.`);
	despawn(world, id);
}
