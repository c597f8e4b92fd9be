/**
 * Settings that one route reads and another changes. Each field is sent on its own when it loses the focus.
 * Owns: showing the answer in the fields. Never: shows a field that is not declared.
 */

import { FieldError } from '../controls/field-error.tsx';
import type { Refusal } from '../state/ask.ts';
import type { RouteName } from './declarations.ts';
import { Fields } from './fields.tsx';
import { useDeclared } from './use-declared.ts';
import { type ReadValues, useReading } from './use-reading.ts';
import { useSend } from './use-send.ts';

interface SettingsFormProps {
	/** Name of the settings, for screen readers. */
	readonly about: string;
	/** The path that GET reads and POST changes. */
	readonly path: `/${string}`;
	/** Converts the answer of GET to fields of POST, if their names differ. */
	readonly from?: ((read: ReadValues) => ReadValues) | undefined;
	/** Fields that are not shown, because other controls set them. */
	readonly hides?: readonly string[] | undefined;
}

export function SettingsForm({ about, path, from = (read) => read, hides = [] }: SettingsFormProps) {
	const reading = useReading(path);
	const reads = useDeclared(`GET ${path}`);
	const writes = useDeclared(`POST ${path}`);
	const send = useSend();
	const fault = [reading.refusal?.sentence, reads, writes].find((candidate) => typeof candidate === 'string');
	if (typeof fault === 'string') return <FieldError sentence={fault} />;
	if (reading.value === null || reads === null || writes === null || typeof reads === 'string')
		return <Wait />;
	if (typeof writes === 'string') return null;
	const values = from(reading.value);
	const set = async (key: string, value: unknown): Promise<Refusal | null> => {
		const route: RouteName = `POST ${path}`;
		const outcome = await send(route, { [key]: value });
		if (!outcome.ok) return outcome.refusal;
		const { ok: _, message: __, ...now } = outcome.body;
		reading.take(now);
		return null;
	};
	return (
		<Fields
			of={writes.fields.filter(({ key }) => !hides.includes(key))}
			about={about}
			values={values}
			commit={set}
			clear={(key) => set(key, null)}
			clears={(key) => reads.nullable.has(key)}
		/>
	);
}

export function Wait() {
	return <p class="faint">Loading.</p>;
}
