/** The short texts of actions. Owns: which words follow each verb, as descriptions and refusals show them. */

import type { Action } from './action.ts';

/** By verb, what follows it. Words are separated by blanks; [words in brackets] may be left out, and `-` skips one. */
export const ACTION_FORMS: Readonly<Record<Exclude<Action['action'], 'show_text'>, string>> = {
	spawn:
		'MESH|template:NAME X,Y,Z|TARGET|TARGET@X,Y,Z [COLOR] [HEALTH] [TEAM] [COMBAT] [X,Y,Z:X,Y,Z...] [SPEED] [SX,SY,SZ] [GOLD_BOUNTY] [XP_BOUNTY] [ROLE] [COUNT]',
	damage: 'TARGET HP',
	heal: 'TARGET HP',
	score: 'TARGET POINTS',
	despawn: 'TARGET',
	teleport: 'TARGET X,Y,Z',
	color: 'TARGET COLOR',
	set_color: 'TARGET COLOR',
	endgame: 'TEAM',
	set_field: 'TARGET FIELD VALUE',
	add_field: 'TARGET FIELD VALUE',
	apply_effect: 'TARGET TAG [SECONDS] [STAT:OP:VALUE,...] [TICK] [POLICY]',
	cleanse: 'TARGET [TEXT]',
	give_item: 'TARGET ITEM [COUNT]',
	take_item: 'TARGET ITEM [COUNT]',
	equip: 'TARGET ITEM [SLOT]',
	buy: 'TARGET ITEM',
	cast: 'TARGET SLOT [TARGET|X,Y,Z]',
	tag: 'TARGET +LABEL -LABEL ...',
	emit: 'NAME [TARGET]',
	text: 'WORDS',
};

/** How a target is written in a short text. */
export const TARGET_FORMS = 'this, source, entity:ID, tag:NAME, team:N, nearest:FILTER, all:FILTER';

/** All actions, each as `verb WORDS`. */
export const actionForms = (): string[] =>
	Object.entries(ACTION_FORMS).map(([verb, words]) => `${verb} ${words}`);
