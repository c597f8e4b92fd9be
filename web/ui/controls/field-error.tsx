/**
 * The sentence under a field that says what is wrong and what to do instead.
 * Owns: its looks, and that it is reported at once.
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
