/**
 * An example as curl or TypeScript, to copy or to read.
 * Owns: the choice of the language.
 */

import { useState } from 'preact/hooks';
import type { ExampleCall } from '../../shared/contract/route.ts';
import { CopyButton } from '../ui/controls/copy-button.tsx';
import type { ApiDocument } from './document.ts';
import { curlText, type RouteSources, typescriptText } from './snippets.ts';
import { useRouteSources } from './use-recorded.ts';

interface CodeProps {
	/** Address to which other programs send their calls. */
	readonly address: string;
	readonly api: ApiDocument;
	/** Returns the calls in their edited form. */
	readonly calls: () => readonly ExampleCall[];
}

const LANGUAGES = ['curl', 'TypeScript'] as const;
type CodeLanguage = (typeof LANGUAGES)[number];

export function Code({ address, api, calls }: CodeProps) {
	const [shownLanguage, setShownLanguage] = useState<CodeLanguage | null>(null);
	const sources = useRouteSources();
	const textIn = (language: CodeLanguage): string =>
		language === 'curl'
			? curlText(address, calls())
			: typescriptText(address, calls(), api, sources ?? ({} as RouteSources));
	return (
		<>
			<fieldset class="segmented" aria-label="As code">
				{LANGUAGES.map((language) => (
					<button
						key={language}
						type="button"
						aria-pressed={shownLanguage === language}
						onClick={() => setShownLanguage(shownLanguage === language ? null : language)}
					>
						{language}
					</button>
				))}
			</fieldset>
			{shownLanguage !== null && (
				<div class="snippet">
					<CopyButton text={() => textIn(shownLanguage)} name={`Copy as ${shownLanguage}`} label="Copy" />
					<pre>{textIn(shownLanguage)}</pre>
				</div>
			)}
		</>
	);
}
