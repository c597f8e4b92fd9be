/**
 * A yes or no value, as a switch with its name.
 * Owns: showing the error of a refused change.
 */

import { useState } from 'preact/hooks';
import type { Refusal } from '../state/ask.ts';
import { FieldError } from './field-error.tsx';
import { FieldRow } from './field-row.tsx';

interface SwitchFieldProps {
	readonly name: string;
	readonly label?: string;
	readonly value: boolean;
	readonly says?: string;
	readonly commit: (value: boolean) => Promise<Refusal | null>;
}

export function SwitchField({ name, label = name, value, says, commit }: SwitchFieldProps) {
	const [error, setError] = useState<string | null>(null);
	return (
		<FieldRow name={label} says={says}>
			<button
				type="button"
				class="switch"
				role="switch"
				aria-label={name}
				aria-checked={value}
				title={says}
				onClick={() =>
					void commit(!value).then((refusal) => setError(refusal && `${refusal.sentence} ${refusal.fix}`))
				}
			>
				<i />
				{value ? 'on' : 'off'}
			</button>
			{error !== null && <FieldError sentence={error} />}
		</FieldRow>
	);
}
