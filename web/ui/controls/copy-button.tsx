/**
 * A button that copies a text and shows whether copying succeeded.
 * Owns: the clipboard. Never: fails silently.
 */

import { useEffect, useState } from 'preact/hooks';
import { Icon } from '../drawn/icon.tsx';

const RESULT_MS = 2000;

export function CopyButton({
	text,
	name,
	label,
}: {
	readonly text: () => string;
	/** Name of the copied text, for screen readers and the tooltip. */
	readonly name: string;
	/** Words beside the icon. If they are missing, only the icon is shown. */
	readonly label?: string;
}) {
	const [result, setResult] = useState<string | null>(null);
	useEffect(() => {
		if (result === null) return;
		const timer = setTimeout(() => setResult(null), RESULT_MS);
		return () => clearTimeout(timer);
	}, [result]);
	const copy = async () => {
		try {
			await navigator.clipboard.writeText(text());
			setResult('Copied');
		} catch {
			setResult('Not allowed');
		}
	};
	return (
		<button
			type="button"
			class={`button quiet${label === undefined ? ' square' : ''}`}
			aria-label={result ?? name}
			title={result ?? name}
			onClick={() => void copy()}
		>
			<Icon name={result === 'Copied' ? 'check' : result === null ? 'copy' : 'warn'} />
			{label !== undefined && <span>{result ?? label}</span>}
		</button>
	);
}
