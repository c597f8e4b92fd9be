/**
 * A choice of one word from a short list: a select with the same errors as a field.
 * Owns: showing the error of a refused choice.
 */

import { useState } from 'preact/hooks';
import type { Refusal } from '../state/ask.ts';
import { FieldError } from './field-error.tsx';
import { FieldRow } from './field-row.tsx';

interface ChoiceProps {
	readonly name: string;
	/** Label beside it, if shorter than its name. */
	readonly label?: string;
	readonly value: string;
	/** Values that are sent, each with its label. */
	readonly options: readonly (readonly [value: string, label: string])[];
	/** Meaning, for the tooltip. */
	readonly says?: string;
	readonly commit: (value: string) => Promise<Refusal | null>;
	/** Removes the choice. If it is missing, the choice is required. */
	readonly clear?: (() => Promise<Refusal | null>) | undefined;
}

export function Choice({ name, label = name, value, options, says, commit, clear }: ChoiceProps) {
	const [error, setError] = useState<string | null>(null);
	const isKnown = options.some(([option]) => option === value);
	return (
		<FieldRow name={label} says={says}>
			<span class="field wide choice">
				<select
					aria-label={name}
					title={says}
					value={value}
					onChange={(event) => {
						const chosen = event.currentTarget.value;
						const sent = chosen === '' && clear !== undefined ? clear() : commit(chosen);
						void sent.then((refusal) => setError(refusal && `${refusal.sentence} ${refusal.fix}`));
					}}
				>
					{(!isKnown || clear !== undefined) && (
						<option value={isKnown ? '' : value}>{isKnown || value === '' ? 'none' : value}</option>
					)}
					{options.map(([option, optionLabel]) => (
						<option key={option} value={option}>
							{optionLabel}
						</option>
					))}
				</select>
			</span>
			{error !== null && <FieldError sentence={error} />}
		</FieldRow>
	);
}
