/**
 * The buttons of time: run or pause, step 1 tick, step 60 ticks.
 * Owns: their tooltips, which give the reason if a button is disabled.
 */

import { Icon } from '../drawn/icon.tsx';
import { usePanels } from '../state/panels.ts';

export function TimeButtons() {
	const { worlds, compare } = usePanels();
	const selectedWorld = worlds.selectedInfo.value;
	const playing = selectedWorld?.playing ?? false;
	const stepping = worlds.time.stepping.value;
	const disabled = selectedWorld === null;
	const stepButton = (ticks: number, name: string, keys: string, icon: 'step' | 'step60') => (
		<button
			type="button"
			class="button square"
			disabled={disabled || stepping > 0}
			aria-label={name}
			title={
				disabled
					? 'The world has not answered yet'
					: stepping > 0
						? `Stepping ${stepping} ticks`
						: `${name} (${keys})`
			}
			onClick={() => void compare.step(ticks)}
		>
			{stepping === ticks ? <span class="waiting-ring" /> : <Icon name={icon} />}
		</button>
	);
	return (
		<div class="time-buttons">
			<button
				type="button"
				class="button square"
				disabled={disabled}
				aria-pressed={playing}
				aria-label={playing ? 'Pause' : 'Run'}
				title={disabled ? 'The world has not answered yet' : `${playing ? 'Pause' : 'Run'} (Space)`}
				onClick={() => void worlds.time.toggle()}
			>
				<Icon name={playing ? 'pause' : 'play'} />
			</button>
			{stepButton(1, 'Step 1 tick', '.', 'step')}
			{stepButton(60, 'Step 60 ticks', 'Shift .', 'step60')}
		</div>
	);
}
