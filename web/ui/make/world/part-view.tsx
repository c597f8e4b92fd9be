/**
 * A part of a section about the world, drawn by its kind.
 * Owns: the looks of each kind. `sections.ts` lists the routes.
 */

import { useState } from 'preact/hooks';
import { FieldError } from '../../controls/field-error.tsx';
import { FieldRow } from '../../controls/field-row.tsx';
import { IconButton } from '../../controls/icon-button.tsx';
import { ActionForm } from '../../forms/action-form.tsx';
import type { RouteName } from '../../forms/declarations.ts';
import { Fields } from '../../forms/fields.tsx';
import { SettingsForm, Wait } from '../../forms/settings-form.tsx';
import { useDeclared } from '../../forms/use-declared.ts';
import { type ReadValues, useReading } from '../../forms/use-reading.ts';
import { useSend } from '../../forms/use-send.ts';
import type { Refusal } from '../../state/ask.ts';
import { usePanels } from '../../state/panels.ts';
import { HudElements } from '../hud-elements.tsx';
import { ModelsFromWords } from '../models-from-words.tsx';
import type { Part } from './part.ts';

type Of<Kind extends Part['kind']> = Extract<Part, { kind: Kind }>;

export function PartView({ part, about }: { readonly part: Part; readonly about: string }) {
	switch (part.kind) {
		case 'settings':
			return <SettingsForm about={about} path={part.path} from={part.from} hides={part.hides} />;
		case 'choices':
			return <Choices {...part} />;
		case 'each':
			return <Each {...part} />;
		case 'words':
			return <Words {...part} />;
		case 'press':
			return <Press {...part} />;
		case 'form':
			return (
				<details class="more">
					<summary>{part.label}</summary>
					<ActionForm route={part.route} label={part.label} firstFields={part.first} />
				</details>
			);
		case 'rows':
			return <Rows {...part} />;
		case 'hud':
			return <HudElements />;
		case 'models':
			return <ModelsFromWords />;
	}
}

/** Returns the rows of a list in an answer; null before the first read. */
function useRows(
	path: string,
	list: string,
): { rows: readonly ReadValues[] | null; refusal: Refusal | null } {
	const { value, refusal } = useReading(path);
	const rows = value?.[list];
	return { rows: Array.isArray(rows) ? (rows as readonly ReadValues[]) : null, refusal };
}

/** Returns the refusal of the last call, and a function that makes a call. */
export function usePress(): readonly [
	refusal: Refusal | null,
	call: (route: RouteName, body?: ReadValues) => void,
] {
	const send = useSend();
	const [refusal, setRefusal] = useState<Refusal | null>(null);
	return [
		refusal,
		(route, body) =>
			void send(route, body).then((outcome) => setRefusal(outcome.ok ? null : outcome.refusal)),
	];
}

function Choices({ path, label, choices }: Of<'choices'>) {
	const { value, refusal, take } = useReading(path);
	const send = useSend();
	const [refused, setRefused] = useState<Refusal | null>(null);
	if (refusal !== null) return <FieldError sentence={refusal.sentence} />;
	if (value === null) return <Wait />;
	return (
		<FieldRow name={label}>
			<div class="chips">
				{choices.map(([name, says, settings]) => (
					<button
						key={name}
						type="button"
						class="chip"
						title={says}
						aria-pressed={Object.entries(settings).every(([key, setting]) => value[key] === setting)}
						onClick={async () => {
							const outcome = await send(`POST ${path}`, settings);
							setRefused(outcome.ok ? null : outcome.refusal);
							if (outcome.ok) take(settings);
						}}
					>
						{name}
					</button>
				))}
			</div>
			{refused !== null && <FieldError sentence={`${refused.sentence} ${refused.fix}`} />}
		</FieldRow>
	);
}

function Each({ path, list, by }: Of<'each'>) {
	const { rows, refusal } = useRows(path, list);
	const declared = useDeclared(`POST ${path}`);
	const send = useSend();
	if (refusal !== null) return <FieldError sentence={refusal.sentence} />;
	if (typeof declared === 'string') return <FieldError sentence={declared} />;
	if (rows === null || declared === null) return <Wait />;
	return (
		<>
			{rows.map((row) => (
				<fieldset class="nested each" key={String(row[by])}>
					<legend>{String(row[by])}</legend>
					<Fields
						of={declared.fields.filter(({ key }) => key !== by)}
						about={String(row[by])}
						values={row}
						commit={async (key, value) => {
							const outcome = await send(`POST ${path}`, { [by]: row[by], [key]: value });
							return outcome.ok ? null : outcome.refusal;
						}}
					/>
				</fieldset>
			))}
		</>
	);
}

export function Words({ route, field, label, given }: Of<'words'> & { readonly given?: ReadValues }) {
	const declared = useDeclared(route);
	const [refusal, call] = usePress();
	if (declared === null) return <Wait />;
	if (typeof declared === 'string') return <FieldError sentence={declared} />;
	const control = declared.fields.find(({ key }) => key === field)?.control;
	const all = control?.kind === 'word' ? control.words : [];
	// Omits words that are short forms of another word.
	const words = all.filter((word) => !all.some((other) => other !== word && other.startsWith(word)));
	return (
		<FieldRow name={label} says={declared.summary}>
			<div class="chips">
				{words.map((word) => (
					<button
						key={word}
						type="button"
						class="chip"
						aria-label={`${label} ${word}`}
						onClick={() => call(route, { ...given, [field]: word })}
					>
						{word}
					</button>
				))}
			</div>
			{refusal !== null && <FieldError sentence={`${refusal.sentence} ${refusal.fix}`} />}
		</FieldRow>
	);
}

export function Press({ route, label, given }: Of<'press'> & { readonly given?: ReadValues }) {
	const [refusal, call] = usePress();
	return (
		<>
			<button type="button" class="button small" onClick={() => call(route, given ?? {})}>
				{label}
			</button>
			{refusal !== null && <FieldError sentence={`${refusal.sentence} ${refusal.fix}`} />}
		</>
	);
}

function Rows({ path, list, none, words, end }: Of<'rows'>) {
	const { rows, refusal } = useRows(path, list);
	const { entities } = usePanels();
	const [refused, call] = usePress();
	if (refusal !== null) return <FieldError sentence={refusal.sentence} />;
	if (rows === null) return <Wait />;
	if (rows.length === 0) return <p class="faint">{none}</p>;
	return (
		<>
			<ul class="rows">
				{rows.map((row, index) => {
					const [name, about] = words(row);
					const id = row.entity_id;
					return (
						// Rows of some lists have no ids, so the index is the key.
						<li key={index}>
							{typeof id === 'number' ? (
								<button
									type="button"
									class="cut"
									title="Select the entity"
									onClick={() => entities.select(id)}
								>
									{name}
								</button>
							) : (
								<span class="cut">{name}</span>
							)}
							<em class="cut">{about}</em>
							{end !== undefined && (
								<IconButton
									icon="close"
									small
									name={`${end.verb} ${name}`}
									title={`${end.verb} it`}
									onClick={() => call(...end.call(row))}
								/>
							)}
						</li>
					);
				})}
			</ul>
			{refused !== null && <FieldError sentence={`${refused.sentence} ${refused.fix}`} />}
		</>
	);
}
