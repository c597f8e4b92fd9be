/**
 * Watching without a hero: the next unit, the free camera, the speed, and taking over an entity.
 * Owns: the plate at the bottom while this person plays no entity.
 */

import { Icon } from '../drawn/icon.tsx';
import { Gauge } from './gauge.tsx';
import { Portrait } from './hero-plate.tsx';
import type { PlayPictures } from './pictures.ts';
import { type Play, SPEEDS } from './play-state.ts';
import { candidates, gauge, isPlayed, unitName } from './units.ts';

function Speeds({ play }: { readonly play: Play }) {
	return (
		<fieldset class="segmented speeds" aria-label="Speed">
			{SPEEDS.map((speed) => (
				<button
					key={speed}
					type="button"
					aria-pressed={play.speed.value === speed}
					title={speed === 1 ? 'Real time' : `${speed} times as fast as real time`}
					onClick={() => void play.run(speed)}
				>
					{speed}×
				</button>
			))}
		</fieldset>
	);
}

interface WatchPlateProps {
	readonly play: Play;
	readonly pictures: PlayPictures;
}

export function WatchPlate({ play, pictures }: WatchPlateProps) {
	const all = candidates(play.game.entities.value);
	const unit = play.followed.value;
	const agent = play.others.value.find(({ entity }) => entity.id === unit?.id)?.name;
	const health = unit === null ? null : gauge(unit.health);
	const unitToTake = unit ?? all[0];
	const takes = unitToTake !== undefined && unitToTake.agent_id === undefined && agent === undefined;
	return (
		<section class="plate hero-plate watch-plate" aria-label="Watching">
			{unit === null ? (
				<div class="vitals camera-words">
					<header>
						<span class="unit-name">Free camera</span>
					</header>
					<small class="watch-words key-words">Drag to turn, Shift-drag to move, scroll to zoom.</small>
					<small class="watch-words finger-words">Use one finger to turn, two to zoom.</small>
				</div>
			) : (
				<>
					<Portrait hero={unit} src={pictures.portrait(unit)} />
					<div class="vitals">
						<header>
							<span class="unit-name cut">{unitName(unit, play.game.heroes.value)}</span>
							<small>{agent === undefined ? (isPlayed(unit) ? 'played' : '') : `played by ${agent}`}</small>
						</header>
						{health !== null && <Gauge name="Health" unit="HP" kind="health" value={health} />}
					</div>
				</>
			)}
			<div class="watch-buttons">
				<button
					type="button"
					class="button"
					disabled={all.length === 0}
					title={all.length === 0 ? 'No unit here has a team' : 'Watch the next unit (N)'}
					onClick={() => play.next()}
				>
					<Icon name="next" small />
					Next
				</button>
				<button
					type="button"
					class="button"
					disabled={unit === null}
					title="Free camera (C)"
					onClick={() => play.free()}
				>
					<Icon name="look" small />
					Free
				</button>
			</div>
			<Speeds play={play} />
			{takes && (
				<button
					type="button"
					class="button primary large"
					title="Control this unit with your keys"
					onClick={() => void play.take(unitToTake)}
				>
					<Icon name="play" />
					Play {unitName(unitToTake, play.game.heroes.value)}
				</button>
			)}
		</section>
	);
}
