/**
 * Icons of items, by words in their names, or else by the stats that they change.
 * Owns: assigning the pictures of public/pictures/items to items. An item without a picture has a drawn icon.
 */

import { Icon, type IconName } from '../drawn/icon.tsx';
import type { ShopItem } from './game-state.ts';

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

const PICTURES: readonly (readonly [RegExp, string])[] = [
	[/flour|grain|seed|sand|salt/i, 'sack'],
	[/wool|yarn|thread/i, 'wool'],
	[/bread|cake|loaf/i, 'bread'],
	[/cloth|robe|cloak|silk/i, 'cloth'],
	[/iron|ingot|ore|steel/i, 'ingots'],
	[/basket/i, 'basket'],
	[/tool|hammer/i, 'tools'],
	[/great.?sword|claymore/i, 'greatsword'],
	[/blade|sword|dagger|knife/i, 'blade'],
	[/armou?r|mail/i, 'mail'],
	[/boot|shoe/i, 'boots'],
	[/charm|amulet|gem|jewel/i, 'charm'],
	[/coin|gold/i, 'coin'],
];

/** Returns the address of the picture of an item; null without one. */
function itemPicture(name: string): string | null {
	const found = PICTURES.find(([words]) => words.test(name));
	return found === undefined ? null : `pictures/items/${found[1]}.png`;
}

/** Returns the icon of an item; a bag for an unknown one. */
function itemIcon(name: string, properties: ShopItem['properties'] = {}): IconName {
	const stats = Object.keys(properties).join(' ');
	const find = (icons: typeof WORDS, text: string) => icons.find(([words]) => words.test(text))?.[1];
	return find(WORDS, name) ?? find(STATS, stats) ?? 'bag';
}

interface ItemIconProps {
	readonly name: string;
	readonly properties?: ShopItem['properties'] | undefined;
}

export function ItemIcon({ name, properties }: ItemIconProps) {
	const picture = itemPicture(name);
	return picture === null ? (
		<Icon name={itemIcon(name, properties)} />
	) : (
		<img class="item-picture" src={picture} alt="" width="28" height="28" />
	);
}
