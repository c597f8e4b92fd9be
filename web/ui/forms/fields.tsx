/**
 * The fields of a declared record, in the order of the declaration, each with the control of its kind.
 * Owns: their layout, and that of nested records and lists. Never: sends a value itself.
 */

import { FieldError } from '../controls/field-error.tsx';
import { IconButton } from '../controls/icon-button.tsx';
import { SwitchField } from '../controls/switch-field.tsx';
import { VectorField } from '../controls/vector-field.tsx';
import { Icon } from '../drawn/icon.tsx';
import type { Refusal } from '../state/ask.ts';
import { type FormField, firstValue, labelOf } from './control.ts';
import {
	Colour,
	type ControlFieldProps,
	EntityField,
	Json,
	NamedColour,
	PlainNumber,
	type Props,
	Text,
	Word,
} from './plain-fields.tsx';

interface FieldsProps {
	readonly of: readonly FormField[];
	/** Name of the record, for screen readers. */
	readonly about: string;
	readonly values: Readonly<Record<string, unknown>>;
	readonly commit: (key: string, value: unknown) => Promise<Refusal | null>;
	/** Removes a field. Required fields, and fields for which `clears` returns false, cannot be removed. */
	readonly clear?: (key: string) => Promise<Refusal | null>;
	readonly clears?: (key: string) => boolean;
	/** Refusal of the whole record. It is shown under the field that it names. */
	readonly refusal?: Refusal | null;
}

export function Fields({ of, about, values, commit, clear, clears = () => true, refusal }: FieldsProps) {
	return (
		<>
			{of.map(({ key, control, says, required, initial }) => (
				<div class="form-lines" key={key}>
					<ControlField
						name={`${about} ${labelOf(key)}`}
						label={labelOf(key)}
						control={control}
						value={key in values ? values[key] : initial}
						says={says}
						commit={(value) => commit(key, value)}
						clear={required || !clears(key) || clear === undefined ? undefined : () => clear(key)}
					/>
					{refusal?.path?.split('.')[0] === key && (
						<FieldError sentence={`${refusal.sentence} ${refusal.fix}`} />
					)}
				</div>
			))}
		</>
	);
}

const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value);

export function ControlField(props: ControlFieldProps) {
	const { control } = props;
	switch (control.kind) {
		case 'number':
			return control.names === 'entity' ? (
				<EntityField {...props} control={control} />
			) : (
				<PlainNumber {...props} control={control} />
			);
		case 'flag':
			return <SwitchField {...props} value={props.value === true || props.value === 1} />;
		case 'word':
			return <Word {...props} control={control} />;
		case 'numbers':
			return (
				<VectorField
					{...props}
					{...control}
					value={isList(props.value) ? (props.value as readonly number[]) : null}
				/>
			);
		case 'colour':
			return <Colour {...props} control={control} />;
		case 'colour-text':
			return <NamedColour {...props} control={control} />;
		case 'text':
			return <Text {...props} control={control} />;
		case 'record':
			return <Nested {...props} control={control} />;
		case 'list':
			return <List {...props} control={control} />;
		case 'json':
			return <Json {...props} control={control} />;
	}
}

function Nested({ name, label, control, value, commit, clear }: Props<'record'>) {
	const record = typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null;
	return (
		<fieldset class="nested">
			<legend>
				{label}
				{record === null ? (
					<button type="button" class="button small" onClick={() => void commit(firstValue(control))}>
						<Icon name="plus" small />
						Set
					</button>
				) : (
					clear && (
						<IconButton
							icon="close"
							small
							name={`Unset ${name}`}
							title="Unset"
							onClick={() => void clear()}
						/>
					)
				)}
			</legend>
			{record !== null && (
				<Fields
					of={control.fields}
					about={name}
					values={record}
					commit={(key, next) => commit({ ...record, [key]: next })}
					clear={(key) => {
						const { [key]: _, ...rest } = record;
						return commit(rest);
					}}
				/>
			)}
		</fieldset>
	);
}

function List({ name, label, control, value, commit }: Props<'list'>) {
	const items = isList(value) ? value : [];
	const replaceItem = (index: number, ...replacement: readonly unknown[]) =>
		items.toSpliced(index, 1, ...replacement);
	return (
		<fieldset class="nested">
			<legend>
				{label}
				<span class="faint">{items.length}</span>
			</legend>
			{items.map((item, index) => (
				// List items have no identity except their index.
				<div class="item" key={index}>
					<div class="grow form-lines">
						<ControlField
							name={`${name} ${index + 1}`}
							label={String(index + 1)}
							control={control.of}
							value={item}
							says=""
							commit={(next) => commit(replaceItem(index, next))}
							clear={undefined}
						/>
					</div>
					<IconButton
						icon="close"
						small
						name={`Remove ${name} ${index + 1}`}
						title="Remove"
						disabled={items.length <= control.minItems}
						onClick={() => void commit(replaceItem(index))}
					/>
				</div>
			))}
			<button
				type="button"
				class="button small"
				disabled={items.length >= control.maxItems}
				aria-label={`Add to ${name}`}
				onClick={() => void commit([...items, items.at(-1) ?? firstValue(control.of)])}
			>
				<Icon name="plus" small />
				Add
			</button>
		</fieldset>
	);
}
