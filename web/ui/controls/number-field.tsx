/**
 * A field for one number, which is typed, or changed by dragging its label.
 * Owns: the draft during an edit. Never: sends a number that is out of range.
 */

import { useEffect, useRef, useState } from 'preact/hooks';
import { axisDigits, exactNumber, formatNumber, readNumber } from '../numbers.ts';
import type { Refusal } from '../state/ask.ts';
import { FieldError } from './field-error.tsx';

export interface NumberFieldProps {
	/** Name of the number, for screen readers and messages. */
	readonly name: string;
	/** Null if there is no number. */
	readonly value: number | null;
	readonly unit?: string | undefined;
	/** Letter or word of this number in a vector. */
	readonly axis?: string | undefined;
	readonly min?: number | undefined;
	readonly max?: number | undefined;
	/** Only whole numbers. */
	readonly whole?: boolean;
	/** Text that is shown while there is no number. */
	readonly placeholder?: string;
	/** Meaning, for the tooltip. */
	readonly says?: string | undefined;
	/** Sends a new value. Resolves to null if the call succeeded. */
	readonly commit: (value: number) => Promise<Refusal | null>;
	/** Removes the number. If it is missing, the number is required. */
	readonly clear?: (() => Promise<Refusal | null>) | undefined;
	/** Takes the error, to show it elsewhere than under the field. */
	readonly onError?: (sentence: string | null) => void;
}

/** Returns the error of a typed text, with the range and the kept value; null if the text is valid. */
export function errorOf(
	text: string,
	{ value, unit = '', min, max, whole }: NumberFieldProps,
): string | null {
	const consequence =
		value === null ? 'Nothing was sent.' : `Kept at ${formatNumber(value)}${unit === '' ? '' : ` ${unit}`}.`;
	const number = readNumber(text);
	if (number === null) return `"${text}" is not a number. ${consequence}`;
	if (whole && !Number.isInteger(number)) return `"${text}" is not a whole number. ${consequence}`;
	const below = min !== undefined && number < min;
	const above = max !== undefined && number > max;
	if (!below && !above) return null;
	const units = unit === '' ? '' : ` ${unit}`;
	if (min !== undefined && max !== undefined)
		return `Range is ${formatNumber(min)} to ${formatNumber(max)}${units}. ${consequence}`;
	return min === undefined
		? `At most ${formatNumber(max!)}${units}. ${consequence}`
		: `At least ${formatNumber(min)}${units}. ${consequence}`;
}

/** Smaller coordinates are rounding errors, and shown as 0. */
const ZERO_LIMIT = 1e-6;

function displayText(value: number | null, axis: string | undefined): string {
	if (value === null) return '';
	if (axis !== undefined && Math.abs(value) < ZERO_LIMIT) return '0';
	return formatNumber(value, axis === undefined ? 3 : axisDigits(value));
}

function titleOf({ name, value, unit, says }: NumberFieldProps): string {
	const exact = value === null ? name : `${name}: ${exactNumber(value)}${unit ? ` ${unit}` : ''}`;
	return says ? `${says}\n${exact}` : exact;
}

export function NumberField(props: NumberFieldProps) {
	const { name, value, unit, axis, placeholder, says, commit, clear, onError } = props;
	const [draft, setDraft] = useState<string | null>(null);
	const [error, setError] = useState<string | null>(null);
	const edited = useRef(false);

	const showError = (sentence: string | null) => {
		setError(sentence);
		onError?.(sentence);
	};
	const send = async (number: number | null): Promise<void> => {
		const refusal = await (number === null ? clear!() : commit(number));
		showError(refusal === null ? null : `${refusal.sentence} ${refusal.fix}`.trim());
	};
	const finish = (): void => {
		const text = draft ?? '';
		setDraft(null);
		if (!edited.current) return;
		edited.current = false;
		if (text.trim() === '' && (value === null || clear !== undefined)) {
			showError(null);
			if (value !== null) void send(null);
			return;
		}
		const invalid = errorOf(text, props);
		const number = readNumber(text);
		if (invalid !== null || number === null) showError(invalid);
		else if (Object.is(number, value)) showError(null);
		else void send(number);
	};
	// An error names the kept value. When the value changes, the error is out of date.
	useEffect(() => showError(null), [value]);

	return (
		<>
			<span class={`field${error === null ? '' : ' error'}`}>
				{axis && (
					<DragLabel
						axis={axis}
						value={value ?? 0}
						drag={(number) => {
							edited.current = true;
							setDraft(exactNumber(number));
						}}
						drop={finish}
					/>
				)}
				<input
					inputMode="decimal"
					autocomplete="off"
					spellcheck={false}
					aria-label={name}
					aria-invalid={error !== null}
					placeholder={placeholder}
					title={draft === null ? titleOf(props) : says}
					value={draft ?? displayText(value, axis)}
					onFocus={(event) => {
						setDraft(value === null ? '' : exactNumber(value));
						const input = event.currentTarget;
						// Waits until the click has placed the caret. A person who has typed meanwhile keeps the text.
						// A field that has lost the focus must not get it back through select().
						requestAnimationFrame(() => {
							if (!edited.current && document.activeElement === input) input.select();
						});
					}}
					onInput={(event) => {
						edited.current = true;
						setDraft(event.currentTarget.value);
					}}
					onBlur={finish}
					onKeyDown={(event) => {
						if (event.key === 'Enter') event.currentTarget.blur();
						else if (event.key === 'Escape') {
							edited.current = false;
							event.stopPropagation();
							event.currentTarget.blur();
						} else if (event.key === 'ArrowUp' || event.key === 'ArrowDown') {
							const current = readNumber(draft ?? '') ?? value ?? 0;
							const size = event.shiftKey ? 10 : event.altKey ? 0.1 : 1;
							const next = Math.round((current + (event.key === 'ArrowUp' ? size : -size)) * 1e6) / 1e6;
							event.preventDefault();
							edited.current = true;
							setDraft(exactNumber(next));
						}
					}}
				/>
				{unit && <span class="unit">{unit}</span>}
			</span>
			{error !== null && onError === undefined && <FieldError sentence={error} />}
		</>
	);
}

/** The letter of an axis. Dragging it by 4 px changes the number by 1; with Shift by 10, with Alt by 0.1. */
function DragLabel({
	axis,
	value,
	drag,
	drop,
}: {
	readonly axis: string;
	readonly value: number;
	readonly drag: (number: number) => void;
	/** Called when the label is released: the whole drag is one change, and one step of undo. */
	readonly drop: () => void;
}) {
	const start = useRef<{ x: number; value: number; shown: number } | null>(null);
	return (
		<span
			class={`axis ${axis}`}
			aria-hidden="true"
			title="Drag to change by 1; with Shift by 10, with Alt by 0.1"
			onPointerDown={(event) => {
				event.currentTarget.setPointerCapture(event.pointerId);
				start.current = { x: event.clientX, value, shown: value };
			}}
			onPointerMove={(event) => {
				const began = start.current;
				if (began === null) return;
				const size = event.shiftKey ? 10 : event.altKey ? 0.1 : 1;
				const steps = Math.trunc((event.clientX - began.x) / 4);
				const number = Math.round((began.value + steps * size) * 1e6) / 1e6;
				if (number === began.shown) return;
				began.shown = number;
				drag(number);
			}}
			onPointerUp={() => {
				start.current = null;
				drop();
			}}
			onPointerCancel={() => {
				start.current = null;
				drop();
			}}
		>
			{axis}
		</span>
	);
}
