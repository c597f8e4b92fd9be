/**
 * A section of the inspector: the name of a component, a summary, and its fields if it is open.
 * Owns: opening and closing, which the page remembers, and removing the component.
 */

import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { FieldError } from '../controls/field-error.tsx';
import { IconButton } from '../controls/icon-button.tsx';
import { Icon } from '../drawn/icon.tsx';
import type { Refusal } from '../state/ask.ts';

/** State of opened and closed sections by name, which also applies to the next entity. */
const opened = new Map<string, boolean>();

interface ComponentSectionProps {
	readonly name: string;
	readonly summary?: ComponentChildren;
	readonly closed?: boolean | undefined;
	/** Removes the component. Without it, there is no button. */
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
