/**
 * An ability as a dial: a brass arc during its cooldown, and a dashed rim without enough mana.
 * Owns: the looks of the dial. A press on it is a press of its key.
 */

import { Icon, type IconName } from '../drawn/icon.tsx';
import { formatNumber } from '../numbers.ts';
import { type DialState, dialState, type ShownAbility } from './units.ts';

const ICONS: Readonly<Record<string, IconName>> = { Q: 'sword', W: 'shield', E: 'wind', R: 'star' };
/** Icons by words in an ability's name. They take precedence over those of the slot. */
const WORDS: readonly (readonly [RegExp, IconName])[] = [
	[/\bcry|call|shout|roar/i, 'sound'],
	[/heal|mend|cure/i, 'heart'],
	[/guard|shield|ward|block/i, 'shield'],
	[/stride|dash|leap|blink|haste/i, 'wind'],
	[/sweep|strike|slash|cleave|shot/i, 'sword'],
];
const SWEEP = 2 * Math.PI * 26;

interface DialProps {
	readonly ability: ShownAbility;
	/** Text below the dial: the key, or empty on a touch screen. */
	readonly keyName: string;
	readonly tick: number;
	readonly mana: number | null;
	readonly press: () => void;
	readonly release: () => void;
}

const seconds = (value: number): string => (value < 9.95 ? value.toFixed(1) : String(Math.ceil(value)));

function dialText({ slot, name, mana_cost }: ShownAbility, { kind, seconds: left }: DialState): string {
	const state =
		kind === 'cooling' ? `${seconds(left)} s left` : kind === 'ready' ? 'ready' : 'not enough mana';
	return `${slot}, ${name}: ${state}${mana_cost > 0 ? `, ${formatNumber(mana_cost)} mana` : ''}`;
}

export function Dial({ ability, keyName, tick, mana, press, release }: DialProps) {
	const state = dialState(ability, tick, mana);
	const words = dialText(ability, state);
	return (
		<button
			type="button"
			class={`dial ${state.kind.replace(' ', '-')}`}
			aria-label={words}
			title={words}
			onPointerDown={press}
			onPointerUp={release}
			onPointerLeave={release}
			onContextMenu={(event) => event.preventDefault()}
		>
			<svg viewBox="0 0 60 60" aria-hidden="true">
				<circle class="rim" cx="30" cy="30" r="28" />
				{state.kind === 'cooling' && (
					<circle
						class="sweep"
						cx="30"
						cy="30"
						r="26"
						transform="rotate(-90 30 30)"
						stroke-dasharray={`${SWEEP * state.left} ${SWEEP}`}
					/>
				)}
			</svg>
			<Icon name={WORDS.find(([words]) => words.test(ability.name))?.[1] ?? ICONS[ability.slot] ?? 'star'} />
			{state.kind === 'cooling' && <b>{seconds(state.seconds)}</b>}
			<span>
				{keyName}{' '}
				<small>
					{state.kind === 'no mana'
						? 'no mana'
						: ability.mana_cost > 0
							? formatNumber(ability.mana_cost)
							: ''}
				</small>
			</span>
		</button>
	);
}
