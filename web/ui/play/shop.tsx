/**
 * Goods for sale, and their prices for the played entity.
 * Owns: the list of goods. Never: decides about a purchase; the engine accepts or refuses it.
 */

import { Icon } from '../drawn/icon.tsx';
import { formatNumber } from '../numbers.ts';
import type { ShopItem } from './game-state.ts';
import { effectsText, goodsFor } from './goods.ts';
import { ItemIcon } from './item-icon.tsx';
import type { Play } from './play-state.ts';
import { goldOf, heldBy } from './units.ts';

function recipeText({ recipe }: ShopItem, names: ReadonlyMap<number, string>): string {
	if (recipe === null) return '';
	const parts = recipe.components.map(
		({ item_id, count }) => `${count} ${names.get(item_id) ?? `item ${item_id}`}`,
	);
	return `made of ${parts.join(' and ')}`;
}

export function Shop({ play }: { readonly play: Play }) {
	const hero = play.mine.value;
	const items = play.game.items.value;
	if (hero === null) return null;
	const names = new Map(items.map(({ id, name }) => [id, name]));
	const gold = goldOf(hero);
	const held = new Map<number, number>();
	for (const { item_id, count } of heldBy(hero)) held.set(item_id, (held.get(item_id) ?? 0) + count);
	return (
		<section class="plate shop" aria-label="Shop">
			<header>
				<h2>Shop</h2>
				<span class="gold">
					<Icon name="coin" small />
					{gold === null ? 'no gold' : formatNumber(gold)}
				</span>
				<button
					type="button"
					class="button quiet square"
					aria-label="Close"
					title="Close (B)"
					onClick={() => {
						play.open.value = null;
					}}
				>
					<Icon name="close" />
				</button>
			</header>
			<ul class="scroll">
				{goodsFor(hero, items).map((item) => {
					const price = item.recipe?.cost ?? item.cost;
					const short = gold === null || gold < price || item.stock === 0;
					const has = held.get(item.id);
					return (
						<li key={item.id}>
							<ItemIcon name={item.name} properties={item.properties} />
							<span>
								<b>{item.name}</b>
								{has !== undefined && <span class="faint"> you have {formatNumber(has)}</span>}
								<small class="soft">
									{[effectsText(item), recipeText(item, names)].filter(Boolean).join('; ')}
								</small>
							</span>
							<button
								type="button"
								class="button"
								disabled={short}
								title={item.stock === 0 ? 'Sold out' : short ? 'Not enough gold' : `Buy ${item.name}`}
								onClick={() => void play.buy(item)}
							>
								<Icon name="coin" small />
								{formatNumber(price)}
							</button>
						</li>
					);
				})}
			</ul>
		</section>
	);
}
