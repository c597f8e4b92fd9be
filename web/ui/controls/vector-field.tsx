/**
 * Several numbers that belong together, each with its letter or word, such as the axes of a vector.
 * Owns: inserting an edited number between the others.
 */

import { useState } from 'preact/hooks';
import type { Refusal } from '../state/ask.ts';
import { FieldError } from './field-error.tsx';
import { FieldRow } from './field-row.tsx';
import { NumberField } from './number-field.tsx';

const AXES = ['x', 'y', 'z'] as const;

interface VectorFieldProps<V extends readonly number[]> {
	readonly name: string;
	/** Label beside it, if shorter than its name. */
	readonly label?: string;
	/** Null if there is no value. The other numbers are then sent as 0. */
	readonly value: V | null;
	readonly parts?: readonly string[];
	readonly unit?: string | undefined;
	readonly min?: number | undefined;
	readonly max?: number | undefined;
	/** Meaning, for the tooltip. */
	readonly says?: string;
	readonly commit: (value: V) => Promise<Refusal | null>;
	/** Removes the whole value. Called when one number is emptied. */
	readonly clear?: (() => Promise<Refusal | null>) | undefined;
}

export function VectorField<V extends readonly number[]>(props: VectorFieldProps<V>) {
	const { name, label = name, value, parts = AXES, unit, min, max, says, commit, clear } = props;
	const [errors, setErrors] = useState<Readonly<Record<string, string | null>>>({});
	const error = parts.map((part) => errors[part]).find((sentence) => sentence) ?? null;
	return (
		<FieldRow name={label} says={says}>
			{parts.map((part, index) => (
				<NumberField
					key={part}
					name={`${name} ${part}${unit ? `, ${unit}` : ''}`}
					axis={part}
					value={value?.[index] ?? null}
					min={min}
					max={max}
					says={says}
					onError={(sentence) => setErrors((all) => ({ ...all, [part]: sentence }))}
					commit={(number) => {
						const next = parts.map((_, partIndex) => value?.[partIndex] ?? 0);
						next[index] = number;
						return commit(next as unknown as V);
					}}
					clear={clear}
				/>
			))}
			{error !== null && <FieldError sentence={error} />}
		</FieldRow>
	);
}
