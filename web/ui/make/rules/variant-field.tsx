/**
 * A field whose value has one of several forms: a choice of the form, and below it the fields of the form.
 * Owns: nested forms, and lists of forms. The declarations list the forms.
 */

import { useState } from 'preact/hooks';
import { FieldError } from '../../controls/field-error.tsx';
import { Icon } from '../../drawn/icon.tsx';
import { entityName } from '../../entities/entity.ts';
import { labelOf } from '../../forms/control.ts';
import { ControlField } from '../../forms/fields.tsx';
import { Wait } from '../../forms/settings-form.tsx';
import { useVariants } from '../../forms/use-declared.ts';
import {
	type FormVariant,
	initialForm,
	initialValue,
	type VariantControl,
	type VariantField,
	variantOf,
} from '../../forms/variants.ts';
import { usePanels } from '../../state/panels.ts';

interface FieldProps {
	/** Name for screen readers. */
	readonly name: string;
	readonly label: string;
	readonly says: string;
	readonly of: VariantControl;
	readonly value: unknown;
	readonly change: (value: unknown) => void;
	/** Removes the value; missing for a required value. */
	readonly clear?: (() => void) | undefined;
}

type Value = Readonly<Record<string, unknown>>;

const isRecord = (value: unknown): value is Value =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

/** A field with the declared definition of a name. */
export function DefinedField({
	definition,
	...field
}: Omit<FieldProps, 'of'> & { readonly definition: string }) {
	const control = useVariants(definition);
	if (control === null) return <Wait />;
	if (typeof control === 'string') return <FieldError sentence={control} />;
	return <AnyField {...field} of={control} />;
}

function AnyField(props: FieldProps) {
	const { name, label, says, of, value, change, clear } = props;
	const { entities } = usePanels();
	switch (of.kind) {
		case 'variants':
			return <Variants {...props} variants={of.variants} />;
		case 'again':
			return <DefinedField {...props} definition={of.of} />;
		case 'several':
			return <Several {...props} of={of} />;
		case 'plain': {
			const { control } = of;
			const field = (
				<ControlField
					name={name}
					label={label}
					control={control}
					value={value}
					says={says}
					commit={async (next) => {
						change(next);
						return null;
					}}
					clear={
						clear &&
						(async () => {
							clear();
							return null;
						})
					}
				/>
			);
			if (control.kind !== 'number' || control.names !== 'entity') return field;
			const entity = entities.list.value.find(({ id }) => id === value);
			return (
				<div class="entity-reference">
					{field}
					<button
						type="button"
						class="button quiet small"
						aria-pressed={entities.picking.value?.name === name}
						title="Click an entity in the picture or in the list to fill it in"
						onClick={() => entities.pick(name, change)}
					>
						<Icon name="look" small />
						{entity === undefined ? 'Pick' : entityName(entity)}
					</button>
				</div>
			);
		}
	}
}

/** The fields of a form: required fields and fields with a value, and the others behind a button. */
function FormFields({
	name,
	variant,
	value,
	change,
}: Pick<FieldProps, 'name' | 'value' | 'change'> & { readonly variant: FormVariant }) {
	const [asked, setAsked] = useState(false);
	const record = isRecord(value) ? value : {};
	const has = ({ key, required }: VariantField) => required || record[key] != null;
	const variantFields = variant.fields.filter((field) => asked || has(field));
	const more = variant.fields.length - variantFields.length;
	return (
		<div class="variant-fields">
			{variantFields.map(({ key, of, says, required, initial }) => (
				<AnyField
					key={key}
					name={`${name} ${labelOf(key)}`}
					label={labelOf(key)}
					says={says}
					of={of}
					value={record[key] ?? initial}
					change={(next) => change({ ...record, [key]: next })}
					clear={
						required
							? undefined
							: () => {
									const { [key]: _, ...rest } = record;
									change(rest);
								}
					}
				/>
			))}
			{more > 0 && (
				<button type="button" class="button quiet small" onClick={() => setAsked(true)}>
					<Icon name="plus" small />
					{more} more
				</button>
			)}
		</div>
	);
}

function Variants({
	name,
	label,
	says,
	variants,
	value,
	change,
	clear,
}: Omit<FieldProps, 'of'> & { readonly variants: readonly FormVariant[] }) {
	const variant = variantOf(variants, value);
	const index = variant === undefined ? -1 : variants.indexOf(variant);
	return (
		<div class="variant">
			<div class="field-row">
				<span class="name" title={says}>
					{label}
				</span>
				<div class="fields">
					<span class="field wide choice">
						<select
							aria-label={name}
							title={variant?.says ?? says}
							value={index}
							onChange={(event) => {
								const next = Number(event.currentTarget.value);
								if (next < 0) clear?.();
								else change(initialForm(variants[next]!, value));
							}}
						>
							{(index < 0 || clear !== undefined) && (
								<option value={-1}>
									{value == null ? 'none' : typeof value === 'string' ? value : 'other'}
								</option>
							)}
							{variants.map(({ label: word, says: meaning }, at) => (
								<option key={word} value={at} title={meaning}>
									{word}
								</option>
							))}
						</select>
					</span>
				</div>
			</div>
			{variant !== undefined && variant.fields.length > 0 && (
				<FormFields name={name} variant={variant} value={value} change={change} />
			)}
		</div>
	);
}

function Several({
	name,
	label,
	says,
	of,
	value,
	change,
}: Omit<FieldProps, 'of'> & { readonly of: Extract<VariantControl, { kind: 'several' }> }) {
	const items: readonly unknown[] = Array.isArray(value) ? value : [];
	return (
		<div class="variant-list">
			<span class="caps" title={says}>
				{label}
			</span>
			{items.map((item, index) => (
				// Items have no ids, so the index is the key.
				<div class="item" key={index}>
					<div class="grow form-lines">
						<AnyField
							name={`${name} ${index + 1}`}
							label={String(index + 1)}
							says=""
							of={of.of}
							value={item}
							change={(next) => change(items.with(index, next))}
						/>
					</div>
					<RemoveButton
						name={`${name} ${index + 1}`}
						disabled={items.length <= of.least}
						remove={() => change(items.toSpliced(index, 1))}
					/>
				</div>
			))}
			<button
				type="button"
				class="button quiet small"
				aria-label={`Add to ${name}`}
				disabled={items.length >= of.most}
				onClick={() => change([...items, items.at(-1) ?? initialValue(of.of)])}
			>
				<Icon name="plus" small />
				Add
			</button>
		</div>
	);
}

export function RemoveButton({
	name,
	disabled = false,
	remove,
}: {
	readonly name: string;
	readonly disabled?: boolean;
	readonly remove: () => void;
}) {
	return (
		<button
			type="button"
			class="button quiet square small"
			aria-label={`Remove ${name}`}
			title="Remove"
			disabled={disabled}
			onClick={remove}
		>
			<Icon name="close" small />
		</button>
	);
}
