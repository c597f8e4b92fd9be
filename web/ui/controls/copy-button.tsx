/**
 * A button that copies a text and says whether it did.
 * Owns: the clipboard. Never: fails silently.
 */

import { useEffect, useState } from 'preact/hooks';
import { Icon } from '../drawn/icon.tsx';

const SAID_MS = 2000;

export function CopyButton({
	text,
	name,
	label,
}: {
	readonly text: () => string;
	/** Name of the copied text, for screen readers and the tooltip. */
	readonly name: string;
	/** Words beside the icon; none for the icon alone. */
	readonly label?: string;
}) {
	const [said, setSaid] = useState<string | null>(null);
	useEffect(() => {
		if (said === null) return;
		const timer = setTimeout(() => setSaid(null), SAID_MS);
		return () => clearTimeout(timer);
	}, [said]);
	const copy = async () => {
		try {
			await navigator.clipboard.writeText(text());
			setSaid('Copied');
		} catch {
			setSaid('Not allowed');
		}
	};
	return (
		<button
			type="button"
			class={`button quiet${label === undefined ? ' square' : ''}`}
			aria-label={said ?? name}
			title={said ?? name}
			onClick={() => void copy()}
		>
			<Icon name={said === 'Copied' ? 'check' : said === null ? 'copy' : 'warn'} />
			{label !== undefined && <span>{said ?? label}</span>}
		</button>
	);
}
