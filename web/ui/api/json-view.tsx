/**
 * JSON with coloured keys, texts and numbers.
 * Owns: the maximum length of a coloured text.
 */

import { useMemo } from 'preact/hooks';
import { jsonPieces } from './json-text.ts';

/** Maximum length of a coloured text (characters). Colouring longer texts would block the page. */
const MAX_COLOURED = 60_000;

export function JsonText({ text }: { readonly text: string }) {
	const pieces = useMemo(() => (text.length > MAX_COLOURED ? null : jsonPieces(text)), [text]);
	if (pieces === null) return <>{text}</>;
	return (
		<>
			{pieces.map(({ kind, text: part }, index) =>
				kind === 'plain' ? (
					part
				) : (
					<span key={index} class={`json-${kind}`}>
						{part}
					</span>
				),
			)}
		</>
	);
}
