/**
 * The body of a call: coloured JSON with line numbers, completed from the schema of the route.
 * Owns: the caret and the list of proposals. Never: changes the text except by what a person takes.
 */

import type { Signal } from '@preact/signals';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { type Completion, completeBody } from './completion.ts';
import { JsonText } from './json-view.tsx';
import type { JsonSchema } from './route-list.ts';

const MOST = 7;

export function BodyEditor({
	body,
	schema,
	send,
}: {
	readonly body: Signal<string>;
	/** Schema of the body, which completes it; undefined while no route is known. */
	readonly schema: JsonSchema | undefined;
	/** Called on Ctrl+Enter. */
	readonly send: () => void;
}) {
	const area = useRef<HTMLTextAreaElement>(null);
	const back = useRef<HTMLPreElement>(null);
	const [completion, setCompletion] = useState<Completion | null>(null);
	const [at, setAt] = useState(0);
	const caretWanted = useRef<number | null>(null);
	const text = body.value;

	useLayoutEffect(() => {
		if (caretWanted.current === null) return;
		area.current!.setSelectionRange(caretWanted.current, caretWanted.current);
		caretWanted.current = null;
	});
	// Another route has other fields.
	useEffect(() => setCompletion(null), [schema]);

	const propose = (): void => {
		const element = area.current!;
		setAt(0);
		setCompletion(schema === undefined ? null : completeBody(schema, element.value, element.selectionStart));
	};
	const replace = (from: number, to: number, insert: string, caret: number): void => {
		body.value = text.slice(0, from) + insert + text.slice(to);
		caretWanted.current = from + caret;
	};
	const take = (index: number): void => {
		const proposal = completion?.proposals[index];
		if (completion === null || proposal === undefined) return;
		replace(completion.from, completion.to, proposal.insert, proposal.caret);
		setCompletion(null);
		area.current!.focus();
	};
	const hear = (event: KeyboardEvent): void => {
		if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
			event.preventDefault();
			setCompletion(null);
			send();
			return;
		}
		if (event.key === ' ' && event.ctrlKey) {
			event.preventDefault();
			propose();
			return;
		}
		if (completion !== null) {
			const shown = Math.min(MOST, completion.proposals.length);
			if (event.key === 'ArrowDown') setAt((at + 1) % shown);
			else if (event.key === 'ArrowUp') setAt((at - 1 + shown) % shown);
			else if (event.key === 'Tab') take(at);
			else if (event.key === 'Escape') {
				setCompletion(null);
				event.stopPropagation();
			} else if (event.key !== 'Enter') return;
			event.preventDefault();
			if (event.key !== 'Enter') return;
			setCompletion(null);
		}
		if (event.key === 'Enter' && !event.shiftKey) {
			const element = area.current!;
			const line = text.slice(0, element.selectionStart).split('\n').at(-1)!;
			const indent = /^\s*/.exec(line)![0] + (/[{[]\s*$/.test(line) ? '  ' : '');
			event.preventDefault();
			replace(element.selectionStart, element.selectionEnd, `\n${indent}`, 1 + indent.length);
		}
	};

	const lines = text.split('\n');
	const before = completion === null ? [] : text.slice(0, completion.from).split('\n');
	const row = before.length;
	const column = before.at(-1)?.length ?? 0;
	const proposals = completion?.proposals.slice(0, MOST) ?? [];
	const more = (completion?.proposals.length ?? 0) - proposals.length;
	return (
		<div class="editor">
			<div
				class="editor-scroll"
				onScroll={() => completion !== null && setCompletion(null)}
				style={{ '--lines': lines.length, '--columns': Math.max(...lines.map((line) => line.length)) }}
			>
				<div class="editor-paper">
					<div class="line-numbers" aria-hidden="true">
						{lines.map((_, index) => (
							<span key={index}>{index + 1}</span>
						))}
					</div>
					<pre ref={back} aria-hidden="true">
						<JsonText text={text} />
					</pre>
					<textarea
						ref={area}
						aria-label="Body, JSON"
						spellcheck={false}
						autocomplete="off"
						wrap="off"
						value={text}
						onInput={(event) => {
							const { value, selectionStart } = event.currentTarget;
							body.value = value;
							// Only inside of a word: a list after each comma would be in the way.
							if (/["\w]/.test(value[selectionStart - 1] ?? '')) propose();
							else setCompletion(null);
						}}
						onKeyDown={hear}
						onClick={() => setCompletion(null)}
						onBlur={() => setCompletion(null)}
					/>
				</div>
			</div>
			{proposals.length > 0 && (
				<div
					class="popup proposals fields"
					role="listbox"
					aria-label="Fields"
					style={{ '--row-at': row, '--column-at': column }}
				>
					{proposals.map((proposal, index) => (
						// biome-ignore lint/a11y/useKeyWithClickEvents: the editor keeps the focus and hears the keys
						// biome-ignore lint/a11y/useFocusableInteractive: the same
						<div
							key={proposal.label}
							role="option"
							aria-selected={index === at}
							onPointerDown={(event) => event.preventDefault()}
							onClick={() => take(index)}
						>
							<code>{proposal.label}</code>
							<span class="cut">{proposal.note}</span>
						</div>
					))}
					<p>
						<kbd>Tab</kbd> inserts it. From the live schema{more > 0 && `, ${more} more`}.
					</p>
				</div>
			)}
		</div>
	);
}
