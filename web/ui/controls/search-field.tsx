/**
 * The field that searches a list. The key `/` moves the focus to it.
 * Owns: its look.
 */

import { Icon } from '../drawn/icon.tsx';

interface SearchFieldProps {
	/** Subject of the search, such as `calls`. */
	readonly of: string;
	readonly placeholder: string;
	readonly value: string;
	readonly change: (text: string) => void;
	/** True if there is room for the hint `/`. */
	readonly hint?: boolean;
	/** Called on Enter. */
	readonly enter?: () => void;
}

export function SearchField({ of, placeholder, value, change, hint, enter }: SearchFieldProps) {
	return (
		<span class="field">
			<Icon name="search" small />
			<input
				data-search
				type="search"
				placeholder={placeholder}
				aria-label={`Search ${of}`}
				value={value}
				onInput={(event) => change(event.currentTarget.value)}
				onKeyDown={(event) => {
					if (event.key === 'Escape' && value !== '') {
						change('');
						event.stopPropagation();
					} else if (event.key === 'Enter') enter?.();
				}}
			/>
			{hint && <kbd>/</kbd>}
		</span>
	);
}
