/**
 * A form that sends one call, with one field for each field of the route's body.
 * Owns: the values until they are sent, and the message about the answer.
 */

import { useState } from 'preact/hooks';
import { FieldError } from '../controls/field-error.tsx';
import { Icon } from '../drawn/icon.tsx';
import { exactNumber } from '../numbers.ts';
import type { Refusal } from '../state/ask.ts';
import { usePanels } from '../state/panels.ts';
import { type FormField, labelOf } from './control.ts';
import type { RouteName } from './declarations.ts';
import { Fields } from './fields.tsx';
import { Wait } from './settings-form.tsx';
import { useDeclared } from './use-declared.ts';
import type { ReadValues } from './use-reading.ts';
import { useSend } from './use-send.ts';

interface ActionFormProps {
	readonly route: RouteName;
	/** Label of the button. */
	readonly label: string;
	/** Fixed values, which get no field. */
	readonly fixedValues?: ReadValues | undefined;
	/** Fields that are always visible; the others are behind "More". If it is missing, all are visible. */
	readonly firstFields?: readonly string[] | undefined;
	/** Called with the answer. */
	readonly done?: ((answer: ReadValues) => void) | undefined;
}

/** Fields that are filled in from the entity's id. */
export const GENERATIONS: readonly string[] = ['generation', 'entity_generation'];

/** Summarizes an answer: its message, or its numbers and short texts by name. */
function wordsOf(answer: ReadValues): string {
	if (typeof answer.message === 'string') return answer.message;
	const parts = Object.entries(answer).flatMap(([key, value]) => {
		if (key === 'ok' || GENERATIONS.includes(key)) return [];
		if (typeof value === 'number') return [`${labelOf(key)} ${exactNumber(Math.round(value * 1e4) / 1e4)}`];
		if (typeof value === 'string' && value.length < 60) return [`${labelOf(key)} ${value}`];
		if (Array.isArray(value) && value.length > 0 && JSON.stringify(value).length < 200)
			return [
				`${labelOf(key)} ${value.map((part) => (typeof part === 'object' ? JSON.stringify(part) : part)).join(', ')}`,
			];
		return [];
	});
	return parts.length === 0 ? 'Done.' : parts.join('; ');
}

export function ActionForm({ route, label, fixedValues = {}, firstFields, done }: ActionFormProps) {
	const form = useDeclared(route);
	const send = useSend();
	const { entities } = usePanels();
	const [values, setValues] = useState<ReadValues>({});
	const [refusal, setRefusal] = useState<Refusal | null>(null);
	const [result, setResult] = useState<string | null>(null);
	if (typeof form === 'string') return <FieldError sentence={form} />;
	if (form === null) return <Wait />;
	const fields = form.fields.filter(({ key }) => !(key in fixedValues) && !GENERATIONS.includes(key));
	const generation = (): ReadValues => {
		const id = values.entity_id;
		const entity = id === undefined ? undefined : entities.list.value.find((listed) => listed.id === id);
		return entity === undefined ? {} : { entity_generation: entity.generation };
	};
	const submit = async (): Promise<void> => {
		const outcome = await send(route, { ...generation(), ...values, ...fixedValues });
		setRefusal(outcome.ok ? null : outcome.refusal);
		setResult(outcome.ok ? wordsOf(outcome.body) : null);
		if (outcome.ok) done?.(outcome.body);
	};
	const isRefusedFieldShown = fields.some(({ key }) => refusal?.path?.split('.')[0] === key);
	const renderFields = (of: readonly FormField[]) => (
		<Fields
			of={of}
			about={label}
			values={values}
			refusal={refusal}
			commit={async (key, value) => {
				setValues((old) => ({ ...old, [key]: value }));
				return null;
			}}
			clear={async (key) => {
				setValues(({ [key]: _, ...rest }) => rest);
				return null;
			}}
		/>
	);
	const visible = firstFields === undefined ? fields : fields.filter(({ key }) => firstFields.includes(key));
	const more = fields.filter((field) => !visible.includes(field));
	return (
		<div class="action form-lines">
			{renderFields(visible)}
			{more.length > 0 && (
				<details class="more">
					<summary>More</summary>
					<div class="form-lines">{renderFields(more)}</div>
				</details>
			)}
			<button type="button" class="button" title={form.summary} onClick={() => void submit()}>
				<Icon name="send" small />
				{label}
			</button>
			{refusal !== null && !isRefusedFieldShown && (
				<FieldError sentence={`${refusal.sentence} ${refusal.fix}`} />
			)}
			{result !== null && (
				<p class="said" role="status">
					{result}
				</p>
			)}
		</div>
	);
}
