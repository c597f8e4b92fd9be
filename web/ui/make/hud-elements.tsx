/**
 * Elements over the picture: a section for each element, and a field for a new text. While it is open, the picture shows them.
 * Owns: changing texts, adding and removing. Never: changes an element without the API.
 */

import { useState } from 'preact/hooks';
import type { ShownElement } from '../../frames/frames.ts';
import { FieldError } from '../controls/field-error.tsx';
import { FieldRow } from '../controls/field-row.tsx';
import { askRaw, inWorld, type Refusal } from '../state/ask.ts';
import { usePanels } from '../state/panels.ts';
import { ComponentSection } from './component-section.tsx';

type Send = (method: 'POST' | 'DELETE', path: string, body?: object) => Promise<Refusal | null>;

/** A field that sends its text on Enter, and shows the refusal below. */
function Words({
	label,
	value = '',
	placeholder,
	commit,
}: {
	readonly label: string;
	readonly value?: string;
	readonly placeholder?: string;
	readonly commit: (words: string) => Promise<Refusal | null>;
}) {
	const [error, setError] = useState<string | null>(null);
	return (
		<>
			<span class="field wide">
				<input
					aria-label={label}
					placeholder={placeholder}
					defaultValue={value}
					maxLength={500}
					autocomplete="off"
					onKeyDown={(event) => {
						const input = event.currentTarget;
						if (event.key !== 'Enter' || input.value.trim() === '') return;
						void commit(input.value).then((refusal) => {
							setError(refusal && `${refusal.sentence} ${refusal.fix}`);
							if (refusal === null && value === '') input.value = '';
						});
					}}
				/>
			</span>
			{error !== null && <FieldError sentence={error} />}
		</>
	);
}

function Element({ element, send }: { readonly element: ShownElement; readonly send: Send }) {
	const { id, type } = element;
	const remove = () => send('DELETE', `/ui/${encodeURIComponent(id)}`);
	return (
		<ComponentSection name={id} summary={type} remove={remove} closed>
			{(element.type === 'text' || element.type === 'button') && (
				<FieldRow name="text">
					<Words
						key={element.template}
						label={`Text of ${id}`}
						value={element.template ?? element.text}
						commit={(text) => send('POST', '/ui/update', { id, text })}
					/>
				</FieldRow>
			)}
			{element.type === 'bar' && (
				<FieldRow name="follows">
					<span class="read-only">
						{element.follow ?? `nothing, fixed at ${Math.round(element.fill * 100)} %`}
					</span>
				</FieldRow>
			)}
			<FieldRow name="place">
				<span class="read-only">
					{element.x}, {element.y}, {element.anchor}
				</span>
			</FieldRow>
		</ComponentSection>
	);
}

export function HudElements() {
	const { services, worlds } = usePanels();
	const send: Send = async (method, path, body) => {
		const outcome = await askRaw(services, method, inWorld(path, worlds.selected.value), body);
		return outcome.ok ? null : outcome.refusal;
	};
	const elements = services.hud.value;
	return (
		<div class="hud-elements">
			{elements.map((element) => (
				<Element key={element.id} element={element} send={send} />
			))}
			<FieldRow name="new text">
				<Words
					label="New text on the HUD"
					placeholder="Score {score:team:1}, Enter"
					commit={(text) => send('POST', '/ui/text', { text })}
				/>
			</FieldRow>
		</div>
	);
}
