/**
 * The error of a field, with its fix, in a line under the field.
 * Owns: its look. Screen readers read it immediately.
 */

import { Icon } from '../drawn/icon.tsx';

export function FieldError({ sentence }: { readonly sentence: string }) {
	return (
		<span class="field-error" role="alert">
			<Icon name="warn" small />
			<span>{sentence}</span>
		</span>
	);
}
