/**
 * A line of text. It is sent on Enter, or when it loses the focus. It can propose values.
 * Owns: showing the error of a refused text. Never: sends an unchanged text.
 */

import type { ComponentChildren } from 'preact';
import { useId, useState } from 'preact/hooks';
import type { Refusal } from '../state/ask.ts';
import { FieldError } from './field-error.tsx';
import { FieldRow } from './field-row.tsx';

interface TextFieldProps {
	readonly name: string;
	/** Label beside it, if shorter than its name. */
	readonly label?: string;
	readonly value: string;
	readonly maxLength?: number | undefined;
	readonly placeholder?: string;
	readonly proposals?: readonly (readonly [value: string, label: string])[];
	/** Meaning, for the tooltip. */
	readonly says?: string;
	readonly commit: (value: string) => Promise<Refusal | null>;
	/** Called when the field gets the focus, so that the proposals can be loaded. */
	readonly onFocus?: () => void;
	/** Content before the line, such as a swatch. */
	readonly before?: ComponentChildren;
}

export function TextField(props: TextFieldProps) {
	const {
		name,
		label = name,
		value,
		maxLength,
		placeholder,
		proposals,
		says,
		commit,
		onFocus,
		before,
	} = props;
	const [error, setError] = useState<string | null>(null);
	const list = useId();
	return (
		<FieldRow name={label} says={says}>
			{before}
			<span class={`field wide${error === null ? '' : ' error'}`}>
				<input
					// A new value from elsewhere replaces the field, and so its draft.
					key={value}
					aria-label={name}
					aria-invalid={error !== null}
					title={says}
					placeholder={placeholder}
					defaultValue={value}
					maxLength={maxLength}
					list={proposals === undefined ? undefined : list}
					autocomplete="off"
					spellcheck={false}
					onFocus={onFocus}
					onKeyDown={(event) => {
						if (event.key === 'Enter') event.currentTarget.blur();
						else if (event.key === 'Escape') {
							event.currentTarget.value = value;
							event.stopPropagation();
							event.currentTarget.blur();
						}
					}}
					onBlur={(event) => {
						const text = event.currentTarget.value.trim();
						if (text === value) setError(null);
						else
							void commit(text).then((refusal) =>
								setError(refusal && `${refusal.sentence} ${refusal.fix}`.trim()),
							);
					}}
				/>
			</span>
			{proposals !== undefined && (
				<datalist id={list}>
					{proposals.map(([option, optionLabel]) => (
						<option key={option} value={option}>
							{optionLabel}
						</option>
					))}
				</datalist>
			)}
			{error !== null && <FieldError sentence={error} />}
		</FieldRow>
	);
}
