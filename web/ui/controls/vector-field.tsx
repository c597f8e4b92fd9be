/**
 * Three numbers with their axes.
 * Owns: putting an edited axis back among the other two.
 */

import { useState } from 'preact/hooks';
import type { Vector } from '../entities/entity.ts';
import type { Refusal } from '../state/ask.ts';
import { FieldError } from './field-error.tsx';
import { FieldRow } from './field-row.tsx';
import { NumberField } from './number-field.tsx';

const AXES = ['x', 'y', 'z'] as const;

interface VectorFieldProps {
	readonly name: string;
	readonly value: Vector;
	readonly unit?: string;
	readonly min?: number;
	readonly max?: number;
	readonly commit: (value: Vector) => Promise<Refusal | null>;
}

export function VectorField({ name, value, unit, min, max, commit }: VectorFieldProps) {
	const [errors, setErrors] = useState<Readonly<Record<string, string | null>>>({});
	const error = AXES.map((axis) => errors[axis]).find((sentence) => sentence) ?? null;
	return (
		<FieldRow name={name}>
			{AXES.map((axis, index) => (
				<NumberField
					key={axis}
					name={`${name} ${axis}${unit ? `, ${unit}` : ''}`}
					axis={axis}
					value={value[index]!}
					min={min}
					max={max}
					onError={(sentence) => setErrors((all) => ({ ...all, [axis]: sentence }))}
					commit={(number) => {
						const next: [number, number, number] = [...value];
						next[index] = number;
						return commit(next);
					}}
				/>
			))}
			{error !== null && <FieldError sentence={error} />}
		</FieldRow>
	);
}
