/**
 * The inspector of several entities: where they are, and what is done to all of them.
 * Owns: the fields that they have in common; where their values differ, the field says so.
 */

import { FieldRow } from '../controls/field-row.tsx';
import { IconButton } from '../controls/icon-button.tsx';
import { NumberField } from '../controls/number-field.tsx';
import { Icon } from '../drawn/icon.tsx';
import { componentKeys, type Entity, kindName, type Vector } from '../entities/entity.ts';
import { count } from '../numbers.ts';
import { usePanels } from '../state/panels.ts';
import { ComponentSection } from './component-section.tsx';
import { isGroup } from './edits.ts';
import { fromDegrees, toDegrees } from './rotation.ts';

const AXES = ['x', 'y', 'z'] as const;

type Part = 'position' | 'rotation' | 'scale';

/** Returns the number that all have; null if they differ. */
function common(values: readonly number[]): number | null {
	const [first] = values;
	return first !== undefined && values.every((value) => Math.abs(value - first) < 1e-6) ? first : null;
}

const readPart = (entity: Entity, part: Part): Vector => {
	const pose = entity.local_transform!;
	return part === 'rotation' ? toDegrees(pose.rotation) : pose[part];
};

export function Several({ chosen }: { readonly chosen: readonly Entity[] }) {
	const { tools } = usePanels();
	const placed = chosen.filter(({ local_transform }) => local_transform !== undefined);
	const names = Map.groupBy(chosen, kindName);
	const [first, ...rest] = chosen.map((entity) => new Set(componentKeys(entity)));
	const shared = [...(first ?? [])].filter((key) => rest.every((keys) => keys.has(key)));
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
			</header>
			<div class="scroll">
				{placed.length > 0 && (
					<ComponentSection name="Transform" summary="m, °">
						<PartFields part="position" unit="m" placed={placed} />
						<PartFields part="rotation" unit="°" placed={placed} />
						<PartFields part="scale" placed={placed} />
					</ComponentSection>
				)}
				<p class="empty">All have: {shared.map((key) => key.replaceAll('_', ' ')).join(', ')}.</p>
			</div>
			<footer>
				<button
					type="button"
					class="button quiet"
					title="Group (Ctrl G)"
					onClick={() => void tools.actions.group()}
				>
					<Icon name="group" />
					Group
				</button>
				<span class="grow" />
				<button
					type="button"
					class="button quiet"
					title="Delete (Delete)"
					onClick={() => void tools.actions.remove()}
				>
					<Icon name="bin" />
					Delete
				</button>
			</footer>
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

/** Commands for one entity, or for a group. */
export function EntityButtons({ entity }: { readonly entity: Entity }) {
	const { tools, services } = usePanels();
	return (
		<footer>
			<button
				type="button"
				class="button quiet"
				title="Turn the camera to the entity (F)"
				onClick={() => services.view.value?.focus(entity.id)}
			>
				<Icon name="look" />
				Frame
			</button>
			{isGroup(entity) ? (
				<button
					type="button"
					class="button quiet"
					title="Take the entities out of the group (Ctrl Shift G)"
					onClick={() => void tools.actions.ungroup()}
				>
					<Icon name="group" />
					Ungroup
				</button>
			) : (
				<IconButton
					icon="copy"
					name="Duplicate"
					title="Duplicate (Ctrl D)"
					onClick={() => void tools.actions.duplicate()}
				/>
			)}
			<span class="grow" />
			<button
				type="button"
				class="button quiet"
				title="Delete the entity (Delete)"
				onClick={() => void tools.actions.remove()}
			>
				<Icon name="bin" />
				Delete
			</button>
		</footer>
	);
}
