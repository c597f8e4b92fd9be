/**
 * A field that holds one number: typed, or dragged on its label.
 * Owns: the draft while it is being edited. Never: sends what is out of range.
 */

import { useEffect, useRef, useState } from 'preact/hooks';
import { axisDigits, exactNumber, formatNumber, readNumber } from '../numbers.ts';
import type { Refusal } from '../state/ask.ts';
import { FieldError } from './field-error.tsx';

export interface NumberFieldProps {
	/** Name of the number, for screen readers and messages. */
	readonly name: string;
	/** Null: there is none. */
	readonly value: number | null;
	readonly unit?: string | undefined;
	/** The letter or word of one number among several. */
	readonly axis?: string | undefined;
	readonly min?: number | undefined;
	readonly max?: number | undefined;
	/** Only whole numbers. */
	readonly whole?: boolean;
	/** Text that is shown while there is no number. */
	readonly placeholder?: string;
	/** Meaning, for the tooltip. */
	readonly says?: string | undefined;
	/** Sends a new value; null if it was carried out. */
	readonly commit: (value: number) => Promise<Refusal | null>;
	/** Takes the number away; without it there has to be one. */
	readonly clear?: (() => Promise<Refusal | null>) | undefined;
	/** Shows errors elsewhere instead of under the field. */
	readonly onError?: (sentence: string | null) => void;
}

/** Returns the error of a typed text, with the range and the kept value, or null. */
export function errorOf(
	text: string,
	{ value, unit = '', min, max, whole }: NumberFieldProps,
): string | null {
	const words =
		value === null ? 'Nothing was sent.' : `Kept at ${formatNumber(value)}${unit === '' ? '' : ` ${unit}`}.`;
	const number = readNumber(text);
	if (number === null) return `"${text}" is not a number. ${words}`;
	if (whole && !Number.isInteger(number)) return `"${text}" is not a whole number. ${words}`;
	const below = min !== undefined && number < min;
	const above = max !== undefined && number > max;
	if (!below && !above) return null;
	const units = unit === '' ? '' : ` ${unit}`;
	if (min !== undefined && max !== undefined)
		return `Range is ${formatNumber(min)} to ${formatNumber(max)}${units}. ${words}`;
	return min === undefined
		? `At most ${formatNumber(max!)}${units}. ${words}`
		: `At least ${formatNumber(min)}${units}. ${words}`;
}

/** Coordinates below this are remainders of the arithmetic. */
const ZERO = 1e-6;

function shownNumber(value: number | null, axis: string | undefined): string {
	if (value === null) return '';
	if (axis !== undefined && Math.abs(value) < ZERO) return '0';
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

	const tell = (sentence: string | null) => {
		setError(sentence);
		onError?.(sentence);
	};
	const send = async (number: number | null): Promise<void> => {
		const refusal = await (number === null ? clear!() : commit(number));
		tell(refusal === null ? null : `${refusal.sentence} ${refusal.fix}`.trim());
	};
	const finish = (): void => {
		const text = draft ?? '';
		setDraft(null);
		if (!edited.current) return;
		edited.current = false;
		if (text.trim() === '' && (value === null || clear !== undefined)) {
			tell(null);
			if (value !== null) void send(null);
			return;
		}
		const wrong = errorOf(text, props);
		const number = readNumber(text);
		if (wrong !== null || number === null) tell(wrong);
		else if (Object.is(number, value)) tell(null);
		else void send(number);
	};
	// An error is about the value that was kept: another value ends it.
	useEffect(() => tell(null), [value]);

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
					value={draft ?? shownNumber(value, axis)}
					onFocus={(event) => {
						setDraft(value === null ? '' : exactNumber(value));
						const input = event.currentTarget;
						// Once the click has put its caret. A person who typed before that keeps the text, and a field
						// that was left meanwhile stays left: select() would put the focus back.
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
							const now = readNumber(draft ?? '') ?? value ?? 0;
							const size = event.shiftKey ? 10 : event.altKey ? 0.1 : 1;
							const next = Math.round((now + (event.key === 'ArrowUp' ? size : -size)) * 1e6) / 1e6;
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

/** The letter of an axis; dragging it changes the number by 1 for each 4 px, Shift 10, Alt 0.1. */
function DragLabel({
	axis,
	value,
	drag,
	drop,
}: {
	readonly axis: string;
	readonly value: number;
	readonly drag: (number: number) => void;
	/** It was let go: one change, and one step of undo. */
	readonly drop: () => void;
}) {
	const from = useRef<{ x: number; value: number; shown: number } | null>(null);
	return (
		<span
			class={`axis ${axis}`}
			aria-hidden="true"
			title="Drag to change by 1; with Shift by 10, with Alt by 0.1"
			onPointerDown={(event) => {
				event.currentTarget.setPointerCapture(event.pointerId);
				from.current = { x: event.clientX, value, shown: value };
			}}
			onPointerMove={(event) => {
				const began = from.current;
				if (began === null) return;
				const size = event.shiftKey ? 10 : event.altKey ? 0.1 : 1;
				const steps = Math.trunc((event.clientX - began.x) / 4);
				const number = Math.round((began.value + steps * size) * 1e6) / 1e6;
				if (number === began.shown) return;
				began.shown = number;
				drag(number);
			}}
			onPointerUp={() => {
				from.current = null;
				drop();
			}}
			onPointerCancel={() => {
				from.current = null;
				drop();
			}}
		>
			{axis}
		</span>
	);
}
