/**
 * The settings of the brush: operation, radius and strength.
 * Owns: the settings of each operation. The routes declare the operations, layers and plants.
 */

import type { FormField } from '../forms/control.ts';
import { labelOf } from '../forms/control.ts';
import type { DeclaredForm } from '../forms/declarations.ts';
import { useDeclared } from '../forms/use-declared.ts';
import { exactNumber, readNumber } from '../numbers.ts';
import { usePanels } from '../state/panels.ts';
import type { Brush } from './brush.ts';

/** Operations that the brush cannot use. */
const NO_STROKES = ['set', 'noise'];
/** Initial strength of operations whose strength is not in metres. */
const FIRST_AMOUNT: Readonly<Record<string, number>> = { flatten: 0.5, smooth: 0.5, paint: 1, plants: 0.5 };
const FIRST_METRES = 0.5;

/** Returns the possible values of a declared field. */
function wordsOf(declared: DeclaredForm | string | null, key: string): readonly string[] {
	if (declared === null || typeof declared === 'string') return [];
	const control: FormField['control'] | undefined = declared.fields.find(
		(field) => field.key === key,
	)?.control;
	if (control?.kind === 'word') return control.words;
	return control?.kind === 'text' ? control.examples : [];
}

export function BrushBar() {
	const { tools } = usePanels();
	const edits = useDeclared('POST /terrain/edit');
	const plants = useDeclared('POST /foliage/scatter');
	const brush = tools.brush.value;
	const set = (part: Partial<Brush>): void => {
		tools.brush.value = { ...brush, ...part };
	};
	const ops = [...wordsOf(edits, 'op').filter((op) => !NO_STROKES.includes(op)), 'plants'];
	const isShare = brush.op in FIRST_AMOUNT && brush.op !== 'plants';
	return (
		<div class="tool-bar plate brush-bar" role="toolbar" aria-label="Brush">
			<Words
				label="Stroke"
				value={brush.op}
				words={ops}
				choose={(op) => set({ op, amount: FIRST_AMOUNT[op] ?? FIRST_METRES })}
			/>
			{brush.op === 'paint' && (
				<Words
					label="Layer"
					value={brush.layer}
					words={wordsOf(edits, 'layer')}
					choose={(layer) => set({ layer })}
				/>
			)}
			{brush.op === 'plants' && (
				<Words
					label="Plant"
					value={brush.plant}
					words={wordsOf(plants, 'mesh_name')}
					choose={(plant) => set({ plant })}
				/>
			)}
			<Amount label="Radius" unit="m" value={brush.radius} change={(radius) => set({ radius })} />
			<Amount
				label={brush.op === 'plants' ? 'Density' : 'Strength'}
				unit={brush.op === 'plants' ? '1/m²' : isShare ? '×' : 'm'}
				value={brush.amount}
				change={(amount) => set({ amount })}
			/>
		</div>
	);
}

function Words({
	label,
	value,
	words,
	choose,
}: {
	readonly label: string;
	readonly value: string;
	readonly words: readonly string[];
	readonly choose: (word: string) => void;
}) {
	return (
		<span class="field choice brush-words">
			<select
				aria-label={label}
				title={label}
				value={value}
				onChange={(event) => choose(event.currentTarget.value)}
			>
				{words.map((word) => (
					<option key={word} value={word}>
						{labelOf(word)}
					</option>
				))}
			</select>
		</span>
	);
}

/** A field for a number above 0. Other values are reset. */
function Amount({
	label,
	unit,
	value,
	change,
}: {
	readonly label: string;
	readonly unit: string;
	readonly value: number;
	readonly change: (value: number) => void;
}) {
	return (
		<label class="step-field row" title={label}>
			<input
				key={value}
				inputMode="decimal"
				autocomplete="off"
				aria-label={`${label}, ${unit}`}
				defaultValue={exactNumber(value)}
				onKeyDown={(event) => {
					if (event.key === 'Enter') event.currentTarget.blur();
				}}
				onBlur={(event) => {
					const number = readNumber(event.currentTarget.value);
					if (number !== null && number > 0) change(number);
					else event.currentTarget.value = exactNumber(value);
				}}
			/>
			<span>{unit}</span>
		</label>
	);
}
