/**
 * Zones of trigger entities and in the conditions of rules.
 * Owns: the place of each zone, and the requests that change it. Never: sends them.
 */

import type { Zone } from '../../render/messages.ts';
import type { Entity, Vector } from '../entities/entity.ts';
import { byId, worldPose } from '../entities/poses.ts';
import { poseRequests, type Request } from './edits.ts';
import type { RuleDraft, ShownRule } from './rules/rules-state.ts';

type Value = Readonly<Record<string, unknown>>;
type Path = readonly (string | number)[];

interface RuleZone {
	readonly rule: ShownRule;
	/** Keys from the rule to the zone. */
	readonly path: Path;
	readonly zone: Omit<Zone, 'isSelected'>;
}

const isValue = (value: unknown): value is Value => typeof value === 'object' && value !== null;
const isVector = (value: unknown): value is Vector =>
	Array.isArray(value) && value.length === 3 && value.every((part) => typeof part === 'number');

/** Returns the values with the key `zone`, at any depth. */
function zonesIn(value: unknown, path: Path): (readonly [path: Path, zone: Value])[] {
	if (!isValue(value)) return [];
	return Object.entries(value).flatMap(([key, part]) => {
		const at = [...path, Array.isArray(value) ? Number(key) : key];
		return key === 'zone' && isValue(part) ? [[at, part] as const] : zonesIn(part, at);
	});
}

/** Returns the zones in the conditions of rules. */
export function ruleZones(rules: readonly ShownRule[], list: readonly Entity[]): readonly RuleZone[] {
	const all = byId(list);
	return rules.flatMap((rule) => {
		const found = [...zonesIn(rule.when, ['when']), ...zonesIn(rule.filter, ['filter'])];
		return found.flatMap(([path, { center, half, radius, entity }]) => {
			const carrier = typeof entity === 'number' ? entity : null;
			const around = carrier === null ? undefined : all.get(carrier);
			const position = carrier === null ? center : around && worldPose(around, all)?.position;
			if (!isVector(position)) return [];
			const zone = {
				key: `rule ${rule.id} ${path.join('.')}`,
				position,
				half: isVector(half) ? half : null,
				radius: Number(radius ?? 0),
				isFree: carrier === null,
				carrier,
			};
			return [{ rule, path, zone }];
		});
	});
}

/** Returns all zones for the picture. */
export function zonesOf(
	list: readonly Entity[],
	rules: readonly ShownRule[],
	selected: ReadonlySet<number>,
): readonly Zone[] {
	const all = byId(list);
	const triggers = list.flatMap((entity): Zone[] => {
		const half = isValue(entity.trigger) ? entity.trigger.half : undefined;
		const pose = worldPose(entity, all);
		if (!isVector(half) || pose === undefined) return [];
		return [
			{
				key: `entity ${entity.id}`,
				position: pose.position,
				half,
				radius: 0,
				isSelected: selected.has(entity.id),
				isFree: false,
				carrier: entity.id,
			},
		];
	});
	const ofRules = ruleZones(rules, list).map(({ rule, zone }) => ({
		...zone,
		isSelected: selected.has(rule.id),
	}));
	return [...triggers, ...ofRules];
}

/** Returns the change of a rule for a dragged zone; null for a zone of an entity. */
export function ruleWithZone(
	rules: readonly ShownRule[],
	{ key, position, half, radius, carrier }: Zone,
): { readonly id: number; readonly change: Partial<RuleDraft> } | null {
	const [, id, path] = /^rule (\d+) (.*)$/.exec(key) ?? [];
	const rule = rules.find((rule) => rule.id === Number(id));
	if (rule === undefined || path === undefined) return null;
	const zone =
		carrier !== null
			? { entity: carrier, radius }
			: half !== null
				? { center: position, half }
				: { center: position, radius };
	const [part = 'when', ...rest] = path.split('.');
	return { id: rule.id, change: { [part]: withAt(rule[part as 'when'], rest, zone) } };
}

/** Returns a copy of a value with another value at a path. */
function withAt(value: unknown, [key, ...rest]: readonly string[], put: unknown): unknown {
	if (key === undefined) return put;
	if (Array.isArray(value)) return value.with(Number(key), withAt(value[Number(key)], rest, put));
	const record = value as Value;
	return { ...record, [key]: withAt(record[key], rest, put) };
}

/** Returns the requests that change size and place of a trigger entity's zone. */
export function zoneRequests({ key, position, half }: Zone, list: readonly Entity[]): readonly Request[] {
	const entity = list.find(({ id }) => key === `entity ${id}`);
	if (entity === undefined || half === null) return [];
	const { id, generation } = entity;
	return [
		{ method: 'PATCH', path: `/trigger/${id}`, body: { zone: half } },
		...poseRequests([{ id, generation, position }], list),
	];
}
