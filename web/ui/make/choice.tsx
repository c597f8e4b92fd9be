/**
 * One word out of a few: a select with the same errors as a field.
 * Owns: showing why a choice was refused.
 */

import { useState } from 'preact/hooks';
import { FieldError } from '../controls/field-error.tsx';
import { FieldRow } from '../controls/field-row.tsx';
import type { Refusal } from '../state/ask.ts';

interface ChoiceProps {
	readonly name: string;
	readonly value: string;
	/** What is sent, and what is shown for it. */
	readonly options: readonly (readonly [value: string, label: string])[];
	readonly commit: (value: string) => Promise<Refusal | null>;
}

export function Choice({ name, value, options, commit }: ChoiceProps) {
	const [error, setError] = useState<string | null>(null);
	const known = options.some(([option]) => option === value);
	return (
		<FieldRow name={name}>
			<span class="field wide choice">
				<select
					aria-label={name}
					value={value}
					onChange={(event) => {
						const chosen = event.currentTarget.value;
						void commit(chosen).then((refusal) => setError(refusal && `${refusal.sentence} ${refusal.fix}`));
					}}
				>
					{!known && <option value={value}>{value === '' ? 'none' : value}</option>}
					{options.map(([option, label]) => (
						<option key={option} value={option}>
							{label}
						</option>
					))}
				</select>
			</span>
			{error !== null && <FieldError sentence={error} />}
		</FieldRow>
	);
}
