/**
 * The short texts of actions, such as `heal this 10`.
 * Owns: reading them into the typed form, which alone has a meaning.
 */

import { type Action, actionDocument } from '../../../shared/documents/action.ts';
import { ACTION_FORMS, actionForms, TARGET_FORMS } from '../../../shared/documents/action-forms.ts';
import type { Target } from '../../../shared/documents/target.ts';
import { number, RuleTextError, unknownText, vector, whole, within } from './rule-text.ts';

type Words = readonly (string | undefined)[];

/** The words that a verb takes, and the typed form of what they say. */
interface Verb {
	/** Most words that may follow; none given: any number. */
	readonly most?: number;
	read(words: Words, verb: string): object;
}

const target = (word: string | undefined) => ({ target: readTarget(word) });

const PAINT: Verb = {
	read: ([whom, ...color], verb) => {
		if (color.length === 0) throw new RuleTextError(`"${verb} ${whom ?? ''}" names no colour`);
		return { ...target(whom), color: color.join(' ') };
	},
};
const CHANGE: Verb = {
	most: 3,
	read: ([whom, field, value]) => ({
		...target(whom),
		field: field ?? '',
		value: number(value, 'the value'),
	}),
};
const SOME: Verb = {
	most: 3,
	read: ([whom, item, count]) => ({
		...target(whom),
		item_id: whole(item, 'the item'),
		count: count === undefined ? 1 : whole(count, 'the count'),
	}),
};

const VERBS: Readonly<Record<Exclude<Action['action'], 'text' | 'show_text'>, Verb>> = {
	spawn: { most: 13, read: readSpawn },
	damage: {
		most: 2,
		read: ([whom, amount]) => ({ ...target(whom), amount: number(amount, 'the damage') }),
	},
	heal: {
		most: 2,
		read: ([whom, amount]) => ({ ...target(whom), amount: number(amount, 'the health') }),
	},
	score: {
		most: 2,
		read: ([whom, points]) => ({ ...target(whom), points: whole(points, 'the points') }),
	},
	despawn: { most: 1, read: ([whom]) => target(whom) },
	teleport: {
		most: 2,
		read: ([whom, place]) => ({ ...target(whom), position: vector(place, 'the place') }),
	},
	color: PAINT,
	set_color: PAINT,
	endgame: { most: 1, read: ([team]) => ({ winner_team: whole(team, 'the winning team') }) },
	set_field: CHANGE,
	add_field: CHANGE,
	apply_effect: {
		most: 6,
		read: ([whom, tag, duration, modifiers, tick_effect, stack_policy]) => ({
			...target(whom),
			tag: tag ?? '',
			...given({ duration }, (text) => number(text, 'the duration')),
			...given({ modifiers }, (text) => text.split(',')),
			...given({ tick_effect, stack_policy }, (text) => text),
		}),
	},
	cleanse: {
		most: 2,
		read: ([whom, filter]) => ({ ...target(whom), ...given({ filter }, (text) => text) }),
	},
	give_item: SOME,
	take_item: SOME,
	equip: {
		most: 3,
		read: ([whom, item, slot]) => ({
			...target(whom),
			item_id: whole(item, 'the item'),
			...given({ slot }, (text) => text),
		}),
	},
	buy: {
		most: 2,
		read: ([whom, item]) => ({ ...target(whom), item_id: whole(item, 'the item') }),
	},
	cast: {
		most: 3,
		read: ([whom, slot, aim]) => ({
			...target(whom),
			slot: slot ?? '',
			...(aim === undefined
				? {}
				: /^[-+.\d]/.test(aim)
					? { point: vector(aim, 'the aim') }
					: { at: readTarget(aim) }),
		}),
	},
	tag: {
		read: ([whom, ...labels]) => {
			const signed = (sign: string) =>
				labels.flatMap((label) => (label?.startsWith(sign) === true ? [label.slice(1)] : []));
			const [add, remove] = [signed('+'), signed('-')];
			if (add.length + remove.length < Math.max(1, labels.length))
				throw new RuleTextError('labels are written +LABEL to add and -LABEL to take away');
			return { ...target(whom), add, remove };
		},
	},
	emit: {
		most: 2,
		read: ([name, about]) => {
			if (name === undefined) throw new RuleTextError('"emit" names no signal');
			return { name, ...(about === undefined ? {} : { about: readTarget(about) }) };
		},
	},
};

/** Reads an action. Throws a RuleTextError. */
export function parseAction(sent: string): Action {
	const [first = '', ...words] = sent.trim().split(/\s+/);
	const verb = first.toLowerCase();
	if (verb === 'text' || verb === 'show_text')
		return within(actionDocument, { action: 'text', text: sent.trim().slice(verb.length).trim() });
	if (!Object.hasOwn(VERBS, verb)) return unknownText('action', sent, first, actionForms());
	const { most = words.length, read } = VERBS[verb as keyof typeof VERBS];
	const form = `${verb} ${ACTION_FORMS[verb as keyof typeof VERBS]}`;
	if (words.length > most)
		throw new RuleTextError(`"${sent}" has more words than ${verb} takes, at most ${most}: ${form}`);
	const action = verb === 'set_color' ? 'color' : verb;
	try {
		return within(actionDocument, { action, ...read(words, verb) });
	} catch (error) {
		if (!(error instanceof RuleTextError)) throw error;
		throw new RuleTextError(`${error.message}; it is written as: ${form}`);
	}
}

function readTarget(text: string | undefined): Target {
	const low = text?.toLowerCase() ?? '';
	if (low === 'this' || low === 'source') return low;
	const [kind = '', ...rest] = (text ?? '').split(':');
	const value = rest.join(':');
	switch (kind.toLowerCase()) {
		case 'entity':
			return { entity: whole(value, 'the id of a target') };
		case 'tag':
			return { tag: value };
		case 'team':
			return { team: whole(value, 'the team of a target') };
		case 'nearest':
			return { nearest: value };
		case 'all':
			return { all: value };
	}
	throw new RuleTextError(
		text === undefined
			? `a target is missing; known: ${TARGET_FORMS}`
			: `the target "${text}" is not understood; known: ${TARGET_FORMS}`,
	);
}

/** The words that are there and not skipped, each read, under their names. */
function given<T>(words: Readonly<Record<string, string | undefined>>, read: (text: string) => T) {
	const there = Object.entries(words).filter(([, text]) => text !== undefined && text !== '-');
	return Object.fromEntries(there.map(([name, text]) => [name, read(text!)]));
}

function truth(text: string): boolean {
	const low = text.toLowerCase();
	if (low !== 'true' && low !== 'false') throw new RuleTextError(`combat is true or false, got "${text}"`);
	return low === 'true';
}

const TEMPLATE = /^template:/i;

function readSpawn(words: Words): object {
	const [mesh, place, color, health, team, combat, waypoints, speed, scale, gold, xp, role, count] = words;
	if (mesh === undefined) throw new RuleTextError('spawn needs a mesh and a place');
	return {
		...(TEMPLATE.test(mesh) ? { template: mesh.replace(TEMPLATE, '') } : given({ mesh }, (text) => text)),
		...readPlace(place),
		...given({ color, role }, (text) => text),
		...given({ health }, (text) => number(text, 'the health')),
		...given({ team }, (text) => whole(text, 'the team')),
		...given({ combat }, truth),
		...given({ waypoints }, (text) => text.split(':').map((point) => vector(point, 'a waypoint'))),
		...given({ speed }, (text) => number(text, 'the speed')),
		...given({ scale }, (text) => vector(text, 'the scale')),
		...given({ gold_bounty: gold }, (text) => whole(text, 'the gold')),
		...given({ xp_bounty: xp }, (text) => whole(text, 'the experience')),
		...given({ count }, (text) => whole(text, 'the count')),
	};
}

function readPlace(word: string | undefined): object {
	if (word === undefined || /^[-+.\d]/.test(word)) return { position: vector(word, 'the place') };
	const [whom, offset] = word.split('@');
	const at = readTarget(whom);
	return offset === undefined ? { at } : { at, position: vector(offset, 'the place') };
}
