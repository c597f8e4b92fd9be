/** Icons of items, by the words of their names and else by what they change. */

import type { IconName } from '../drawn/icon.tsx';
import type { ShopItem } from './play-state.ts';

const WORDS: readonly (readonly [RegExp, IconName])[] = [
	[/flour|grain|seed|sand|salt/i, 'sack'],
	[/wool|yarn|thread|rope/i, 'yarn'],
	[/bread|cake|food|meat|fish|apple/i, 'bread'],
	[/cloth|robe|cloak|silk/i, 'cloth'],
	[/iron|ingot|ore|steel|stone/i, 'ingot'],
	[/basket|chest|box/i, 'basket'],
	[/tool|hammer|pick|axe/i, 'hammer'],
	[/blade|sword|dagger|knife|spear|bow/i, 'sword'],
	[/shield|armou?r|mail|helm|plate/i, 'shield'],
	[/boot|shoe/i, 'wind'],
	[/ring|coin|gold/i, 'coin'],
	[/potion|heal|heart/i, 'heart'],
	[/key/i, 'key'],
];

const STATS: readonly (readonly [RegExp, IconName])[] = [
	[/attack|damage|crit/, 'sword'],
	[/armor|resist/, 'shield'],
	[/health/, 'heart'],
	[/speed/, 'wind'],
	[/mana|ability/, 'star'],
];

/** The icon of an item; a bag for what nothing is known of. */
export function itemIcon(name: string, properties: ShopItem['properties'] = {}): IconName {
	const stats = Object.keys(properties).join(' ');
	const find = (icons: typeof WORDS, text: string) => icons.find(([words]) => words.test(text))?.[1];
	return find(WORDS, name) ?? find(STATS, stats) ?? 'bag';
}
