/**
 * The bar of tools over the picture: the tool, its axes, and its step.
 * Owns: the buttons. The keys are in the table of keys.
 */

import './tool-bar.css';
import { useState } from 'preact/hooks';
import type { ToolName } from '../../render/messages.ts';
import { Icon, type IconName } from '../drawn/icon.tsx';
import { exactNumber, readNumber } from '../numbers.ts';
import { later } from '../state/later.tsx';
import { usePanels } from '../state/panels.ts';
import type { Steps } from './tools-state.ts';

const TOOLS: readonly (readonly [name: ToolName, icon: IconName, says: string])[] = [
	['select', 'select', 'Select (Q)'],
	['move', 'move', 'Move (G)'],
	['turn', 'turn', 'Turn (R)'],
	['scale', 'size', 'Scale (S)'],
	['brush', 'brush', 'Brush for ground and plants (B)'],
];

const UNITS: Readonly<Record<keyof Steps, string>> = { move: 'm', turn: '°', scale: '×' };

export function ToolBar() {
	const { tools } = usePanels();
	const tool = tools.tool.value;
	const space = tools.space.value;
	const stepped: keyof Steps = tool === 'select' || tool === 'brush' ? 'move' : tool;
	return (
		<div class="tool-bars">
			<div class="tool-bar plate" role="toolbar" aria-label="Tools">
				{TOOLS.map(([name, icon, says]) => (
					<button
						key={name}
						type="button"
						class="tool"
						aria-label={says}
						title={says}
						aria-pressed={tool === name}
						onClick={() => tools.choose(name)}
					>
						<Icon name={icon} />
					</button>
				))}
			</div>
			{tool === 'brush' && <BrushBar />}
			<div class="tool-bar plate" role="toolbar" aria-label="Axes and steps">
				<button
					type="button"
					class="tool words"
					disabled={tool === 'scale'}
					title={
						tool === 'scale'
							? 'Sizes follow the axes of the entity'
							: `Axes of the ${space === 'world' ? 'world' : 'entity'}. Press for those of the ${space === 'world' ? 'entity' : 'world'}`
					}
					onClick={() => {
						tools.space.value = space === 'world' ? 'local' : 'world';
					}}
				>
					{tool === 'scale' || space === 'local' ? 'Local' : 'World'}
				</button>
				<div class="step" data-on={tools.isStepped.value}>
					<button
						type="button"
						class="tool"
						aria-label="Go in steps"
						title="Go in steps"
						aria-pressed={tools.isStepped.value}
						onClick={() => {
							tools.isStepped.value = !tools.isStepped.value;
						}}
					>
						<Icon name="grid" />
					</button>
					<StepField key={stepped} of={stepped} />
				</div>
			</div>
		</div>
	);
}

const BrushBar = later(
	async () => (await import('./brush-bar.tsx')).BrushBar,
	(words) => <p class="tool-bar plate">{words}</p>,
);

/** The step of a tool. The field accepts numbers above 0. */
function StepField({ of }: { readonly of: keyof Steps }) {
	const { tools } = usePanels();
	const value = tools.steps.value[of];
	const [draft, setDraft] = useState<string | null>(null);
	return (
		<label class="step-field row" title="Step of the tool">
			<input
				inputMode="decimal"
				autocomplete="off"
				aria-label={`Step, ${UNITS[of]}`}
				value={draft ?? exactNumber(value)}
				onInput={(event) => setDraft(event.currentTarget.value)}
				onKeyDown={(event) => {
					if (event.key === 'Enter') event.currentTarget.blur();
				}}
				onBlur={() => {
					const number = readNumber(draft ?? '');
					if (number !== null && number > 0) tools.steps.value = { ...tools.steps.value, [of]: number };
					setDraft(null);
				}}
			/>
			<span>{UNITS[of]}</span>
		</label>
	);
}
