/**
 * The editor of a rule: as a sentence of forms, as text, or as JSON, with its firings.
 * Owns: refused parts, which it keeps until they are accepted or discarded.
 */

import './rules.css';
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { FieldError } from '../../controls/field-error.tsx';
import { SwitchField } from '../../controls/switch-field.tsx';
import { TextField } from '../../controls/text-field.tsx';
import { Icon } from '../../drawn/icon.tsx';
import { FractionMark } from '../../odds/fraction.tsx';
import { saidFraction } from '../../odds/fraction-words.ts';
import type { Refusal } from '../../state/ask.ts';
import { usePanels } from '../../state/panels.ts';
import { Firings } from './firings.tsx';
import { RuleJson } from './rule-json.tsx';
import { RuleText } from './rule-text.tsx';
import { describeAction, describeFilter, type Odds, oddsOf, ruleSentence } from './rule-words.ts';
import { changedDraft, draftOf, type RuleDraft, type RuleOutcome, type ShownRule } from './rules-state.ts';
import { useNames } from './use-names.ts';
import { DefinedField, RemoveButton } from './variant-field.tsx';

type Change = (change: Partial<RuleDraft>) => void;

type Tab = 'sentence' | 'text' | 'json';
const TABS: readonly (readonly [Tab, string])[] = [
	['sentence', 'Sentence'],
	['text', 'Text'],
	['json', 'JSON'],
];

/** Returns the action that a new one begins as. It changes nothing until a person chooses another kind. */
const firstAction = (name: string) => ({ action: 'emit', name });
const FIRST_OUTCOMES: readonly RuleOutcome[] = [
	{ label: 'yes', weight: 1, do: [] },
	{ label: 'no', weight: 1, do: [] },
];

/** The editor of the selected rule. */
export function SelectedRule({ rule }: { readonly rule: ShownRule }) {
	const { rules } = usePanels();
	return (
		<Editor
			key={rule.id}
			title={rule.name ?? `Rule ${rule.id}`}
			saved={draftOf(rule)}
			send={(change) => rules.change(rule.id, change)}
			foot={
				<button type="button" class="button small" onClick={() => void rules.remove(rule.id)}>
					<Icon name="bin" small />
					Delete
				</button>
			}
		>
			<Firings rule={rule} />
		</Editor>
	);
}

/** The editor of a rule that no call has created yet. */
export function NewRule({ draft }: { readonly draft: RuleDraft }) {
	const { rules } = usePanels();
	const [refusal, setRefusal] = useState<Refusal | null>(null);
	return (
		<Editor
			title={draft.name ?? 'New rule'}
			saved={draft}
			send={async (change) => {
				rules.draft.value = changedDraft(draft, change);
				return null;
			}}
			foot={
				<>
					{refusal !== null && <FieldError sentence={`${refusal.sentence} ${refusal.fix}`} />}
					<button
						type="button"
						class="button primary"
						onClick={() => void rules.create(draft).then(setRefusal)}
					>
						<Icon name="check" small />
						Create the rule
					</button>
					<button
						type="button"
						class="button quiet"
						onClick={() => {
							rules.draft.value = null;
						}}
					>
						Cancel
					</button>
				</>
			}
		/>
	);
}

interface EditorProps {
	readonly title: string;
	readonly saved: RuleDraft;
	readonly send: (change: Partial<RuleDraft>) => Promise<Refusal | null>;
	readonly foot: ComponentChildren;
	readonly children?: ComponentChildren;
}

function Editor({ title, saved, send, foot, children }: EditorProps) {
	const [tab, setTab] = useState<Tab>('sentence');
	/** Refused parts, and parts without an answer. */
	const [unsaved, setUnsaved] = useState<Partial<RuleDraft>>({});
	const [refusal, setRefusal] = useState<Refusal | null>(null);
	const nameOf = useNames();
	const shown = { ...saved, ...unsaved };
	const commit = async (change: Partial<RuleDraft>): Promise<Refusal | null> => {
		const all = { ...unsaved, ...change };
		setUnsaved(all);
		// Omits `undefined`, with which actions and outcomes replace each other.
		const sent = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
		const refused = await send(sent);
		setRefusal(refused);
		if (refused === null) setUnsaved({});
		return refused;
	};
	const change: Change = (parts) => void commit(parts);
	return (
		<>
			<header class="title rule-title">
				<h2>{title}</h2>
				<p class="rule-sentence">{ruleSentence(shown, nameOf)}</p>
				<div class="segmented">
					{TABS.map(([name, label]) => (
						<button key={name} type="button" aria-pressed={tab === name} onClick={() => setTab(name)}>
							{label}
						</button>
					))}
				</div>
				{refusal !== null && (
					<>
						<FieldError sentence={`${refusal.sentence} ${refusal.fix}`} />
						<button
							type="button"
							class="button quiet small"
							onClick={() => {
								setUnsaved({});
								setRefusal(null);
							}}
						>
							Discard the change
						</button>
					</>
				)}
			</header>
			<div class="scroll rule-form">
				{tab === 'sentence' ? (
					<Sentence rule={shown} change={change} />
				) : tab === 'text' ? (
					<RuleText key={JSON.stringify(saved)} rule={saved} commit={commit} />
				) : (
					<RuleJson key={JSON.stringify(saved)} rule={saved} commit={commit} />
				)}
				{children}
			</div>
			<footer class="rule-foot">{foot}</footer>
		</>
	);
}

function Sentence({ rule, change }: { readonly rule: RuleDraft; readonly change: Change }) {
	const { outcomes } = rule;
	return (
		<>
			<section class="clause" aria-label="When">
				<DefinedField
					definition="Condition"
					name="When"
					label="When"
					says="Condition of the rule"
					value={rule.when}
					change={(when) => change({ when })}
				/>
				<Filter rule={rule} change={change} />
			</section>
			<section class="clause" aria-label="Then">
				<div class="clause-head">
					<span>Then</span>
					<div class="segmented">
						<button
							type="button"
							aria-pressed={outcomes === undefined}
							title="Run these actions"
							onClick={() => {
								if (outcomes === undefined) return;
								const [list] = outcomes.filter((outcome) => outcome.do.length > 0);
								change({ do: list?.do ?? [firstAction('hello')], outcomes: undefined });
							}}
						>
							Always
						</button>
						<button
							type="button"
							aria-pressed={outcomes !== undefined}
							title="Choose one of several outcomes at random, with exact odds"
							onClick={() => {
								if (outcomes !== undefined) return;
								const [yes, no] = FIRST_OUTCOMES;
								change({ outcomes: [{ ...yes!, do: rule.do ?? [] }, no!], do: undefined });
							}}
						>
							By chance
						</button>
					</div>
				</div>
				{outcomes === undefined ? (
					<Actions name="Action" actions={rule.do ?? []} change={(actions) => change({ do: actions })} />
				) : (
					<Outcomes outcomes={outcomes} change={(all) => change({ outcomes: all })} />
				)}
			</section>
			<section class="clause" aria-label="Settings of the rule">
				<TextField
					name="name"
					value={rule.name ?? ''}
					maxLength={100}
					placeholder="none"
					commit={async (name) => {
						change({ name });
						return null;
					}}
				/>
				<SwitchField
					name="Enabled"
					label="enabled"
					says="Switched off, it never fires"
					value={rule.enabled}
					commit={async (enabled) => {
						change({ enabled });
						return null;
					}}
				/>
				<SwitchField
					name="Once"
					label="once"
					says="Fires at most once"
					value={rule.once}
					commit={async (once) => {
						change({ once });
						return null;
					}}
				/>
			</section>
		</>
	);
}

/** Filter of the rule, as a short text. */
function Filter({ rule, change }: { readonly rule: RuleDraft; readonly change: Change }) {
	const { entities } = usePanels();
	const suggestions = new Set<string>(['any']);
	for (const { name, team, role, tags } of entities.list.value) {
		if (suggestions.size > 100) break;
		if (team !== undefined) suggestions.add(`team:${team}`);
		if (role !== undefined) suggestions.add(`role:${role.toLowerCase()}`);
		for (const tag of tags ?? []) suggestions.add(`tag:${tag}`);
		if (name !== undefined) suggestions.add(/\W/.test(name) ? `name:"${name}"` : `name:${name}`);
	}
	return (
		<div class="entity-reference">
			<TextField
				name="For"
				value={describeFilter(rule.filter) ?? 'any'}
				proposals={[...suggestions].map((text) => [text, ''] as const)}
				says="Entities: any, team:1, tag:guard, role:hero, name:Oak or entity:12, joined with +"
				commit={async (text) => {
					change({ filter: text === '' ? 'any' : text });
					return null;
				}}
			/>
			<button
				type="button"
				class="button quiet small"
				aria-pressed={entities.picking.value?.name === 'For'}
				title="Click an entity in the picture or in the list to fill it in"
				onClick={() => entities.pick('For', (id) => change({ filter: `entity:${id}` }))}
			>
				<Icon name="look" small />
				Pick
			</button>
		</div>
	);
}

interface ActionsProps {
	readonly name: string;
	readonly actions: readonly unknown[];
	readonly change: (actions: readonly unknown[]) => void;
}

function Actions({ name, actions, change }: ActionsProps) {
	const nameOf = useNames();
	return (
		<div class="actions">
			{actions.map((action, index) => (
				// Actions have no ids, so the index is the key.
				<div class="item" key={index}>
					{typeof action === 'string' ? (
						<span class="grow mono">{describeAction(action, nameOf)}</span>
					) : (
						<div class="grow form-lines">
							<DefinedField
								definition="Action"
								name={`${name} ${index + 1}`}
								label={String(index + 1)}
								says="Action"
								value={action}
								change={(next) => change(actions.with(index, next))}
							/>
						</div>
					)}
					<RemoveButton name={`${name} ${index + 1}`} remove={() => change(actions.toSpliced(index, 1))} />
				</div>
			))}
			<button
				type="button"
				class="button quiet small"
				aria-label={`Add to ${name}`}
				onClick={() => change([...actions, firstAction(name)])}
			>
				<Icon name="plus" small />
				Action
			</button>
		</div>
	);
}

function Outcomes({
	outcomes,
	change,
}: {
	readonly outcomes: readonly RuleOutcome[];
	readonly change: (outcomes: readonly RuleOutcome[]) => void;
}) {
	const odds = oddsOf(outcomes);
	const put = (index: number, part: Partial<RuleOutcome>) =>
		change(outcomes.with(index, { ...outcomes[index]!, ...part }));
	const free = (): string => {
		for (let number = outcomes.length + 1; ; number++) {
			const label = `outcome ${number}`;
			if (!outcomes.some((outcome) => outcome.label === label)) return label;
		}
	};
	return (
		<>
			{outcomes.map((outcome, index) => (
				<fieldset class="rule-outcome" key={index}>
					<legend class="only-said">Outcome {outcome.label}</legend>
					<div class="rule-outcome-head">
						<TextField
							name={`Label of outcome ${index + 1}`}
							label={String(index + 1)}
							value={outcome.label}
							maxLength={100}
							commit={async (label) => {
								put(index, { label });
								return null;
							}}
						/>
						<RemoveButton
							name={`outcome ${outcome.label}`}
							disabled={outcomes.length < 2}
							remove={() => change(outcomes.toSpliced(index, 1))}
						/>
					</div>
					<div class="rule-outcome-odds">
						<TextField
							name={`Weight of outcome ${outcome.label}`}
							label="weight"
							says="A number, or a fraction such as 1/4"
							value={String(outcome.weight)}
							commit={async (text) => {
								put(index, { weight: Number.isFinite(Number(text)) && text !== '' ? Number(text) : text });
								return null;
							}}
						/>
						<OddsMark odds={odds[index] ?? null} />
					</div>
					<Actions name={outcome.label} actions={outcome.do} change={(list) => put(index, { do: list })} />
				</fieldset>
			))}
			<button
				type="button"
				class="button quiet small"
				onClick={() => change([...outcomes, { label: free(), weight: 1, do: [] }])}
			>
				<Icon name="plus" small />
				Outcome
			</button>
		</>
	);
}

function OddsMark({ odds }: { readonly odds: Odds | null }) {
	if (odds === null) return <span class="faint">no odds</span>;
	return (
		<span class="odds-mark row" title={saidFraction(odds.exact)}>
			<FractionMark value={odds.exact} />
			<span class="odds-bar">
				<span style={{ width: `${odds.p * 100}%` }} />
			</span>
		</span>
	);
}
