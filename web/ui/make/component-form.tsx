/**
 * A component as a form, from the declaration of POST /entities/{id}/components. It is read-only if the read values cannot be
 * sent back.
 * Owns: the values that are sent with a changed field. Never: sends an undeclared field.
 */

import type { ComponentChildren } from 'preact';
import { FieldError } from '../controls/field-error.tsx';
import { FieldRow } from '../controls/field-row.tsx';
import type { Entity } from '../entities/entity.ts';
import { type Control, type FormField, fits, labelOf } from '../forms/control.ts';
import { ControlField, Fields } from '../forms/fields.tsx';
import { Wait } from '../forms/settings-form.tsx';
import { useDeclared } from '../forms/use-declared.ts';
import { exactNumber } from '../numbers.ts';
import { ComponentSection } from './component-section.tsx';
import { useChange } from './use-change.ts';

type Values = Readonly<Record<string, unknown>>;

interface ComponentFormProps {
	readonly entity: Entity;
	/** Name of the component in the entity. */
	readonly of: string;
	/** Converts the read values to the sent fields, if their names differ. */
	readonly from?: (read: Values) => Values;
	readonly closed?: boolean;
	/** Further controls of the component. */
	readonly children?: ComponentChildren;
}

export const titled = (key: string) => key.charAt(0).toUpperCase() + labelOf(key.slice(1));

/** Returns a value for sending. Flags in columns are read as 1 and 0. */
function asSent(control: Control, value: unknown): unknown {
	return control.kind === 'flag' ? value === true || value === 1 : value;
}

/** Returns the read values that can be sent. */
export function sendable(fields: readonly FormField[], read: Values): Values {
	return Object.fromEntries(
		fields.flatMap(({ key, control }) => (read[key] == null ? [] : [[key, asSent(control, read[key])]])),
	);
}

const isRecord = (value: unknown): value is Values =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns the field that changes a component; null if the read value cannot be sent back. */
export function editable(field: FormField | undefined, read: unknown): FormField | null {
	if (field === undefined) return null;
	const { control } = field;
	if (control.kind === 'list' || !fits(control, read)) return null;
	// The next change would lose a part that can be read but not sent.
	if (control.kind === 'record' && isRecord(read)) {
		const knownNames = new Set(control.fields.map(({ key }) => key));
		if (Object.keys(read).some((key) => !knownNames.has(key))) return null;
	}
	return field;
}

export function ComponentForm({ entity, of, from = (read) => read, closed, children }: ComponentFormProps) {
	const change = useChange(entity);
	const read = entity[of];
	if (read === undefined) return null;
	return (
		<ComponentSection
			name={titled(of)}
			summary={isRecord(read) ? undefined : wordsOf(read)}
			remove={() => change({ remove: [of] })}
			closed={closed}
		>
			<Form entity={entity} of={of} read={isRecord(read) ? from(read) : read} />
			{children}
		</ComponentSection>
	);
}

function Form({ entity, of, read }: { entity: Entity; of: string; read: unknown }) {
	const send = useChange(entity);
	const declared = useDeclared('POST /entities/{id}/components', of);
	if (typeof declared === 'string') return <FieldError sentence={declared} />;
	if (declared === null) return <Wait />;
	const field = editable(declared.fields[0], read);
	if (field === null) return <ReadOnly read={read} />;
	const { control, says } = field;
	const change = (value: unknown) => send({ [of]: value });
	if (control.kind !== 'record' || !isRecord(read))
		return (
			<ControlField
				name={titled(of)}
				label="value"
				control={control}
				value={read}
				says={says}
				commit={change}
				clear={undefined}
			/>
		);
	const whole = sendable(control.fields, read);
	return (
		<Fields
			of={control.fields}
			about={titled(of)}
			values={whole}
			commit={(key, value) => change({ ...whole, [key]: value })}
			clear={(key) => {
				const { [key]: _, ...rest } = whole;
				return change(rest);
			}}
		/>
	);
}

function wordsOf(value: unknown): string {
	if (typeof value === 'number') return exactNumber(value);
	if (typeof value === 'string') return value;
	if (value === null) return 'none';
	return JSON.stringify(value);
}

/** The unchanged value of the API, without controls. */
export function ReadOnly({ read }: { readonly read: unknown }) {
	const rows = isRecord(read) ? Object.entries(read) : [['value', read] as const];
	return (
		<>
			{rows.map(([name, part]) => (
				<FieldRow key={name} name={labelOf(name)}>
					<span class="read-only">{wordsOf(part)}</span>
				</FieldRow>
			))}
		</>
	);
}
