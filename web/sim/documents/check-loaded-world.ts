/**
 * Checks of a world that was loaded from bytes: values that no call could have made, cycles of parents, and states
 * that fail the next ticks.
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
import { assertions, createFromDocument, typedAssertion } from '../assertions/assertion.ts';
import { eachRun } from '../core/bits.ts';
import { clone, dispose } from '../core/clone.ts';
import type { Column } from '../core/column.ts';
import { pending } from '../core/events.ts';
import { refusalOf } from '../core/refusal-of.ts';
import type { ComponentTable } from '../core/table.ts';
import { count, each, type World } from '../core/world.ts';
import { documentOf, soundRule } from '../rules/rule.ts';
import { step } from '../step.ts';
import { typedRule } from './rule-entry.ts';

/** An event is there for the tick on which it is sent and the next. */
const TRIED_TICKS = 2;

/** Throws a RangeError that says what is wrong with the values of a world. */
export function checkValues(world: World): void {
	for (const table of world.tables) if (table !== undefined) checkTable(table);
	for (const [name, { resource, value }] of world.resources) {
		if (resource.scope === 'derived') continue;
		checkDepth(value, name);
		if (!resource.schema.safeParse(value).success) throw new RangeError(`${name} has an invalid value`);
	}
	for (const { kind, data } of pending(world)) {
		const type = events.find((event) => event.kind === kind);
		if (type === undefined || !z.strictObject(type.fields).safeParse(data).success)
			throw new RangeError(`an event "${kind}" is not valid`);
		checkDepth(data, kind);
	}
	unlessRefused(() => requireAllValid(world));
	each(world, [Rule], (id) => {
		const parsed = writtenRule.safeParse(documentOf(world, id));
		if (!parsed.success) throw new RangeError(`rule ${id} is not valid`);
		unlessRefused(() => soundRule(typedRule(parsed.data)));
	});
	if (count(world, Assertion) === 0) return;
	const aside = clone(world);
	try {
		for (const { id, name, condition, severity } of assertions(world)) {
			const parsed = assertionDocument.safeParse({ name, condition, severity });
			if (!parsed.success) throw new RangeError(`assertion ${id} is not valid`);
			unlessRefused(() => createFromDocument(aside, typedAssertion(parsed.data)));
		}
	} finally {
		dispose(aside);
	}
}

/**
 * Lets a copy of a world continue. Throws a RangeError when it fails, but not for what the engine refuses with a
 * clear error.
 */
export function tryTicks(world: World): void {
	const trial = clone(world);
	try {
		for (let i = 0; i < TRIED_TICKS; i++) step(trial);
		for (const table of trial.tables) if (table !== undefined) checkTable(table);
	} catch (error) {
		if (error instanceof ApiError) return;
		throw new RangeError('its next tick fails, so its parts contradict each other', { cause: error });
	} finally {
		dispose(trial);
	}
}

function unlessRefused(work: () => unknown): void {
	const refused = refusalOf(work);
	if (refused !== null) throw new RangeError(refused.message);
}

function checkTable(table: ComponentTable): void {
	const { component } = table;
	if (component.scope === 'derived') return;
	for (const [name, column] of Object.entries(table.columns)) {
		const field = component.fields[name]!;
		const what = `${component.name}.${name}`;
		eachRun(table.presence.data, (from, to) => {
			if (field.kind === 'json') checkJson(field, column as Column<unknown[]>, from, to, what);
			else if (field.kind === 'f32') checkNumbers(column as Column<Float32Array>, from, to, what);
		});
	}
}

/**
 * Single numbers may be without end, such as the health of an indestructible entity; places and directions may not.
 */
function checkNumbers({ data, stride }: Column<Float32Array>, from: number, to: number, what: string): void {
	for (let at = from * stride; at < to * stride; at++) {
		const number = data[at]!;
		if (Number.isNaN(number) || (stride > 1 && !Number.isFinite(number)))
			throw new RangeError(`${what} is ${number}`);
	}
}

type LoadedJsonField = Extract<Field, { kind: 'json' }>;

function checkJson(
	{ schema }: LoadedJsonField,
	{ data }: Column<unknown[]>,
	from: number,
	to: number,
	what: string,
): void {
	let same: unknown;
	for (let slot = from; slot < to; slot++) {
		const value = data[slot];
		// Neighbours often have the same words.
		if (slot > from && value === same) continue;
		same = value;
		checkDepth(value, what);
		if (!schema.safeParse(value).success) throw new RangeError(`${what} has an invalid value`);
	}
}

function checkDepth(value: unknown, what: string): void {
	if (nestsDeeper(value, MAX_DOCUMENT_DEPTH))
		throw new RangeError(`${what} is nested more than ${MAX_DOCUMENT_DEPTH} levels deep`);
}
