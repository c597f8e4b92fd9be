/**
 * Components without a section of their own: shown exactly as the API reads them out, to be read only.
 * Owns: the words for values of any kind. Never: rounds one.
 */

import { FieldRow } from '../controls/field-row.tsx';
import type { Entity } from '../entities/entity.ts';
import { exactNumber } from '../numbers.ts';
import { ComponentSection } from './component-section.tsx';

function words(value: unknown): string {
	if (typeof value === 'number') return exactNumber(value);
	if (typeof value === 'string') return value;
	if (value === null) return 'none';
	return JSON.stringify(value);
}

const titled = (key: string) => key.charAt(0).toUpperCase() + key.slice(1).replaceAll('_', ' ');

export function OtherSections({
	entity,
	keys,
}: {
	readonly entity: Entity;
	readonly keys: readonly string[];
}) {
	return (
		<>
			{keys.map((key) => {
				const value = entity[key];
				const record = typeof value === 'object' && value !== null && !Array.isArray(value);
				const rows = record ? Object.entries(value) : [['value', value] as const];
				return (
					<ComponentSection key={key} name={titled(key)} summary={record ? 'read only' : words(value)} closed>
						{rows.map(([name, part]) => (
							<FieldRow key={name} name={name.replaceAll('_', ' ')}>
								<span class="read-only">{words(part)}</span>
							</FieldRow>
						))}
					</ComponentSection>
				);
			})}
		</>
	);
}
