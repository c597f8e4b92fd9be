/**
 * Fields of a schema as a table whose rows can be opened.
 * Owns: the layout. Inner fields are read when a field is opened, because some records contain themselves.
 */

import { useState } from 'preact/hooks';
import type { JsonSchema, Schemas } from './document.ts';
import { Prose } from './prose.tsx';
import { type DocField, type FieldGroup, fieldOf, groupsOf } from './schema.ts';

interface FieldRow extends DocField {
	/** Part of the request that has the field, such as `query`. */
	readonly note?: string;
}

interface FieldTableProps {
	/** Name of the table, for screen readers. */
	readonly name: string;
	readonly fields: readonly FieldRow[];
	readonly schemas: Schemas;
	/** True for fields of an answer. Fields that may be missing are then marked. */
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

/** Shows all forms of a schema. A value that is not a record is one line. */
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
	const [onlyGroup] = groups;
	if (groups.length === 1)
		return <FieldTable name={name} fields={onlyGroup!.fields} schemas={schemas} isAnswer={isAnswer} />;
	return (
		<ul class="forms" aria-label={`Forms of ${name}`}>
			{groups.map((group, at) => (
				<li key={at}>
					<Opening
						summary={
							<>
								<span class="faint">{at === 0 ? 'either' : 'or'}</span> <code>{group.label}</code>{' '}
								<span class="faint">{otherFieldsIn(group)}</span>
							</>
						}
						content={() => (
							<FieldTable name={group.label} fields={group.fields} schemas={schemas} isAnswer={isAnswer} />
						)}
					/>
				</li>
			))}
		</ul>
	);
}

/** Returns the fields of a form without the one in its label; an empty text for any other label. */
function otherFieldsIn({ label, fields }: FieldGroup): string {
	const separator = label.indexOf(': ');
	if (separator < 0) return '';
	return fields
		.map(({ name }) => name)
		.filter((name) => name !== label.slice(0, separator))
		.join(', ');
}

function Opening({
	summary,
	content,
}: {
	readonly summary: preact.ComponentChildren;
	readonly content: () => preact.ComponentChildren;
}) {
	const [isOpen, setOpen] = useState(false);
	return (
		<details class="more" onToggle={(event) => setOpen(event.currentTarget.open)}>
			<summary>{summary}</summary>
			{isOpen && content()}
		</details>
	);
}

interface FieldLineProps extends Pick<FieldTableProps, 'schemas' | 'isAnswer'> {
	readonly field: FieldRow;
}

function FieldLine({ field, schemas, isAnswer = false }: FieldLineProps) {
	const groups = groupsOf(field.schema, schemas);
	const count = groups.reduce((sum, { fields }) => sum + fields.length, 0);
	const innerText =
		groups.length > 1 ? `${groups.length} forms` : count === 1 ? '1 field' : `${count} fields`;
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
						summary={innerText}
						content={() => (
							<SchemaTable name={field.name} schema={field.schema} schemas={schemas} isAnswer={isAnswer} />
						)}
					/>
				</div>
			)}
		</li>
	);
}

/** Number of characters of a range that are shown first. */
const MAX_RANGE_LENGTH = 160;

function Range({ text }: { readonly text: string }) {
	const [isWhole, setWhole] = useState(false);
	if (text.length <= MAX_RANGE_LENGTH + 20 || isWhole) return <span>{text}</span>;
	return (
		<span>
			{text.slice(0, MAX_RANGE_LENGTH)}…{' '}
			<button type="button" onClick={() => setWhole(true)}>
				all
			</button>
		</span>
	);
}
