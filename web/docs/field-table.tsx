/**
 * Fields of a schema as a table whose rows open.
 * Owns: its layout. What is within a field is read when the field is opened: some records contain themselves.
 */

import { useState } from 'preact/hooks';
import type { JsonSchema, Schemas } from './document.ts';
import { Prose } from './prose.tsx';
import { type DocField, type FieldGroup, fieldOf, groupsOf } from './schema.ts';

interface Row extends DocField {
	/** Place of the field in a request, such as `query`. */
	readonly note?: string;
}

interface FieldTableProps {
	/** Name of the table, for screen readers. */
	readonly name: string;
	readonly fields: readonly Row[];
	readonly schemas: Schemas;
	/** They are answered, and not sent: those that may be missing are marked. */
	readonly isAnswer?: boolean;
}

export function FieldTable({ name, fields, schemas, isAnswer = false }: FieldTableProps) {
	return (
		<ul class="field-table" aria-label={name}>
			{fields.map((field) => (
				<FieldLine key={field.name} field={field} schemas={schemas} isAnswer={isAnswer} />
			))}
		</ul>
	);
}

/** All forms of a schema; what is not a record is one line. */
export function SchemaTable({
	name,
	schema,
	schemas,
	isAnswer = false,
}: {
	readonly name: string;
	readonly schema: JsonSchema;
	readonly schemas: Schemas;
	readonly isAnswer?: boolean;
}) {
	const groups = groupsOf(schema, schemas);
	if (groups.length === 0) {
		const { type, meaning } = fieldOf(name, schema, false, schemas);
		return (
			<p class="soft">
				{type === 'record' ? 'A record of any fields.' : `A value: ${type}.`} {meaning}
			</p>
		);
	}
	const [only] = groups;
	if (groups.length === 1)
		return <FieldTable name={name} fields={only!.fields} schemas={schemas} isAnswer={isAnswer} />;
	return (
		<ul class="forms" aria-label={`Forms of ${name}`}>
			{groups.map((group, at) => (
				<li key={at}>
					<Opening
						summary={
							<>
								<span class="faint">{at === 0 ? 'either' : 'or'}</span> <code>{group.label}</code>{' '}
								<span class="faint">{othersIn(group)}</span>
							</>
						}
						within={() => (
							<FieldTable name={group.label} fields={group.fields} schemas={schemas} isAnswer={isAnswer} />
						)}
					/>
				</li>
			))}
		</ul>
	);
}

/** Returns the other fields of a form that its label names by one. */
function othersIn({ label, fields }: FieldGroup): string {
	const at = label.indexOf(': ');
	if (at < 0) return '';
	return fields
		.map(({ name }) => name)
		.filter((name) => name !== label.slice(0, at))
		.join(', ');
}

function Opening({
	summary,
	within,
}: {
	readonly summary: preact.ComponentChildren;
	readonly within: () => preact.ComponentChildren;
}) {
	const [isOpen, setOpen] = useState(false);
	return (
		<details class="more" onToggle={(event) => setOpen(event.currentTarget.open)}>
			<summary>{summary}</summary>
			{isOpen && within()}
		</details>
	);
}

interface FieldLineProps extends Pick<FieldTableProps, 'schemas' | 'isAnswer'> {
	readonly field: Row;
}

function FieldLine({ field, schemas, isAnswer = false }: FieldLineProps) {
	const groups = groupsOf(field.schema, schemas);
	const count = groups.reduce((sum, { fields }) => sum + fields.length, 0);
	const within = groups.length > 1 ? `${groups.length} forms` : count === 1 ? '1 field' : `${count} fields`;
	return (
		<li class="field-line">
			<span class="field-name">
				<code>{field.name}</code>
				{field.required && !isAnswer && <b>required</b>}
				{!field.required && isAnswer && <i>optional</i>}
				{field.note !== undefined && <i>{field.note}</i>}
			</span>
			<span class="field-type">
				{field.type}
				{field.unit !== '' && <i>{field.unit}</i>}
			</span>
			<span class="field-meaning">
				{field.meaning !== '' && (
					<span>
						<Prose text={field.meaning} />
					</span>
				)}
				{(field.range !== '' || field.initial !== '') && (
					<small>
						{field.range !== '' && <Range text={field.range} />}
						{field.initial !== '' && (
							<span>
								default <code>{field.initial}</code>
							</span>
						)}
					</small>
				)}
			</span>
			{groups.length > 0 && (
				<div class="field-within">
					<Opening
						summary={within}
						within={() => (
							<SchemaTable name={field.name} schema={field.schema} schemas={schemas} isAnswer={isAnswer} />
						)}
					/>
				</div>
			)}
		</li>
	);
}

/** Characters of a range that are shown at first. */
const SHORT = 160;

function Range({ text }: { readonly text: string }) {
	const [whole, setWhole] = useState(false);
	if (text.length <= SHORT + 20 || whole) return <span>{text}</span>;
	return (
		<span>
			{text.slice(0, SHORT)}…{' '}
			<button type="button" onClick={() => setWhole(true)}>
				all
			</button>
		</span>
	);
}
