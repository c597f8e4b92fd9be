/**
 * JSON with its keys, texts and numbers in their colours.
 * Owns: how long a text may be and still be coloured.
 */

import { useMemo } from 'preact/hooks';
import { jsonPieces } from './json-text.ts';

/** Longer texts are shown plainly: colouring them would hold the page up. */
const LONGEST = 60_000;

export function JsonText({ text }: { readonly text: string }) {
	const pieces = useMemo(() => (text.length > LONGEST ? null : jsonPieces(text)), [text]);
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
