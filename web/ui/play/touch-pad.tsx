/**
 * Stick and round buttons for fingers.
 * Owns: connecting each with a key or an axis of the world.
 */

import { useRef, useState } from 'preact/hooks';
import { steadyAxis } from '../../input/keys.ts';
import { Icon } from '../drawn/icon.tsx';
import type { Entity } from '../entities/entity.ts';
import { Dial } from './dial.tsx';
import { ShopButton } from './hero-plate.tsx';
import type { PlayInput } from './play-input.ts';
import type { Play } from './play-state.ts';
import { stickAt } from './stick-at.ts';
import { abilitiesOf, gauge } from './units.ts';

interface TouchPadProps {
	readonly play: Play;
	readonly input: PlayInput;
	readonly hero: Entity;
}

const REST = [0, 0] as const;

function Stick({ input: { hands } }: Pick<TouchPadProps, 'input'>) {
	const box = useRef<HTMLDivElement>(null);
	const [at, setAt] = useState<readonly [number, number]>(REST);
	const move = ([x, y]: readonly [number, number]) => {
		setAt([x, y]);
		hands.axis('TouchX', steadyAxis(x));
		hands.axis('TouchY', steadyAxis(y));
	};
	const to = (event: PointerEvent) =>
		move(stickAt(box.current!.getBoundingClientRect(), event.clientX, event.clientY));
	const end = () => move(REST);
	return (
		<div
			class="stick"
			ref={box}
			role="img"
			aria-label="Move stick"
			onPointerDown={(event) => {
				event.preventDefault();
				box.current!.setPointerCapture(event.pointerId);
				to(event);
			}}
			onPointerMove={(event) => box.current!.hasPointerCapture(event.pointerId) && to(event)}
			onPointerUp={end}
			onPointerCancel={end}
		>
			<i style={{ transform: `translate(${at[0] * 36}px, ${at[1] * 36}px)` }} />
		</div>
	);
}

export function TouchPad({ play, input, hero }: TouchPadProps) {
	const { hands } = input;
	const mana = gauge(hero.mana)?.[0] ?? null;
	const keyOf = (action: string) => play.keysOf(action).find((key) => key.startsWith('Touch'));
	const attack = keyOf('attack');
	return (
		<div class="touch-pad">
			<Stick input={input} />
			<div class="round-buttons">
				{abilitiesOf(hero).map((ability) => {
					const key = keyOf(`ability_${ability.slot.toLowerCase()}`);
					return (
						key !== undefined && (
							<Dial
								key={ability.slot}
								ability={ability}
								keyName={ability.slot}
								tick={play.game.tick.value}
								mana={mana}
								press={() => hands.press(key)}
								release={() => hands.release(key)}
							/>
						)
					);
				})}
				{hero.combat !== undefined && attack !== undefined && (
					<button
						type="button"
						class="attack-button"
						aria-label="Attack the nearest enemy"
						onPointerDown={() => hands.press(attack)}
						onPointerUp={() => hands.release(attack)}
						onPointerLeave={() => hands.release(attack)}
						onContextMenu={(event) => event.preventDefault()}
					>
						<Icon name="sword" />
						Attack
					</button>
				)}
			</div>
			<ShopButton play={play} />
		</div>
	);
}
