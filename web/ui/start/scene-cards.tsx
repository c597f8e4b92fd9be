/**
 * Cards of the scenes of the program. A click opens one.
 * Owns: the looks of a card. Never: loads a world.
 */

import scenes from 'virtual:scenes';
import { Icon } from '../drawn/icon.tsx';
import { count } from '../numbers.ts';
import { usePanels } from '../state/panels.ts';

export function SceneCards() {
	const { scenes: state, worlds, services } = usePanels();
	const opening = state.opening.value;
	const main = worlds.main.value;
	const kept = main !== null && (main.tick > 0 || main.entityCount > 0);
	return (
		<section class="scenes" aria-label="Worlds">
			<header class="offer-head">
				<h2>Worlds</h2>
				<span class="soft">
					Games and places, each made of one JSON document. Play them, take them apart, or let an agent play.
					{kept && ' A world of your own is kept as a fork.'}
				</span>
			</header>
			{/* Prepares the picture as soon as the pointer is over a card. */}
			<div class="cards" onPointerOver={services.openPicture} onFocusCapture={services.openPicture}>
				{scenes.map(({ name, title, words, entities, rules, keys }) => (
					<article key={name} class="card scene" aria-busy={opening === name}>
						<img src={`pictures/scenes/${name}.webp`} width="640" height="320" alt="" loading="lazy" />
						<header>
							<h3>{title}</h3>
							<span class="soft">
								{count(entities, 'entity', 'entities')}, {count(rules, 'rule')}
							</span>
							<p>{words && `${words[0]!.toUpperCase()}${words.slice(1)}.`}</p>
							{keys !== '' && <p class="card-keys key-words">{keys}</p>}
						</header>
						<footer>
							<button
								type="button"
								class="button"
								aria-label={`Play ${title}`}
								disabled={opening !== null || main === null}
								onClick={() => void state.play(name)}
							>
								<Icon name="play" />
								Play
							</button>
							<button
								type="button"
								class="button quiet"
								aria-label={`Open in Make: ${title}`}
								disabled={opening !== null || main === null}
								onClick={() => void state.open(name)}
							>
								<Icon name="make" />
								Open in Make
							</button>
						</footer>
					</article>
				))}
			</div>
		</section>
	);
}
