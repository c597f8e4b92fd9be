/**
 * The played entity: portrait, level, health, mana, abilities, items, gold and the shop.
 * Owns: the plate at the bottom.
 */

import { Icon } from '../drawn/icon.tsx';
import { teamClass } from '../drawn/marks.tsx';
import type { Entity } from '../entities/entity.ts';
import { formatNumber } from '../numbers.ts';
import { Dial } from './dial.tsx';
import { Gauge } from './gauge.tsx';
import { ItemIcon } from './item-icon.tsx';
import type { PlayPictures } from './pictures.ts';
import type { PlayInput } from './play-input.ts';
import type { Play } from './play-state.ts';
import { abilitiesOf, gauge, goldOf, heldBy, levelOf, unitName } from './units.ts';

/** Number of shown places for items, with or without one. */
const PLACES = 6;

/** The portrait of a unit. `src` is its picture; null for an icon. */
export function Portrait({ hero, src }: { readonly hero: Entity; readonly src: string | null }) {
	const level = levelOf(hero);
	return (
		<span class={`portrait ${teamClass(hero.team ?? 0)}`}>
			{src === null ? <Icon name="hero" /> : <img src={src} alt="" />}
			{level !== null && <em title={`Level ${level}`}>{level}</em>}
		</span>
	);
}

function Bag({ play, hero }: { readonly play: Play; readonly hero: Entity }) {
	const held = heldBy(hero);
	if (held.length === 0 && play.game.items.value.length === 0) return null;
	const names = new Map(play.game.items.value.map(({ id, name }) => [id, name]));
	const properties = new Map(play.game.items.value.map((item) => [item.id, item.properties]));
	return (
		<ul class="bag" aria-label="Worn and carried">
			{Array.from({ length: PLACES }, (_, index) => {
				const item = held[index];
				const name = item === undefined ? 'Empty' : (names.get(item.item_id) ?? `Item ${item.item_id}`);
				return (
					<li
						key={`${index} ${name}`}
						class={item?.worn === true ? 'worn' : undefined}
						title={item?.worn === true ? `${name}, worn` : name}
					>
						{item !== undefined && (
							<>
								<ItemIcon name={name} properties={properties.get(item.item_id)} />
								<span class="only-said">{name}</span>
								{item.count > 1 && <small>{item.count}</small>}
							</>
						)}
					</li>
				);
			})}
		</ul>
	);
}

export function ShopButton({ play }: { readonly play: Play }) {
	if (play.game.items.value.length === 0) return null;
	return (
		<button
			type="button"
			class="button shop-button"
			aria-expanded={play.open.value === 'shop'}
			onClick={() => {
				play.open.value = play.open.value === 'shop' ? null : 'shop';
			}}
		>
			<Icon name="bag" small />
			Shop <kbd>B</kbd>
		</button>
	);
}

interface HeroPlateProps {
	readonly play: Play;
	readonly input: PlayInput;
	readonly hero: Entity;
	readonly pictures: PlayPictures;
}

export function HeroPlate({ play, input: { hands }, hero, pictures }: HeroPlateProps) {
	const health = gauge(hero.health);
	const mana = gauge(hero.mana);
	const gold = goldOf(hero);
	const tick = play.game.tick.value;
	const abilities = abilitiesOf(hero);
	const regen =
		typeof hero.mana_regen === 'number' && mana !== null ? `+${formatNumber(hero.mana_regen, 1)} mana/s` : '';
	const [attack] = play.keysOf('attack');
	return (
		<section class="plate hero-plate" aria-label={`You play ${unitName(hero, play.game.heroes.value)}`}>
			<Portrait hero={hero} src={pictures.portrait(hero)} />
			<div class="vitals">
				<header>
					<span class="unit-name cut">{unitName(hero, play.game.heroes.value)}</span>
					<small>{hero.dead === true ? 'has fallen' : regen}</small>
				</header>
				{health !== null && <Gauge name="Health" unit="HP" kind="health" value={health} />}
				{mana !== null && <Gauge name="Mana" unit="mana" kind="mana" value={mana} />}
			</div>
			<div class="dials">
				{abilities.map((ability) => {
					const [key] = play.keysOf(`ability_${ability.slot.toLowerCase()}`);
					return (
						<Dial
							key={ability.slot}
							ability={ability}
							keyName={key ?? ability.slot}
							tick={tick}
							mana={mana?.[0] ?? null}
							press={() => key !== undefined && hands.press(key)}
							release={() => key !== undefined && hands.release(key)}
						/>
					);
				})}
				{abilities.length === 0 && hero.combat !== undefined && attack !== undefined && (
					<button
						type="button"
						class="dial ready attack"
						title="Walk to the nearest enemy and attack it"
						onPointerDown={() => hands.press(attack)}
						onPointerUp={() => hands.release(attack)}
						onPointerLeave={() => hands.release(attack)}
					>
						<svg viewBox="0 0 60 60" aria-hidden="true">
							<circle class="rim" cx="30" cy="30" r="28" />
						</svg>
						<Icon name="sword" />
						<span>{attack}</span>
					</button>
				)}
			</div>
			<Bag play={play} hero={hero} />
			<div class="purse">
				{gold !== null && (
					<span class="gold" title="Gold">
						<Icon name="coin" />
						{formatNumber(gold)}
					</span>
				)}
				<ShopButton play={play} />
				<button
					type="button"
					class="button let-go"
					title="Stop playing this unit; it acts by itself again"
					onClick={() => void play.letGo()}
				>
					<Icon name="look" small />
					Watch
				</button>
			</div>
		</section>
	);
}
