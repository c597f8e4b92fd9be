/**
 * The body of a call: coloured JSON with line numbers, completed from the schema of the route.
 * Owns: the caret and the list of proposals. Never: changes the text unless a person types or takes a proposal.
 */

import type { Signal } from '@preact/signals';
import type { RefObject } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { JsonSchema } from '../../../shared/contract/json-schema.ts';
import { type Completion, completeBody } from './completion.ts';
import { JsonText } from './json-view.tsx';

/** Maximum number of proposals that are listed. */
const MAX_PROPOSALS = 7;

interface BodyEditorProps {
	readonly body: Signal<string>;
	/** Schema of the body, which completes it; undefined while no route is known. */
	readonly schema: JsonSchema | undefined;
	/** Called on Ctrl+Enter. */
	readonly send: () => void;
}

export function BodyEditor({ body, schema, send }: BodyEditorProps) {
	const area = useRef<HTMLTextAreaElement>(null);
	const text = body.value;
	const replace = useReplace(area, body);
	const proposals = useProposals(area, schema, replace);
	const onKeyDown = (event: KeyboardEvent): void => {
		if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
			event.preventDefault();
			proposals.close();
			send();
		} else if (event.key === ' ' && event.ctrlKey) {
			event.preventDefault();
			proposals.propose();
		} else if (!proposals.press(event) && event.key === 'Enter' && !event.shiftKey) {
			event.preventDefault();
			const { selectionStart, selectionEnd } = area.current!;
			const line = text.slice(0, selectionStart).split('\n').at(-1)!;
			const indent = /^\s*/.exec(line)![0] + (/[{[]\s*$/.test(line) ? '  ' : '');
			replace(selectionStart, selectionEnd, `\n${indent}`, 1 + indent.length);
		}
	};
	const lines = text.split('\n');
	return (
		<div class="editor">
			<div
				class="editor-scroll"
				onScroll={proposals.close}
				style={{ '--lines': lines.length, '--columns': Math.max(...lines.map((line) => line.length)) }}
			>
				<div class="editor-paper">
					<div class="line-numbers" aria-hidden="true">
						{lines.map((_, index) => (
							<span key={index}>{index + 1}</span>
						))}
					</div>
					<pre aria-hidden="true">
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
							if (/["\w]/.test(value[selectionStart - 1] ?? '')) proposals.propose();
							else proposals.close();
						}}
						onKeyDown={onKeyDown}
						onClick={proposals.close}
						onBlur={proposals.close}
					/>
				</div>
			</div>
			{proposals.completion !== null && (
				<Proposals
					text={text}
					completion={proposals.completion}
					activeIndex={proposals.activeIndex}
					take={proposals.take}
				/>
			)}
		</div>
	);
}

/** Replaces the characters from `from` to `to` by `insert`, and puts the caret `caret` characters behind `from`. */
type Replace = (from: number, to: number, insert: string, caret: number) => void;

/** Returns the function that replaces part of the body. The caret moves after the new text is drawn. */
function useReplace(area: RefObject<HTMLTextAreaElement | null>, body: Signal<string>): Replace {
	const caret = useRef<number | null>(null);
	useLayoutEffect(() => {
		if (caret.current === null) return;
		area.current!.setSelectionRange(caret.current, caret.current);
		caret.current = null;
	});
	return (from, to, insert, index) => {
		body.value = body.value.slice(0, from) + insert + body.value.slice(to);
		caret.current = from + index;
	};
}

/** Returns the completion of the word at the caret, the index of the active proposal, and the functions that change them. */
function useProposals(
	area: RefObject<HTMLTextAreaElement | null>,
	schema: JsonSchema | undefined,
	replace: Replace,
) {
	const [completion, setCompletion] = useState<Completion | null>(null);
	const [activeIndex, setAt] = useState(0);
	const close = (): void => setCompletion(null);
	// Proposals of the last route do not fit the fields of another one.
	useEffect(close, [schema]);
	const take = (index: number): void => {
		const proposal = completion?.proposals[index];
		if (completion === null || proposal === undefined) return;
		replace(completion.from, completion.to, proposal.insert, proposal.caret);
		close();
		area.current!.focus();
	};
	return {
		completion,
		activeIndex,
		take,
		close,
		propose(): void {
			const { value, selectionStart } = area.current!;
			setAt(0);
			setCompletion(schema === undefined ? null : completeBody(schema, value, selectionStart));
		},
		/** Handles a key press. Returns true if the list used the key. */
		press(event: KeyboardEvent): boolean {
			if (completion === null) return false;
			const count = Math.min(MAX_PROPOSALS, completion.proposals.length);
			if (event.key === 'ArrowDown') setAt((activeIndex + 1) % count);
			else if (event.key === 'ArrowUp') setAt((activeIndex - 1 + count) % count);
			else if (event.key === 'Tab') take(activeIndex);
			else if (event.key === 'Escape') {
				close();
				event.stopPropagation();
			} else {
				// Enter closes the list, and the editor then writes the new line.
				if (event.key === 'Enter') close();
				return event.key !== 'Enter';
			}
			event.preventDefault();
			return true;
		},
	};
}

interface ProposalsProps {
	readonly text: string;
	readonly completion: Completion;
	readonly activeIndex: number;
	readonly take: (index: number) => void;
}

function Proposals({ text, completion, activeIndex, take }: ProposalsProps) {
	const before = text.slice(0, completion.from).split('\n');
	const proposals = completion.proposals.slice(0, MAX_PROPOSALS);
	const more = completion.proposals.length - proposals.length;
	if (proposals.length === 0) return null;
	return (
		<div
			class="popup proposals fields"
			role="listbox"
			aria-label="Fields"
			style={{ '--row-at': before.length, '--column-at': before.at(-1)!.length }}
		>
			{proposals.map((proposal, index) => (
				// biome-ignore lint/a11y/useKeyWithClickEvents: the editor keeps the focus and hears the keys
				// biome-ignore lint/a11y/useFocusableInteractive: the same
				<div
					key={proposal.label}
					role="option"
					aria-selected={index === activeIndex}
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
	);
}
