/**
 * Assertions of a world: making, evaluating, reading and removing them.
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
import { conditionOf, sound } from './condition.ts';

export type Severity = AssertionDocument['severity'];
export type HeldWhen = AssertionDocument['held'];

/** A verdict as summaries carry it. */
export interface AssertionVerdict {
	readonly name: string;
	readonly passed: boolean;
	readonly message: string;
}

export interface Registered {
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

/** Registers an assertion whose condition has been checked. */
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

/** Returns an assertion of a document with its condition in typed form. Throws `invalid_assertion`. */
export function typedAssertion(sent: SentAssertion): AssertionDocument {
	return { ...sent, condition: conditionOf(sent.condition) };
}

/** Registers an assertion of a document. Throws `invalid_assertion`. */
export function createFromDocument(world: World, document: AssertionDocument): EntityHandle {
	return createAssertion(world, document.name, sound(document.condition), document.severity, document.held);
}

/** Evaluates a condition on the world now. */
export const check = (world: World, condition: Condition): ConditionFinding =>
	new ConditionLook(world).find(condition);

/** Refuses to look with conditions on every tick that together take too long. Throws `too_many_actions`. */
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
export function assertions(world: World): Registered[] {
	const list: Registered[] = [];
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

/** Returns all assertions as documents carry them, in id order. */
export function assertionDocuments(world: World): AssertionDocument[] {
	return assertions(world).map(({ name, condition, severity, held }) => ({
		name,
		condition,
		severity,
		held,
	}));
}

/** Finding of assertions that must hold throughout, on the first tick on which one did not. */
export class Vigil {
	readonly #failed = new Map<number, ConditionFinding>();

	/** Looks at all of them that have held so far. Throws `too_many_actions` where that takes too long for a tick. */
	*look(world: World): Generator<void, void> {
		const watched = assertions(world).filter(
			({ id, held }) => held === 'throughout' && !this.#failed.has(id),
		);
		requireFewLooks(
			world,
			watched.map(({ condition }) => condition),
		);
		for (const { id, condition } of watched) {
			yield;
			const finding = check(world, condition);
			if (!finding.passed)
				this.#failed.set(id, { ...finding, message: `Not at tick ${world.tick}: ${finding.message}` });
		}
	}

	/** Returns the earlier failure of an assertion, if it has one. */
	failed(id: number): ConditionFinding | undefined {
		return this.#failed.get(id);
	}
}

/** Evaluates every assertion and keeps the verdicts. What failed during a vigil has failed. */
export function* evaluateAll(world: World, vigil?: Vigil): Generator<void, Evaluated[]> {
	const verdicts: Evaluated[] = [];
	for (const { id, name, severity, condition } of assertions(world)) {
		const { passed, vacuous = false, message } = vigil?.failed(id) ?? check(world, condition);
		add(world, id, Verdict, { passed, vacuous, message, tick: world.tick });
		verdicts.push({ id, name, severity, passed, vacuous, message });
		yield;
	}
	return verdicts;
}

type Evaluated = AssertionVerdict & { id: number; severity: Severity; vacuous: boolean };

/** Returns the verdicts that have been reached, in id order. */
export function verdicts(world: World): AssertionVerdict[] {
	return assertions(world).flatMap(({ name, last }) =>
		last === null ? [] : [{ name, passed: last.passed, message: last.message }],
	);
}

/** Refuses names that no assertion has. Throws `unknown_assertion`. */
export function requireNames(world: World, names: readonly string[]): void {
	const knownNames = new Set(assertions(world).map(({ name }) => name));
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
