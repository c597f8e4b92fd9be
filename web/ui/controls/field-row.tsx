/**
 * One line of a form: the name on the left, its fields on the right.
 * Owns: their positions.
 */

import type { ComponentChildren } from 'preact';

export function FieldRow({
	name,
	says,
	children,
}: {
	readonly name: string;
	/** Meaning, for the tooltip. */
	readonly says?: string | undefined;
	readonly children: ComponentChildren;
}) {
	return (
		<div class="field-row">
			<span class="name" title={says}>
				{name}
			</span>
			<div class="fields">{children}</div>
		</div>
	);
}
