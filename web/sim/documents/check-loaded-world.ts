/**
 * Checks of a world that was loaded from bytes: values that no call can set, cycles of parents, and states in which the
 * next ticks fail.
 * Owns: these checks. Never: changes the world.
 */

import * as z from 'zod';
import { Assertion } from '../../../shared/components/assertion.ts';
import { Rule } from '../../../shared/components/rule.ts';
import type { Field } from '../../../shared/contract/component.ts';
import { ApiError } from '../../../shared/contract/errors.ts';
import { nestsDeeper } from '../../../shared/contract/json-depth.ts';
import { MAX_DOCUMENT_DEPTH } from '../../../shared/contract/wire.ts';
import { events } from '../../../shared/events/index.ts';
import { assertionDocument } from '../../../shared/rules/assertion.ts';
import { writtenRule } from '../../../shared/rules/rule.ts';
import { requireAllValid } from '../aspects/index.ts';
import { assertionsOf, createFromDocument, toTypedAssertion } from '../assertions/assertion.ts';
import { eachRun } from '../core/bits.ts';
import { clone, dispose } from '../core/clone.ts';
import type { Column } from '../core/column.ts';
import { pendingEvents } from '../core/events.ts';
import { refusalOf } from '../core/refusal-of.ts';
import type { ComponentTable } from '../core/table.ts';
import { count, each, type World } from '../core/world.ts';
import { checkRule, documentOf } from '../rules/rule.ts';
import { step } from '../step.ts';
import { parseRule } from './rule-entry.ts';

/** Number of ticks of the trial. An event exists for the tick on which it is sent and the next one. */
const TRIAL_TICKS = 2;

/** Throws a RangeError with a reason if a value of a world is invalid. */
export function checkValues(world: World): void {
	for (const table of world.tables) if (table !== undefined) checkTable(table);
	for (const [name, { resource, value }] of world.resources) {
		if (resource.scope === 'derived') continue;
		checkDepth(value, name);
		if (!resource.schema.safeParse(value).success) throw new RangeError(`${name} has an invalid value`);
	}
	for (const { kind, data } of pendingEvents(world)) {
		const type = events.find((event) => event.kind === kind);
		if (type === undefined || !z.strictObject(type.fields).safeParse(data).success)
			throw new RangeError(`an event "${kind}" is not valid`);
		checkDepth(data, kind);
	}
	requireAccepted(() => requireAllValid(world));
	each(world, [Rule], (id) => {
		const parsed = writtenRule.safeParse(documentOf(world, id));
		if (!parsed.success) throw new RangeError(`rule ${id} is not valid`);
		requireAccepted(() => checkRule(parseRule(parsed.data)));
	});
	if (count(world, Assertion) === 0) return;
	const copy = clone(world);
	try {
		for (const { id, name, condition, severity } of assertionsOf(world)) {
			const parsed = assertionDocument.safeParse({ name, condition, severity });
			if (!parsed.success) throw new RangeError(`assertion ${id} is not valid`);
			requireAccepted(() => createFromDocument(copy, toTypedAssertion(parsed.data)));
		}
	} finally {
		dispose(copy);
	}
}

/**
 * Runs the next ticks in a copy of a world. Throws a RangeError if they fail with anything but an `ApiError`, which has a
 * clear message.
 */
export function tryTicks(world: World): void {
	const trial = clone(world);
	try {
		for (let i = 0; i < TRIAL_TICKS; i++) step(trial);
		for (const table of trial.tables) if (table !== undefined) checkTable(table);
	} catch (error) {
		if (error instanceof ApiError) return;
		throw new RangeError('its next tick fails, so its parts contradict each other', { cause: error });
	} finally {
		dispose(trial);
	}
}

/** Runs `work` and turns its refusal into a RangeError. */
function requireAccepted(work: () => unknown): void {
	const refusal = refusalOf(work);
	if (refusal !== null) throw new RangeError(refusal.message);
}

function checkTable(table: ComponentTable): void {
	const { component } = table;
	if (component.scope === 'derived') return;
	for (const [name, column] of Object.entries(table.columns)) {
		const field = component.fields[name]!;
		const label = `${component.name}.${name}`;
		eachRun(table.presence.data, (from, to) => {
			if (field.kind === 'json') checkJson(field, column as Column<unknown[]>, from, to, label);
			else if (field.kind === 'f32') checkNumbers(column as Column<Float32Array>, from, to, label);
		});
	}
}

/**
 * Checks the numbers of a column. A single number may be infinite, such as the health of an indestructible entity; the
 * numbers of a vector must be finite.
 */
function checkNumbers({ data, stride }: Column<Float32Array>, from: number, to: number, label: string): void {
	for (let i = from * stride; i < to * stride; i++) {
		const number = data[i]!;
		if (Number.isNaN(number) || (stride > 1 && !Number.isFinite(number)))
			throw new RangeError(`${label} is ${number}`);
	}
}

type LoadedJsonField = Extract<Field, { kind: 'json' }>;

function checkJson(
	{ schema }: LoadedJsonField,
	{ data }: Column<unknown[]>,
	from: number,
	to: number,
	label: string,
): void {
	let previous: unknown;
	for (let slot = from; slot < to; slot++) {
		const value = data[slot];
		// Adjacent slots often share a value.
		if (slot > from && value === previous) continue;
		previous = value;
		checkDepth(value, label);
		if (!schema.safeParse(value).success) throw new RangeError(`${label} has an invalid value`);
	}
}

function checkDepth(value: unknown, label: string): void {
	if (nestsDeeper(value, MAX_DOCUMENT_DEPTH))
		throw new RangeError(`${label} is nested more than ${MAX_DOCUMENT_DEPTH} levels deep`);
}
