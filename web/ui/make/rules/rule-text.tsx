/**
 * The text of a rule: read, changed and applied as a whole.
 * Owns: the text until it is applied, and showing the place of a fault. The language is in shared/rules/rule-text.ts.
 */

import { useRef, useState } from 'preact/hooks';
import { catchRefusal } from '../../../../shared/contract/errors.ts';
import {
	positionOf,
	RULE_LINES,
	RULE_WORDS,
	RuleTextFault,
	readRuleText,
	type TextRule,
	writeRuleText,
} from '../../../../shared/rules/rule-text.ts';
import { FieldError } from '../../controls/field-error.tsx';
import { Icon } from '../../drawn/icon.tsx';
import type { Refusal } from '../../state/ask.ts';
import type { RuleDraft } from './rules-state.ts';

interface Fault {
	readonly sentence: string;
	readonly start: number;
	readonly end: number;
}

/** Returns the fault without the list of known forms, which is below the text. */
const faultOf = ({ message, fix = '', start, end, line }: RuleTextFault): Fault => ({
	sentence: `Line ${line}: ${message.replace(/[;,]? known: .*$/s, '').replace(/[.?]*$/, '.')} ${fix}`.trim(),
	start,
	end,
});

/** Number of empty lines below the text, for adding lines. */
const ROWS_MORE = 2;

export function RuleText({
	rule,
	commit,
}: {
	readonly rule: RuleDraft;
	readonly commit: (change: Partial<RuleDraft>) => Promise<Refusal | null>;
}) {
	const [text, setText] = useState(() => writeRuleText(rule as TextRule));
	const [fault, setFault] = useState<Fault | null>(null);
	const field = useRef<HTMLTextAreaElement>(null);
	const show = (found: Fault | null): void => {
		setFault(found);
		if (found === null) return;
		field.current?.focus();
		field.current?.setSelectionRange(found.start, found.end);
	};
	const apply = async (): Promise<void> => {
		const read = catchRefusal(
			() => readRuleText(text),
			(refusal) => refusal as RuleTextFault,
		);
		if (read instanceof RuleTextFault) {
			show(faultOf(read));
			return;
		}
		setFault(null);
		const refused = await commit({ name: '', on_failure: 'continue', ...read.rule } as Partial<RuleDraft>);
		const place = refused?.path === undefined ? null : positionOf(read.places, refused.path);
		if (refused !== null && place !== null)
			show({ ...place, sentence: `Line ${place.line}: ${refused.sentence} ${refused.fix}` });
	};
	return (
		<section class="clause" aria-label="Text">
			<textarea
				ref={field}
				class="rule-json mono"
				aria-label="The rule as a text"
				aria-invalid={fault !== null}
				spellcheck={false}
				rows={Math.max(8, text.split('\n').length + ROWS_MORE)}
				value={text}
				onInput={(event) => setText(event.currentTarget.value)}
				onKeyDown={(event) => {
					if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void apply();
				}}
			/>
			<button type="button" class="button small" title="Ctrl Enter" onClick={() => void apply()}>
				<Icon name="check" small />
				Apply
			</button>
			{fault !== null && <FieldError sentence={fault.sentence} />}
			<details class="rule-help">
				<summary>Lines that a rule may have</summary>
				<dl>
					{RULE_LINES.map(({ form, says }) => (
						<Form key={form} form={form} says={says} />
					))}
				</dl>
				{Object.entries(RULE_WORDS).map(([word, forms]) => (
					<details key={word}>
						<summary>{word}</summary>
						<p class="mono">{typeof forms === 'string' ? forms : forms.join('\n')}</p>
					</details>
				))}
			</details>
		</section>
	);
}

function Form({ form, says }: (typeof RULE_LINES)[number]) {
	return (
		<>
			<dt class="mono">{form}</dt>
			<dd>{says}</dd>
		</>
	);
}
