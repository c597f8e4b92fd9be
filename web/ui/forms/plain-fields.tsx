/**
 * The fields of simple values: a number, a word, a text, a colour.
 * Owns: converting the typed text to the sent value. Never: sends a text that cannot be read.
 */

import { useState } from 'preact/hooks';
import { reasonOf } from '../../../shared/contract/reason.ts';
import { Choice } from '../controls/choice.tsx';
import { FieldError } from '../controls/field-error.tsx';
import { FieldRow } from '../controls/field-row.tsx';
import { NumberField } from '../controls/number-field.tsx';
import { TextField } from '../controls/text-field.tsx';
import { cssColor, NAMED_COLORS } from '../entities/entity.ts';
import { readNumber } from '../numbers.ts';
import type { Refusal } from '../state/ask.ts';
import { hexOf, partsOf, readParts } from './colour.ts';
import { type Control, labelOf } from './control.ts';
import { useProposals } from './proposals.ts';

export interface ControlFieldProps<K extends Control = Control> {
	/** Name for screen readers: the label with the name of its record. */
	readonly name: string;
	readonly label: string;
	readonly control: K;
	/** Undefined or null if there is no value. */
	readonly value: unknown;
	readonly says: string;
	/** Sends a new value. Resolves to null if the call succeeded. */
	readonly commit: (value: unknown) => Promise<Refusal | null>;
	/** Removes the value. If it is undefined, the value is required. */
	readonly clear: (() => Promise<Refusal | null>) | undefined;
}

export type Props<Kind extends Control['kind']> = ControlFieldProps<Extract<Control, { kind: Kind }>>;

const invalidInput = (sentence: string): Refusal => ({ sentence, fix: 'Nothing was sent.' });
const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value);

export function PlainNumber({ name, label, control, value, says, commit, clear }: Props<'number'>) {
	const { min, max, unit, whole } = control;
	return (
		<FieldRow name={label} says={says}>
			<NumberField
				name={name}
				value={typeof value === 'number' ? value : null}
				min={min}
				max={max}
				unit={unit}
				whole={whole}
				says={says}
				placeholder="none"
				commit={commit}
				clear={clear}
			/>
		</FieldRow>
	);
}

export function EntityField({ value, commit, clear, ...rest }: Props<'number'>) {
	const { proposals = [], read } = useProposals('entity');
	return (
		<TextField
			{...rest}
			value={typeof value === 'number' ? String(value) : ''}
			placeholder="id or name"
			proposals={proposals}
			onFocus={read}
			commit={async (text) => {
				if (text === '' && clear !== undefined) return clear();
				const id = readNumber(text) ?? readNumber(proposals.find(([, name]) => name === text)?.[0] ?? '');
				return id === null
					? invalidInput(`No entity has the id or the name "${text}". Enter one of the list.`)
					: commit(id);
			}}
		/>
	);
}

export function Word({ control, value, ...rest }: Props<'word'>) {
	const text = typeof value === 'string' ? value.toLowerCase() : '';
	const known = control.words.find((word) => word.toLowerCase() === text);
	return (
		<Choice {...rest} value={known ?? text} options={control.words.map((word) => [word, labelOf(word)])} />
	);
}

export function Text({ control, value, commit, clear, ...rest }: Props<'text'>) {
	const { proposals, read } = useProposals(control.names);
	const known = control.examples.map((example) => [example, ''] as const);
	return (
		<TextField
			{...rest}
			value={value == null ? '' : String(value)}
			maxLength={control.maxLength}
			placeholder="none"
			proposals={known.length > 0 ? known : proposals}
			onFocus={read}
			commit={(text) => {
				if (text === '' && clear !== undefined) return clear();
				return commit(control.orNumber && /^\d+$/.test(text) ? Number(text) : text);
			}}
		/>
	);
}

/** The browser's colour picker, as a swatch before the field. */
function Swatch({
	name,
	hex,
	pick,
}: {
	readonly name: string;
	readonly hex: string | null;
	readonly pick: (hex: string) => void;
}) {
	return (
		<input
			type="color"
			class={`colour-swatch${hex === null ? ' unset' : ''}`}
			aria-label={`${name}, picker`}
			title="Choose a colour"
			value={hex ?? '#ffffff'}
			onChange={(event) => pick(event.currentTarget.value)}
		/>
	);
}

export function Colour({ control, value, commit, clear, ...rest }: Props<'colour'>) {
	const { parts: size, linear } = control;
	const parts = isList(value) ? value.map(Number) : null;
	const [refused, setRefused] = useState<Refusal | null>(null);
	return (
		<>
			<TextField
				{...rest}
				value={parts?.map((part) => Math.round(part * 1e4) / 1e4).join(', ') ?? ''}
				placeholder="none"
				before={
					<Swatch
						name={rest.name}
						hex={parts && hexOf(parts, linear)}
						pick={(hex) => {
							const alpha = size === 4 ? [parts?.[3] ?? 1] : [];
							void commit([...partsOf(hex, linear), ...alpha]).then(setRefused);
						}}
					/>
				}
				commit={async (text) => {
					setRefused(null);
					if (text === '' && clear !== undefined) return clear();
					const read = readParts(text, size);
					return read === null
						? invalidInput(`Enter ${size} numbers: red, green, blue${size === 4 ? ', alpha' : ''}.`)
						: commit(read);
				}}
			/>
			{refused !== null && <FieldError sentence={`${refused.sentence} ${refused.fix}`} />}
		</>
	);
}

export function NamedColour({ value, commit, clear, ...rest }: Props<'colour-text'>) {
	const colour = typeof value === 'string' ? value : '';
	const parts = colour in NAMED_COLORS ? NAMED_COLORS[colour]!.map((byte) => byte / 255) : null;
	const shares = parts ?? readParts(colour, 3);
	const [refused, setRefused] = useState<Refusal | null>(null);
	return (
		<>
			<TextField
				{...rest}
				value={colour}
				placeholder="none"
				proposals={Object.keys(NAMED_COLORS).map((name) => [name, ''] as const)}
				before={
					<Swatch
						name={rest.name}
						hex={shares && hexOf(shares, false)}
						pick={(hex) => void commit(partsOf(hex, false).join(',')).then(setRefused)}
					/>
				}
				commit={async (text) => {
					setRefused(null);
					if (text === '' && clear !== undefined) return clear();
					// The engine would silently use white for an unknown colour.
					return cssColor(text) === 'transparent'
						? invalidInput(`"${text}" is not a colour. Enter a name, or r,g,b with values from 0 to 1.`)
						: commit(text);
				}}
			/>
			{refused !== null && <FieldError sentence={`${refused.sentence} ${refused.fix}`} />}
		</>
	);
}

export function Json({ value, commit, clear, ...rest }: Props<'json'>) {
	return (
		<TextField
			{...rest}
			value={value === undefined ? '' : JSON.stringify(value)}
			placeholder="as JSON"
			commit={async (text) => {
				if (text === '' && clear !== undefined) return clear();
				let read: unknown;
				try {
					read = JSON.parse(text);
				} catch (error) {
					return invalidInput(`The text is not JSON: ${reasonOf(error)}.`);
				}
				return commit(read);
			}}
		/>
	);
}
