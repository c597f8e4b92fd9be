/**
 * A button that shows only an icon.
 * Owns: its two names: what it does in full, for readers of the page, and the hint under the pointer.
 */

import { Icon, type IconName } from '../drawn/icon.tsx';

interface IconButtonProps {
	readonly icon: IconName;
	/** Its action, in full. */
	readonly name: string;
	/** Hint, such as the key; the name unless given. */
	readonly title?: string;
	readonly small?: boolean;
	readonly disabled?: boolean;
	/** For a button that stays pressed. */
	readonly pressed?: boolean;
	readonly tabIndex?: number;
	readonly onClick: (event: MouseEvent) => void;
}

export function IconButton({ icon, name, title = name, small, pressed, ...others }: IconButtonProps) {
	return (
		<button
			type="button"
			class={`button quiet square${small === true ? ' small' : ''}`}
			aria-label={name}
			aria-pressed={pressed}
			title={title}
			{...others}
		>
			<Icon name={icon} small={small} />
		</button>
	);
}
