/**
 * Variants of a sweep.
 * Owns: the grid of values, and the requests that set a value or remove entities.
 */

import { ApiError } from '../../shared/contract/errors.ts';
import { suggestion } from '../../shared/contract/nearest.ts';
import type { Body } from '../../shared/contract/route.ts';
import { MAX_RUNS, type sweep } from '../../shared/routes/sweep.ts';
import { patchComponents } from '../../shared/routes/world.ts';
import { filterOf } from '../sim/assertions/condition.ts';
import { entityAt } from '../sim/core/entities.ts';
import type { World } from '../sim/core/world.ts';
import { ConditionLook } from '../sim/rules/conditions/evaluate-condition.ts';
import { type Requests, requirePortable } from './jobs.ts';

export type SweepBody = Body<typeof sweep>;
export type Axis = NonNullable<SweepBody['vary']>[number];
type AxisSelection = NonNullable<Axis['of']>;
type SentVariant = NonNullable<SweepBody['variants']>[number];

/** One row of the table, before it is run. */
export interface SweepVariant {
	/** Values of the variant's columns. */
	readonly cells: readonly unknown[];
	readonly seed: number | undefined;
	readonly requests: Requests;
	/** Index of the past call that is omitted; null if none is, undefined without a past. */
	readonly omittedIndex?: number | null;
	/** Values by the name of their axis. */
	readonly values: Readonly<Record<string, unknown>>;
}

/** Returns entities by an id or a filter. Throws `entity_not_found` for an id, `invalid_body` if no entity matches the
 * filter, and `invalid_assertion`.
 */
export function idsOf(world: World, selection: AxisSelection, path: string): number[] {
	if (typeof selection === 'number') return [entityAt(world, selection).id];
	const ids = [
		...new ConditionLook(world).members(filterOf(selection as Parameters<typeof filterOf>[0], path)),
	];
	if (ids.length > 0) return ids;
	throw new ApiError('invalid_body', `${path}: no entity matches the filter.`, {
		path,
		fix: 'Send a filter that matches living entities; POST /observe with the filter lists them.',
	});
}

/** Returns the values of an axis, in order. */
export function valuesOf({ values, from, to, step, count }: Axis, path: string): readonly unknown[] {
	if (values != null) return values;
	const width = to! - from!;
	const steps = count != null ? count - 1 : Math.floor(width / (step ?? 1) + 1e-9);
	requireFewRuns(steps + 1, path);
	const stepSize = count != null ? width / steps : (step ?? 1);
	// Rounding to twelve digits makes 0.1 + 2 * 0.1 equal to 0.3.
	return Array.from({ length: steps + 1 }, (_, i) => Number((from! + i * stepSize).toPrecision(12)));
}

/** Throws `too_many_runs` for a number of runs over the limit. */
export function requireFewRuns(runs: number, path: string): void {
	if (runs <= MAX_RUNS) return;
	throw new ApiError('too_many_runs', `The call asks for ${runs} runs; the limit is ${MAX_RUNS}.`, { path });
}

/** Returns a body with one field, whose name may have dots. */
function bodyWith(field: string, value: unknown): object {
	return field.split('.').reduceRight<unknown>((inner, key) => ({ [key]: inner }), value) as object;
}

const despawnRequests = (ids: readonly number[]): Requests =>
	ids.map((entity_id) => ({ path: '/despawn', body: { entity_id } }));

/** Escapes a value, so that a request does not read it as a reference. */
const escapeReference = (value: unknown): unknown =>
	typeof value === 'string' && value.startsWith('$') ? `$${value}` : value;

/** Fields that POST /entities/{id}/components accepts. */
const FIELDS: readonly string[] = Object.keys(patchComponents.body!.shape);

/**
 * Returns the name of a field in its route. Conditions and tables use dots, as in combat.damage for combat_damage. Throws
 * `invalid_body`.
 */
function routeFieldOf(sent: string, path: string): string {
	const flat = sent.replaceAll('.', '_');
	if (FIELDS.includes(flat)) return flat;
	if (FIELDS.includes(sent.split('.')[0]!)) return sent;
	throw new ApiError('invalid_body', `${path}: POST /entities/{id}/components has no field "${sent}".`, {
		path,
		fix: suggestion(flat, FIELDS),
	});
}

/** Returns the requests that set a field to a value. */
function settingRequests(world: World, { field, of, path }: Axis, at: string): (value: unknown) => Requests {
	if (field == null) return () => [];
	const name = path == null ? routeFieldOf(field, `${at}.field`) : field;
	const paths =
		path == null ? idsOf(world, of!, `${at}.of`).map((id) => `/entities/${id}/components`) : [path];
	return (value) => paths.map((to) => ({ path: to, body: bodyWith(name, escapeReference(value)) }));
}

interface VariantPart {
	readonly columns: readonly string[];
	readonly options: readonly SweepVariant[];
}

const createOption = (
	cells: readonly unknown[],
	requests: Requests = [],
	fields: Partial<SweepVariant> = {},
): SweepVariant => ({
	cells,
	requests,
	seed: undefined,
	values: {},
	...fields,
});

/** Combines two partial variants. Values of the second one win. */
const combine = (a: SweepVariant, b: SweepVariant): SweepVariant => ({
	cells: [...a.cells, ...b.cells],
	requests: [...a.requests, ...b.requests],
	seed: b.seed ?? a.seed,
	values: { ...a.values, ...b.values },
});

/** Returns all variants of a sweep in the current world, and the names of their columns. */
export function variantsOf(world: World, body: SweepBody): { columns: string[]; variants: SweepVariant[] } {
	const parts: VariantPart[] = [];
	for (const [at, axis] of (body.vary ?? []).entries()) {
		const name = `vary[${at}]`;
		if (axis.path != null) requirePortable([{ path: axis.path }], `${name}.path`);
		const requests = settingRequests(world, axis, name);
		const options = valuesOf(axis, name).map((value) =>
			createOption([value], requests(value), { values: { [axis.as]: value } }),
		);
		parts.push({ columns: [axis.as], options });
	}
	if (body.variants != null) {
		const options = body.variants.map((variant, at) => explicitVariant(world, variant, at));
		parts.push({ columns: ['variant'], options });
	}
	if (body.leave_out?.entities != null) {
		const ids = idsOf(world, body.leave_out.entities, 'leave_out.entities');
		const options = ids.map((id) => createOption([id], despawnRequests([id])));
		parts.push({ columns: ['without'], options: [createOption([null]), ...options] });
	}
	const count = parts.reduce((product, { options }) => product * options.length, body.seeds ?? 1);
	requireFewRuns(count, 'vary');
	requirePortable(body.requests ?? [], 'requests');
	const grid = parts.reduce<SweepVariant[]>(
		(list, { options }) => list.flatMap((variant) => options.map((other) => combine(variant, other))),
		[createOption([])],
	);
	const finalOption = createOption([], body.requests ?? []);
	return {
		columns: parts.flatMap(({ columns }) => columns),
		variants: grid.map((variant) => combine(variant, finalOption)),
	};
}

function explicitVariant(
	world: World,
	{ name, seed, without, requests }: SentVariant,
	at: number,
): SweepVariant {
	const path = `variants[${at}]`;
	requirePortable(requests ?? [], `${path}.requests`);
	const removals = without == null ? [] : despawnRequests(idsOf(world, without, `${path}.without`));
	return createOption([name ?? at], [...removals, ...(requests ?? [])], { seed: seed ?? undefined });
}
