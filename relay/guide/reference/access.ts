/** Reference page about the rights that each route needs. Owns: the text of an owner rule. */

import { type OwnerRule, ownerRules } from '../../../shared/contract/owner-rule.ts';
import { accessOf } from '../../../shared/contract/principal.ts';
import { type Route, TAGS } from '../../../shared/contract/route.ts';
import { routes } from '../../../shared/routes/index.ts';
import type { GuidePage } from '../page.ts';
import { PAGES, routeLink } from './declarations.ts';
import { table } from './schema-rows.ts';

export const accessPage: GuidePage = {
	name: PAGES.access,
	title: 'Rights of routes',
	summary: `Effect, access and owner rule of all ${routes.length} routes, on a server with sign-in`,
	markdown: () => [...INTRODUCTION, ...Object.keys(TAGS).flatMap(tagTable)].join('\n'),
};

const INTRODUCTION = [
	'# Rights of routes',
	'',
	'Without `--auth`, any caller on this machine may use every route. With `--auth`, a route needs the access below, and a change needs its owner rule. See [sign agents in](sign-in.md).',
	'',
	'## Access',
	'',
	...table(
		['access', 'given to'],
		[
			['read', 'Any caller, also without a session'],
			['write', 'Agents with `access` write or admin'],
			['admin', 'Agents with `access` admin: the operators'],
		],
	),
	'## Owner rules',
	'',
	'- A caller owns all that its calls create: entities with their rules, triggers and assertions, definitions, HUD elements, bindings, snapshots, forks, worlds, assets, files and tasks.',
	'- Only the owner and the operators may change, replace or delete a thing.',
	'- A thing without an owner belongs to the operators. This includes things that operators create, and things that existed before `--auth`.',
	'- The settings of the world (camera, sky, tuning, match and others) belong to the operators.',
	'- In a fork, the caller that created it may change everything. Only this caller and the operators may change the fork. Any caller may read it.',
	'- A named world that an agent created follows the same rule. Named worlds of operators follow the rules of main.',
	'- An input needs the owner of its entity, also in a fork.',
	'- The server compares the world before and after a call. If the call changed a thing of another owner, it is refused with `not_owner` and changes nothing.',
	'- Owner rules do not apply to ticks: rules and scripts act on all entities. An entity that they spawn has the owner of its cause, and counts towards its limits.',
	'- Any caller with write access may step, play and pause main, and press any button.',
	'- Built-in prefabs and the paths of shipped models, sounds and scenes belong to the operators.',
	'',
];

const RULE_TEXTS: Readonly<Record<string, string>> = {
	made: 'The caller owns the new thing; to replace one, it must be the owner',
	settings: 'Operators; in a fork, its creator',
	changed: 'Owner of all things that are changed or removed',
	operators: 'Operators',
	fork: 'Creator of the fork',
	world: 'Agent that created the world',
	file: 'Owner of the file; a new one belongs to the caller',
};

function accessText(route: Route): string {
	const fields = (route.adminFields ?? []).map((field) => `\`${field}\``);
	return [accessOf(route), ...(fields.length === 0 ? [] : [`admin for ${fields.join(', ')}`])].join('; ');
}

function ruleText(rule: OwnerRule): string {
	if (typeof rule === 'object') return `None: ${rule.none}`;
	return RULE_TEXTS[rule] ?? `Owner of the ${rule}`;
}

function tagTable(tag: string): string[] {
	const tagRoutes = (routes as readonly Route[]).filter((route) => route.tag === tag);
	const rows = tagRoutes.map((route) => [
		routeLink(route),
		route.effect,
		accessText(route),
		ownerRules(route).map(ruleText).join('. '),
	]);
	return [`## ${tag}`, '', ...table(['route', 'effect', 'access', 'owner rule'], rows)];
}
