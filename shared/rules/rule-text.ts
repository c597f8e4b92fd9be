/**
 * A rule as a text for people: one part per line, after a word that names the part.
 * Owns: the lines. They contain the short texts of conditions and actions, or JSON for parts without a short text.
 *
 *     name Trap
 *     when enter:0,0,0:3
 *     for team:1
 *     odds 1/3 snap
 *       do damage this 10
 *     odds 2/3 nothing
 */

import { catchRefusal, Refusal } from '../contract/errors.ts';
import { nearest } from '../contract/nearest.ts';
import { weight } from '../contract/weight.ts';
import { ACTION_FORMS, type Action } from '../verbs/actions/index.ts';
import { CONDITION_FORMS } from '../verbs/condition-text.ts';
import type { Condition } from '../verbs/conditions/index.ts';
import {
	readActionText,
	readConditionText,
	writeActionText,
	writeConditionText,
} from '../verbs/short-text.ts';
import { TARGET_FORMS } from '../verbs/targets/index.ts';
import { readWhole, withinRanges } from '../verbs/verb-text.ts';
import { writtenRule } from './rule.ts';

interface TextOutcome {
	readonly label: string;
	readonly weight: number | string;
	readonly do: readonly Action[];
}

/** A rule with its parts in typed form. The filter may be a text. It has either `do` or `outcomes`. */
export interface TextRule {
	readonly name?: string | null | undefined;
	readonly when: Condition;
	readonly filter: Condition | string;
	readonly do?: readonly Action[] | null | undefined;
	readonly outcomes?: readonly TextOutcome[] | null | undefined;
	readonly priority: number;
	readonly on_failure?: 'continue' | 'stop' | null | undefined;
	readonly once: boolean;
	readonly enabled: boolean;
}

/** Parts of a rule, from the lines that were read. */
interface RuleParts {
	name?: string;
	when?: Condition;
	filter?: Condition;
	do: Action[];
	outcomes: { label: string; weight: number | string; do: Action[] }[];
	priority?: number;
	on_failure?: 'stop';
	once?: true;
	enabled?: false;
}

/** A kind of line: its first word, and functions that read and write the rest. */
interface LineKind {
	readonly word: string;
	/** Form of the rest of the line, for people. */
	readonly form: string;
	readonly says: string;
	/** True if a rule may have several such lines. */
	readonly repeats?: true;
	/** Reads the rest of a line into the parts. Throws a Refusal. */
	read(rest: string, parts: RuleParts): void;
	/** Returns the lines of a rule of this kind. */
	write(rule: TextRule): readonly string[];
}

const actionLine = (action: Action): string => `do ${writeActionText(action)}`;

/** Returns a kind of line with one word. The line is present if the switch is set. */
const switchLine = (
	word: string,
	says: string,
	set: (parts: RuleParts) => void,
	isSet: (rule: TextRule) => boolean,
): LineKind => ({
	word,
	form: '',
	says,
	read: (rest, parts) => {
		if (rest !== '') throw new Refusal(`"${word}" takes nothing, got "${rest}"`, `Write "${word}" alone.`);
		set(parts);
	},
	write: (rule) => (isSet(rule) ? [word] : []),
});

const LINES: readonly LineKind[] = [
	{
		word: 'name',
		form: 'TEXT',
		says: 'Name shown to people',
		read: (rest, parts) => {
			parts.name = readTitle(rest);
		},
		write: ({ name }) => (name == null || name === '' ? [] : [`name ${writeTitle(name)}`]),
	},
	{
		word: 'when',
		form: 'CONDITION',
		says: 'State or event that it waits for',
		read: (rest, parts) => {
			parts.when = readConditionText(requireRest(rest, 'when', 'timer:5'), 'rule');
		},
		write: ({ when }) => [`when ${writeConditionText(when, 'rule')}`],
	},
	{
		word: 'for',
		form: 'FILTER',
		says: 'Entities of the rule; left out: all',
		read: (rest, parts) => {
			parts.filter = readConditionText(requireRest(rest, 'for', 'tag:guard'), 'filter');
		},
		write: ({ filter }) =>
			[writeConditionText(filter, 'filter')].flatMap((text) => (text === 'any' ? [] : [`for ${text}`])),
	},
	{
		word: 'odds',
		form: 'WEIGHT LABEL',
		says: 'An outcome; one of all is chosen at random',
		repeats: true,
		read: (rest, parts) => {
			if (parts.outcomes.length === 0 && parts.do.length > 0)
				throw new Refusal(
					'a "do" before the first "odds" belongs to no outcome',
					'Move it below an "odds" line.',
				);
			const [, share = '', label = ''] = /^(\S*)\s*(.*)$/.exec(rest)!;
			const number = share !== '' && Number.isFinite(Number(share)) ? Number(share) : share;
			parts.outcomes.push({ label: readTitle(label), weight: withinRanges(weight, number), do: [] });
		},
		write: ({ outcomes }) =>
			(outcomes ?? []).flatMap(({ label, weight: share, do: effects }) => [
				`odds ${share} ${writeTitle(label)}`,
				...effects.map((action) => `  ${actionLine(action)}`),
			]),
	},
	{
		word: 'do',
		form: 'ACTION',
		says: 'An action; below "odds" it belongs to that outcome',
		repeats: true,
		read: (rest, parts) => {
			const action = readActionText(requireRest(rest, 'do', 'damage this 10'));
			(parts.outcomes.at(-1) ?? parts).do.push(action);
		},
		write: ({ do: effects }) => (effects ?? []).map(actionLine),
	},
	{
		word: 'priority',
		form: 'NUMBER',
		says: 'Rules with a higher one fire first',
		read: (rest, parts) => {
			parts.priority = readWhole(rest, 'the priority');
		},
		write: ({ priority }) => (priority === 0 ? [] : [`priority ${priority}`]),
	},
	switchLine(
		'once',
		'Fires at most once',
		(parts) => {
			parts.once = true;
		},
		({ once }) => once,
	),
	switchLine(
		'off',
		'It never fires',
		(parts) => {
			parts.enabled = false;
		},
		({ enabled }) => !enabled,
	),
	switchLine(
		'stop',
		'A refused action ends the list of actions',
		(parts) => {
			parts.on_failure = 'stop';
		},
		({ on_failure }) => on_failure === 'stop',
	),
];

/** The lines that a rule may have, each with its form and its meaning. */
export const RULE_LINES: readonly { readonly form: string; readonly says: string }[] = LINES.map(
	({ word, form, says }) => ({ form: `${word} ${form}`.trim(), says }),
);

/** Forms that the words in capitals in these lines mean. */
export const RULE_WORDS = { CONDITION: CONDITION_FORMS, ACTION: ACTION_FORMS, TARGET: TARGET_FORMS } as const;

function requireRest(rest: string, word: string, example: string): string {
	if (rest === '') throw new Refusal(`nothing follows "${word}"`, `Write, for example: ${word} ${example}.`);
	return rest;
}

/** Returns the text of a name or a label. It is JSON if the plain text is ambiguous. */
const writeTitle = (text: string): string =>
	text === '' || text.startsWith('"') || /\s{2}|[^\S ]/.test(text) || text !== text.trim()
		? JSON.stringify(text)
		: text;

function readTitle(rest: string): string {
	if (!rest.startsWith('"')) {
		if (rest === '') throw new Refusal('a text is missing', 'Write some words.');
		return rest;
	}
	try {
		return String(JSON.parse(rest));
	} catch {
		throw new Refusal(`${rest} has no second quote`, `Write ${rest.replaceAll('"', '')} without quotes.`);
	}
}

/** A fault in the text of a rule, with its position. */
export class RuleTextFault extends Refusal {
	/** Index of the first character of the fault. */
	readonly start: number;
	/** Index after the last character of the fault. */
	readonly end: number;
	/** Number of the line, from 1. */
	readonly line: number;

	constructor({ message, fix }: Refusal, position: TextSpan) {
		super(message, fix);
		[this.start, this.end, this.line] = [position.start, position.end, position.line];
	}
}

interface TextSpan {
	readonly start: number;
	readonly end: number;
	readonly line: number;
}

/** A rule from a text, with the position of each part by its path in errors, such as `outcomes[0].do[1]`. */
export interface ReadRule {
	readonly rule: TextRule;
	readonly places: ReadonlyMap<string, TextSpan>;
}

/** Reads the text of a rule. Throws a RuleTextFault. */
export function readRuleText(text: string): ReadRule {
	const parts: RuleParts = { do: [], outcomes: [] };
	const places = new Map<string, TextSpan>();
	const seenKinds = new Set<LineKind>();
	let start = 0;
	for (const [index, sent] of text.split('\n').entries()) {
		const text = sent.trim();
		const from = start + sent.length - sent.trimStart().length;
		const position = { start: from, end: from + text.length, line: index + 1 };
		start += sent.length + 1;
		if (text === '') continue;
		const at = pathOf(readLine(text, parts, seenKinds, position), parts);
		if (at !== null) places.set(at, position);
	}
	const whole = { start: 0, end: text.length, line: 1 };
	const { when } = parts;
	if (when === undefined)
		throw new RuleTextFault(
			new Refusal('the rule has no condition', 'Write a line such as: when timer:5'),
			whole,
		);
	const { do: effects, outcomes, ...rest } = parts;
	const rule: TextRule = {
		filter: 'any',
		priority: 0,
		once: false,
		enabled: true,
		...rest,
		when,
		...(outcomes.length > 0 ? { outcomes } : { do: effects }),
	};
	withPosition(whole, text, () => withinRanges(writtenRule, rule));
	return { rule, places };
}

/** Reads one line into the parts. */
function readLine(text: string, parts: RuleParts, seenKinds: Set<LineKind>, position: TextSpan): LineKind {
	const [word] = /^\S+/.exec(text)!;
	const kind = LINES.find((lineKind) => lineKind.word === word.toLowerCase());
	return withPosition(position, text, () => {
		if (kind === undefined) {
			const words = LINES.map((lineKind) => lineKind.word);
			const near = nearest(word, words);
			throw new Refusal(
				`"${word}" begins no line of a rule`,
				near === undefined ? `Begin it with one of: ${words.join(', ')}.` : `Did you mean "${near}"?`,
			);
		}
		if (seenKinds.has(kind) && kind.repeats !== true)
			throw new Refusal(`"${word}" is there twice`, 'Remove one of the two lines.');
		seenKinds.add(kind);
		kind.read(text.slice(word.length).trim(), parts);
		return kind;
	});
}

/** Returns the path of the part that a line has just set, as in errors of the engine. */
function pathOf({ word }: LineKind, { do: effects, outcomes }: RuleParts): string | null {
	if (word === 'for') return 'filter';
	const outcome = outcomes.length === 0 ? '' : `outcomes[${outcomes.length - 1}]`;
	if (word === 'odds') return outcome;
	if (word !== 'do') return word;
	const list = outcomes.at(-1)?.do ?? effects;
	return `${outcome === '' ? '' : `${outcome}.`}do[${list.length - 1}]`;
}

/** Runs `work` on a piece of the text. A refusal gets a position: that of the shortest text that it quotes, or the whole piece. */
function withPosition<T>(position: TextSpan, piece: string, work: () => T): T {
	return catchRefusal(work, (refusal) => {
		const quoted = [...refusal.message.matchAll(/"([^"]+)"/g)].map(([, words]) => words!);
		const [at, found] = quoted
			.map((words) => [piece.indexOf(words), words] as const)
			.filter(([index]) => index >= 0)
			.reduce<readonly [number, string]>(
				(shortest, quote) => (quote[1].length < shortest[1].length ? quote : shortest),
				[0, piece],
			);
		const start = position.start + at;
		throw new RuleTextFault(refusal, { ...position, start, end: start + found.length });
	});
}

/** Returns the position of a part in the text by the path of an error, such as `do[0].target`; null for an unknown path. */
export function positionOf(places: ReadRule['places'], path: string): TextSpan | null {
	for (let at = path; at !== ''; at = at.replace(/(^|\.|\[)[^.[]*$/, '')) {
		const position = places.get(at);
		if (position !== undefined) return position;
	}
	return null;
}

/** Returns the text of a rule. Reading the text gives an equal rule. */
export const writeRuleText = (rule: TextRule): string => LINES.flatMap((kind) => kind.write(rule)).join('\n');
