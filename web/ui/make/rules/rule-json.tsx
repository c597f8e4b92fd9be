/** Editor of a rule as JSON. Owns: the text until it is applied. */

import { useState } from 'preact/hooks';
import { reasonOf } from '../../../../shared/contract/reason.ts';
import { FieldError } from '../../controls/field-error.tsx';
import { Icon } from '../../drawn/icon.tsx';
import type { Refusal } from '../../state/ask.ts';
import type { RuleDraft } from './rules-state.ts';

export function RuleJson({
	rule,
	commit,
}: {
	readonly rule: RuleDraft;
	readonly commit: (change: Partial<RuleDraft>) => Promise<Refusal | null>;
}) {
	const [text, setText] = useState(() => JSON.stringify(rule, null, 2));
	const [error, setError] = useState<string | null>(null);
	return (
		<section class="clause" aria-label="JSON">
			<textarea
				class="rule-json mono"
				aria-label="The rule as JSON"
				spellcheck={false}
				rows={18}
				value={text}
				onInput={(event) => setText(event.currentTarget.value)}
			/>
			<p class="faint">
				Conditions and actions may be short texts: <code>"timer:5"</code>, <code>"heal this 10"</code>.
			</p>
			<button
				type="button"
				class="button small"
				onClick={() => {
					try {
						const draft: unknown = JSON.parse(text);
						setError(null);
						void commit(draft as Partial<RuleDraft>);
					} catch (cause) {
						setError(`The text is not valid JSON: ${reasonOf(cause)}.`);
					}
				}}
			>
				<Icon name="check" small />
				Apply
			</button>
			{error !== null && <FieldError sentence={error} />}
		</section>
	);
}
