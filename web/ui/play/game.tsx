/**
 * The plates over the picture while a game is played or watched.
 * Owns: the lifetime of the game's state and of the devices, and the visible plates.
 */

import './play.css';
import { useEffect, useState } from 'preact/hooks';
import { usePanels } from '../state/panels.ts';
import { Brief, HintPlate } from './brief.tsx';
import { Feed } from './feed-list.tsx';
import { GameHead } from './game-head.tsx';
import { HeroPlate } from './hero-plate.tsx';
import { MapDial } from './map-dial.tsx';
import { NameLabels } from './name-labels.tsx';
import { createPlayPictures, type PlayPictures } from './pictures.ts';
import { FallenPlate, PausePlate } from './plates.tsx';
import { PlayInput } from './play-input.ts';
import { Play } from './play-state.ts';
import { ScorePlate } from './score-plate.tsx';
import { Shop } from './shop.tsx';
import { TouchPad } from './touch-pad.tsx';
import { WatchPlate } from './watch-plate.tsx';

interface Playing {
	readonly play: Play;
	readonly input: PlayInput;
	readonly pictures: PlayPictures;
}

export function Game() {
	const panels = usePanels();
	const [playing, setPlaying] = useState<Playing | null>(null);
	useEffect(() => {
		const play = new Play(panels);
		const input = new PlayInput(panels, play);
		const pictures = createPlayPictures(panels.services, play.game, () => panels.worlds.selected.value);
		setPlaying({ play, input, pictures });
		return () => {
			pictures.stop();
			input.stop();
			play.stop();
		};
	}, [panels]);
	if (playing === null) return null;
	const { play, input, pictures } = playing;
	const mine = play.mine.value;
	return (
		<div class="game">
			<NameLabels play={play} />
			<GameHead play={play} />
			<ScorePlate play={play} />
			<Feed play={play} />
			<MapDial play={play} input={input} picture={pictures.map.value} />
			{mine === null ? (
				<WatchPlate play={play} pictures={pictures} />
			) : (
				<HeroPlate play={play} input={input} hero={mine} pictures={pictures} />
			)}
			{mine !== null && <TouchPad play={play} input={input} hero={mine} />}
			<Brief play={play} />
			<HintPlate play={play} />
			{play.open.value === 'shop' && play.ending.value === null && <Shop play={play} />}
			<FallenPlate play={play} />
			<PausePlate play={play} />
		</div>
	);
}
