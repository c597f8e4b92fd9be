/**
 * The inspector of several entities.
 * Owns: the fields of their poses, which show different values as `several`, and their common sections.
 */

import { FieldRow } from '../controls/field-row.tsx';
import { NumberField } from '../controls/number-field.tsx';
import { type Entity, entityName, kindName, type Vector } from '../entities/entity.ts';
import { count } from '../numbers.ts';
import { usePanels } from '../state/panels.ts';
import { ComponentSection } from './component-section.tsx';
import { fromDegrees, toDegrees } from './rotation.ts';
import { sections } from './sections/index.ts';
import { keysOf } from './sections/section.ts';
import { Together } from './use-change.ts';

const AXES = ['x', 'y', 'z'] as const;

type Part = 'position' | 'rotation' | 'scale';

/** Returns the common value of numbers; null if they differ. */
function common(values: readonly number[]): number | null {
	const [first] = values;
	return first !== undefined && values.every((value) => Math.abs(value - first) < 1e-6) ? first : null;
}

const readPart = (entity: Entity, part: Part): Vector => {
	const pose = entity.local_transform!;
	return part === 'rotation' ? toDegrees(pose.rotation) : pose[part];
};

export function Several({ chosen }: { readonly chosen: readonly Entity[] }) {
	const placed = chosen.filter(({ local_transform }) => local_transform !== undefined);
	const names = Map.groupBy(chosen, kindName);
	const last = chosen.at(-1)!;
	const hasAny = (entity: Entity, keys: readonly string[]) => keys.some((key) => entity[key] !== undefined);
	const shared = sections.filter(
		(section) => section.together && chosen.every((entity) => hasAny(entity, keysOf(section))),
	);
	return (
		<>
			<header class="title">
				<h2>{count(chosen.length, 'entity', 'entities')}</h2>
				<div class="chips">
					{[...names].slice(0, 6).map(([name, these]) => (
						<span key={name} class="chip">
							{these.length > 1 ? `${these.length} × ${name}` : name}
						</span>
					))}
				</div>
				{shared.length > 0 && (
					<p class="soft">
						Changes apply to all. The values below the transform are those of {entityName(last)}.
					</p>
				)}
			</header>
			<div class="scroll">
				{placed.length > 0 && (
					<ComponentSection name="Transform" summary="m, °">
						<PartFields part="position" unit="m" placed={placed} />
						<PartFields part="rotation" unit="°" placed={placed} />
						<PartFields part="scale" placed={placed} />
					</ComponentSection>
				)}
				<Together.Provider value={chosen}>
					{shared.map((section) => (
						<section.View key={`${keysOf(section)[0]} ${last.id}`} entity={last} />
					))}
				</Together.Provider>
			</div>
		</>
	);
}

interface PartProps {
	readonly part: Part;
	readonly unit?: string;
	readonly placed: readonly Entity[];
}

function PartFields({ part, unit, placed }: PartProps) {
	const { tools } = usePanels();
	return (
		<FieldRow name={part}>
			{AXES.map((axis, index) => (
				<NumberField
					key={axis}
					name={`${part} ${axis} of all${unit === undefined ? '' : `, ${unit}`}`}
					axis={axis}
					value={common(placed.map((entity) => readPart(entity, part)[index]!))}
					placeholder="several"
					{...(part === 'scale' ? { min: 0, max: 10_000 } : {})}
					commit={(number) =>
						tools.actions.change(
							placed.map((entity) => {
								const next = readPart(entity, part).map((value, at) => (at === index ? number : value));
								const sent = part === 'rotation' ? fromDegrees(next as unknown as Vector) : next;
								return [entity, { transform: { [part]: sent } }] as const;
							}),
						)
					}
				/>
			))}
		</FieldRow>
	);
}
