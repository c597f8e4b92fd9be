/**
 * A component as a form, made from what POST /entities/{id}/components declares of it; read only where what is read
 * cannot be sent back.
 * Owns: what of a read-out goes back with a changed field. Never: a field that is not declared.
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
	/** The component by its name in the read-out. */
	readonly of: string;
	/** Converts the read-out to the fields that are sent, if that takes more than the same names. */
	readonly from?: (read: Values) => Values;
	readonly closed?: boolean;
	/** Further controls of the component. */
	readonly children?: ComponentChildren;
}

export const titled = (key: string) => key.charAt(0).toUpperCase() + labelOf(key.slice(1));

/** Returns a value as it is sent: flags are read as 1 and 0 if a column holds them. */
function asSent(control: Control, value: unknown): unknown {
	return control.kind === 'flag' ? value === true || value === 1 : value;
}

/** Returns the parts of a read-out that can be sent, without those that there are not. */
export function sendable(fields: readonly FormField[], read: Values): Values {
	return Object.fromEntries(
		fields.flatMap(({ key, control }) => (read[key] == null ? [] : [[key, asSent(control, read[key])]])),
	);
}

const isRecord = (value: unknown): value is Values =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns the field that changes a component; null if its read-out cannot be sent back. */
export function editable(field: FormField | undefined, read: unknown): FormField | null {
	if (field === undefined) return null;
	const { control } = field;
	if (control.kind === 'list' || !fits(control, read)) return null;
	// A part that is read and cannot be sent would be lost with the next change.
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

/** A read-out exactly as the API answers it. */
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
