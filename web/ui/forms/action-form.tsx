/**
 * A call that is filled in and then made: one field for each that the route declares.
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
	/** Values that are known already and not asked for. */
	readonly given?: ReadValues | undefined;
	/** The fields that are shown at once; the others are behind "More". All when left out. */
	readonly first?: readonly string[] | undefined;
	/** Called with the answer. */
	readonly done?: ((answer: ReadValues) => void) | undefined;
}

/** Parts of the handle of an entity that follow from its id. */
export const GENERATIONS: readonly string[] = ['generation', 'entity_generation'];

/** Returns an answer in a few words: its message, or its numbers and words by name. */
function wordsOf(answer: ReadValues): string {
	if (typeof answer.message === 'string') return answer.message;
	const said = Object.entries(answer).flatMap(([key, value]) => {
		if (key === 'ok' || GENERATIONS.includes(key)) return [];
		if (typeof value === 'number') return [`${labelOf(key)} ${exactNumber(Math.round(value * 1e4) / 1e4)}`];
		if (typeof value === 'string' && value.length < 60) return [`${labelOf(key)} ${value}`];
		if (Array.isArray(value) && value.length > 0 && JSON.stringify(value).length < 200)
			return [
				`${labelOf(key)} ${value.map((part) => (typeof part === 'object' ? JSON.stringify(part) : part)).join(', ')}`,
			];
		return [];
	});
	return said.length === 0 ? 'Done.' : said.join('; ');
}

export function ActionForm({ route, label, given = {}, first, done }: ActionFormProps) {
	const declared = useDeclared(route);
	const send = useSend();
	const { entities } = usePanels();
	const [values, setValues] = useState<ReadValues>({});
	const [refusal, setRefusal] = useState<Refusal | null>(null);
	const [said, setSaid] = useState<string | null>(null);
	if (typeof declared === 'string') return <FieldError sentence={declared} />;
	if (declared === null) return <Wait />;
	const fields = declared.fields.filter(({ key }) => !(key in given) && !GENERATIONS.includes(key));
	const generation = (): ReadValues => {
		const id = values.entity_id;
		const entity = id === undefined ? undefined : entities.list.value.find((listed) => listed.id === id);
		return entity === undefined ? {} : { entity_generation: entity.generation };
	};
	const submit = async (): Promise<void> => {
		const outcome = await send(route, { ...generation(), ...values, ...given });
		setRefusal(outcome.ok ? null : outcome.refusal);
		setSaid(outcome.ok ? wordsOf(outcome.body) : null);
		if (outcome.ok) done?.(outcome.body);
	};
	const named = fields.some(({ key }) => refusal?.path?.split('.')[0] === key);
	const shown = (of: readonly FormField[]) => (
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
	const atOnce = first === undefined ? fields : fields.filter(({ key }) => first.includes(key));
	const more = fields.filter((field) => !atOnce.includes(field));
	return (
		<div class="action form-lines">
			{shown(atOnce)}
			{more.length > 0 && (
				<details class="more">
					<summary>More</summary>
					<div class="form-lines">{shown(more)}</div>
				</details>
			)}
			<button type="button" class="button" title={declared.summary} onClick={() => void submit()}>
				<Icon name="send" small />
				{label}
			</button>
			{refusal !== null && !named && <FieldError sentence={`${refusal.sentence} ${refusal.fix}`} />}
			{said !== null && (
				<p class="said" role="status">
					{said}
				</p>
			)}
		</div>
	);
}
