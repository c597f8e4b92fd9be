/**
 * An example as curl or TypeScript, to copy or to read.
 * Owns: which of the two is shown.
 */

import { useState } from 'preact/hooks';
import type { ExampleCall } from '../../shared/contract/route.ts';
import { CopyButton } from '../ui/controls/copy-button.tsx';
import type { ApiDocument } from './document.ts';
import { curlText, type RouteSources, typescriptText } from './snippets.ts';
import { useDeclared } from './use-recorded.ts';

interface CodeProps {
	readonly address: string;
	readonly api: ApiDocument;
	/** Returns the calls as they are edited now. */
	readonly calls: () => readonly ExampleCall[];
}

const LANGUAGES = ['curl', 'TypeScript'] as const;
type CodeLanguage = (typeof LANGUAGES)[number];

export function Code({ address, api, calls }: CodeProps) {
	const [shown, setShown] = useState<CodeLanguage | null>(null);
	const declared = useDeclared();
	const textIn = (language: CodeLanguage): string =>
		language === 'curl'
			? curlText(address, calls())
			: typescriptText(address, calls(), api, declared ?? ({} as RouteSources));
	return (
		<>
			<fieldset class="segmented" aria-label="As code">
				{LANGUAGES.map((language) => (
					<button
						key={language}
						type="button"
						aria-pressed={shown === language}
						onClick={() => setShown(shown === language ? null : language)}
					>
						{language}
					</button>
				))}
			</fieldset>
			{shown !== null && (
				<div class="snippet">
					<CopyButton text={() => textIn(shown)} name={`Copy as ${shown}`} label="Copy" />
					<pre>{textIn(shown)}</pre>
				</div>
			)}
		</>
	);
}
