/**
 * A button that shows only an icon.
 * Owns: its two texts: the full name for screen readers, and the hint under the pointer.
 */

import { Icon, type IconName } from '../drawn/icon.tsx';

interface IconButtonProps {
	readonly icon: IconName;
	/** Full name of the action. */
	readonly name: string;
	/** Hint, such as the key. Default: the name. */
	readonly title?: string;
	readonly small?: boolean;
	readonly disabled?: boolean;
	/** State of a button that stays pressed. */
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
