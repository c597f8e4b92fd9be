/**
 * Fields of a schema as a table whose rows open.
 * Owns: its layout. What is within a field is read when the field is opened: some records contain themselves.
 */

import { useState } from 'preact/hooks';
import type { JsonSchema, Schemas } from './document.ts';
import { type Field, fieldOf, groupsOf } from './schema.ts';

interface Row extends Field {
	/** Where it goes, such as `query`. */
	readonly note?: string;
}

interface FieldTableProps {
	/** What the fields are of, for screen readers. */
	readonly name: string;
	readonly fields: readonly Row[];
	readonly schemas: Schemas;
}

export function FieldTable({ name, fields, schemas }: FieldTableProps) {
	return (
		<ul class="field-table" aria-label={name}>
			{fields.map((field) => (
				<FieldLine key={field.name} field={field} schemas={schemas} />
			))}
		</ul>
	);
}

/** All forms of a schema; what is not a record is one line. */
export function SchemaTable({
	name,
	schema,
	schemas,
}: {
	readonly name: string;
	readonly schema: JsonSchema;
	readonly schemas: Schemas;
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
	if (groups.length === 1) return <FieldTable name={name} fields={only!.fields} schemas={schemas} />;
	return (
		<ul class="forms" aria-label={`Forms of ${name}`}>
			{groups.map((group, at) => (
				<li key={at}>
					<Opening
						summary={
							<>
								<span class="faint">{at === 0 ? 'either' : 'or'}</span> <code>{group.label}</code>
							</>
						}
						within={() => <FieldTable name={group.label} fields={group.fields} schemas={schemas} />}
					/>
				</li>
			))}
		</ul>
	);
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

function FieldLine({ field, schemas }: { readonly field: Row; readonly schemas: Schemas }) {
	const groups = groupsOf(field.schema, schemas);
	const count = groups.reduce((sum, { fields }) => sum + fields.length, 0);
	const within = groups.length > 1 ? `${groups.length} forms` : count === 1 ? '1 field' : `${count} fields`;
	return (
		<li class="field-line">
			<span class="field-name">
				<code>{field.name}</code>
				{field.required && <b>required</b>}
				{field.note !== undefined && <i>{field.note}</i>}
			</span>
			<span class="field-type">
				{field.type}
				{field.unit !== '' && <i>{field.unit}</i>}
			</span>
			<span class="field-meaning">
				{field.meaning !== '' && <span>{field.meaning}</span>}
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
						within={() => <SchemaTable name={field.name} schema={field.schema} schemas={schemas} />}
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
