/**
 * Actions on the selected world.
 * Owns: the buttons and the name of a new fork.
 */

import { useState } from 'preact/hooks';
import { Icon } from '../drawn/icon.tsx';
import { Signature } from '../drawn/signature.tsx';
import { count, formatTime } from '../numbers.ts';
import { usePanels } from '../state/panels.ts';
import { contentWords, MAIN, originWords } from '../worlds/fork-list.ts';

/** Returns the distance of a world from main: `253 ticks, 4.2 s`. */
function distance(ticks: number): string {
	if (ticks === 0) return 'at the same tick';
	const size = Math.abs(ticks);
	return `${count(size, 'tick')}, ${formatTime(size)} ${ticks > 0 ? 'ahead' : 'behind'}`;
}

export function WorldActions() {
	const { worlds, compare, navigation } = usePanels();
	const [name, setName] = useState('');
	const selectedWorld = worlds.selectedInfo.value;
	const main = worlds.main.value;
	if (selectedWorld === null || main === null)
		return <section class="world-actions" aria-label="Selected world" />;
	const fork = selectedWorld.id !== MAIN;
	const stepped = compare.isTogether.value && compare.mode.value === 'split' ? 'Step all' : 'Step';
	const branch = async () => {
		const id = await worlds.forking.branch(selectedWorld.id, name.trim() || undefined);
		if (id !== null) setName('');
	};
	return (
		<section class="world-actions" aria-label={`World ${selectedWorld.id}`}>
			<header class="row">
				<h2 class="cut">{selectedWorld.id}</h2>
				<span class="faint grow">{contentWords(selectedWorld)}</span>
				<Signature digest={selectedWorld.digest} size={32} compare={fork ? main.digest : undefined} />
			</header>
			{fork && (
				<dl>
					<dt>Branched from</dt>
					<dd>{originWords(selectedWorld)}</dd>
					<dt>To main</dt>
					<dd>{distance(selectedWorld.tick - main.tick)}</dd>
				</dl>
			)}
			<div class="action-grid">
				<button
					type="button"
					class="button"
					disabled={worlds.time.stepping.value > 0}
					onClick={() => void compare.step(1)}
				>
					<Icon name="step" />
					{stepped}
				</button>
				<button
					type="button"
					class="button"
					disabled={worlds.time.stepping.value > 0}
					onClick={() => void compare.step(60)}
				>
					<Icon name="step60" />
					{stepped} 60
				</button>
				<button type="button" class="button" onClick={() => navigation.go('make')}>
					<Icon name="look" />
					Show
				</button>
				<button
					type="button"
					class="button"
					disabled={!fork}
					title={fork ? `Delete ${selectedWorld.id}` : 'Main cannot be deleted'}
					onClick={() => void worlds.forking.drop(selectedWorld.id)}
				>
					<Icon name="bin" />
					Drop
				</button>
				{fork && (
					<button
						type="button"
						class="button primary"
						title={`Make ${selectedWorld.id} main; the current main is kept as a fork`}
						onClick={() => void worlds.forking.promote(selectedWorld.id)}
					>
						<Icon name="up" />
						Promote
					</button>
				)}
			</div>
			<div class="branch-line row">
				<span class="field">
					<input
						placeholder="Name, or leave empty"
						aria-label="Name of the new fork"
						maxLength={64}
						autocomplete="off"
						value={name}
						onInput={(event) => setName(event.currentTarget.value)}
						onKeyDown={(event) => event.key === 'Enter' && void branch()}
					/>
				</span>
				<button type="button" class={`button${fork ? '' : ' primary'}`} onClick={() => void branch()}>
					<Icon name="forks" />
					Branch
				</button>
			</div>
		</section>
	);
}
