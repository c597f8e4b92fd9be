/**
 * Plates over the picture while a game is played or watched.
 * Owns: the life of the game's state and of the devices, and which plates are shown.
 */

import './play.css';
import { useEffect, useState } from 'preact/hooks';
import { usePanels } from '../state/panels.ts';
import { Feed } from './feed-list.tsx';
import { GameHead } from './game-head.tsx';
import { HeroPlate } from './hero-plate.tsx';
import { MapDial } from './map-dial.tsx';
import { NameLabels } from './name-labels.tsx';
import { FallenPlate, PausePlate } from './plates.tsx';
import { createPlayInput, type PlayInput } from './play-input.ts';
import { createPlay, type Play } from './play-state.ts';
import { ScorePlate } from './score-plate.tsx';
import { Shop } from './shop.tsx';
import { TouchPad } from './touch-pad.tsx';
import { WatchPlate } from './watch-plate.tsx';

interface Playing {
	readonly play: Play;
	readonly input: PlayInput;
}

export function Game() {
	const panels = usePanels();
	const [playing, setPlaying] = useState<Playing | null>(null);
	useEffect(() => {
		const play = createPlay(panels);
		const input = createPlayInput(panels, play);
		setPlaying({ play, input });
		return () => {
			input.stop();
			play.stop();
		};
	}, [panels]);
	if (playing === null) return null;
	const { play, input } = playing;
	const mine = play.mine.value;
	return (
		<div class="game">
			<NameLabels play={play} />
			<GameHead play={play} />
			<ScorePlate play={play} />
			<Feed play={play} />
			<MapDial play={play} input={input} />
			{mine === null ? <WatchPlate play={play} /> : <HeroPlate play={play} input={input} hero={mine} />}
			{mine !== null && <TouchPad play={play} input={input} hero={mine} />}
			{play.open.value === 'shop' && <Shop play={play} />}
			<FallenPlate play={play} />
			<PausePlate play={play} />
		</div>
	);
}
