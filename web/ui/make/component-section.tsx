/**
 * A section of the inspector: a component's name, a summary, and its fields when open.
 * Owns: opening, closing, which lasts as long as the page, and taking the component away.
 */

import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { FieldError } from '../controls/field-error.tsx';
import { IconButton } from '../controls/icon-button.tsx';
import { Icon } from '../drawn/icon.tsx';
import type { Refusal } from '../state/ask.ts';

/** Sections that a person has opened or closed, by their names: the next entity shows them so, too. */
const opened = new Map<string, boolean>();

interface ComponentSectionProps {
	readonly name: string;
	readonly summary?: ComponentChildren;
	readonly closed?: boolean | undefined;
	/** Takes the component away; no button when left out. */
	readonly remove?: () => Promise<Refusal | null>;
	readonly children: ComponentChildren;
}

export function ComponentSection({ name, summary, closed, remove, children }: ComponentSectionProps) {
	const [open, setOpen] = useState(opened.get(name) ?? !closed);
	const [error, setError] = useState<string | null>(null);
	return (
		<details
			class="section"
			open={open}
			onToggle={(event) => {
				opened.set(name, event.currentTarget.open);
				setOpen(event.currentTarget.open);
			}}
		>
			<summary class="row">
				<Icon name="right" small />
				<h3>{name}</h3>
				<em class="cut">{summary}</em>
			</summary>
			{remove && (
				<IconButton
					icon="close"
					small
					name={`Remove ${name.toLowerCase()}`}
					onClick={() =>
						void remove().then((refusal) => setError(refusal && `${refusal.sentence} ${refusal.fix}`))
					}
				/>
			)}
			<div class="form">
				{open && children}
				{error !== null && <FieldError sentence={error} />}
			</div>
		</details>
	);
}
