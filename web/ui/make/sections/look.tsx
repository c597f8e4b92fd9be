/**
 * Look of an entity: its shape and its colour.
 * Owns: the choice of mesh and the field and swatches of colour.
 */

import { useState } from 'preact/hooks';
import { Color } from '../../../../shared/components/color.ts';
import { Mesh } from '../../../../shared/components/mesh.ts';
import { Choice } from '../../controls/choice.tsx';
import { FieldError } from '../../controls/field-error.tsx';
import { FieldRow } from '../../controls/field-row.tsx';
import { cssColor, type Entity, NAMED_COLORS } from '../../entities/entity.ts';
import { ComponentSection } from '../component-section.tsx';
import { useChange } from '../use-change.ts';
import type { Section } from './section.ts';

const MESHES = [
	['cube', 'cube'],
	['sphere', 'sphere'],
	['plane', 'plane'],
	['cylinder', 'cylinder'],
	['cone', 'cone'],
] as const;

function LookSection({ entity }: { readonly entity: Entity }) {
	const change = useChange(entity);
	const { mesh, color } = entity;
	if (mesh === undefined && color === undefined) return null;
	return (
		<ComponentSection
			name="Look"
			summary={
				color !== undefined && (
					<>
						<span class="swatch" style={{ background: cssColor(color) }} />{' '}
						{color in NAMED_COLORS ? color : 'custom colour'}
					</>
				)
			}
		>
			<Choice name="mesh" value={mesh ?? ''} options={MESHES} commit={(word) => change({ mesh: word })} />
			<ColorField entity={entity} color={color ?? 'white'} />
		</ComponentSection>
	);
}

function ColorField({ entity, color }: { readonly entity: Entity; readonly color: string }) {
	const change = useChange(entity);
	const [error, setError] = useState<string | null>(null);
	const send = (word: string) =>
		void change({ color: word }).then((refusal) => setError(refusal && `${refusal.sentence} ${refusal.fix}`));
	return (
		<>
			<FieldRow name="colour">
				<span class={`field wide${error === null ? '' : ' error'}`}>
					<input
						aria-label="colour: a name, or r,g,b with values from 0 to 1"
						title="A name, or r,g,b with values from 0 to 1"
						autocomplete="off"
						spellcheck={false}
						// Resets the field after a change by another client.
						key={color}
						defaultValue={color}
						onKeyDown={(event) => {
							if (event.key === 'Enter') event.currentTarget.blur();
						}}
						onBlur={(event) => {
							const word = event.currentTarget.value.trim();
							if (word === '') event.currentTarget.value = color;
							else if (word !== color) send(word);
						}}
					/>
				</span>
				{error !== null && <FieldError sentence={error} />}
			</FieldRow>
			<div class="swatches">
				{Object.keys(NAMED_COLORS).map((name) => (
					<button
						key={name}
						type="button"
						aria-label={name}
						title={name}
						aria-pressed={name === color}
						style={{ background: cssColor(name) }}
						onClick={() => send(name)}
					/>
				))}
			</div>
		</>
	);
}

export const look: Section = {
	shows: [Mesh, Color],
	together: true,
	add: { label: 'Look', first: 'cube' },
	View: LookSection,
};
