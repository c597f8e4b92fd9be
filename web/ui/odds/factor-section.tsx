/**
 * One independent draw: its sources, their conditions, and the unit interval divided by its outcomes.
 * Owns: the cells of the ruler. The drawn cell is brass; the cell of the highlighted row has a brass edge.
 */

import { Icon } from '../drawn/icon.tsx';
import { labelOfId } from '../entities/entity.ts';
import type { ShownRule } from '../make/rules/rules-state.ts';
import { usePanels } from '../state/panels.ts';
import { writtenFraction as formatFraction, saidFraction as spokenFraction } from './fraction-words.ts';
import { allDraws, type Choice, type Factor, rulerCells } from './odds.ts';
import { describeRule, sourceName } from './rule-line.ts';

interface FactorProps {
	readonly factor: Factor;
	readonly rules: ReadonlyMap<number, ShownRule>;
	/** Index of the outcome that was drawn, or -1. */
	readonly drawn: number;
	/** Index of the outcome in the highlighted row, or -1. */
	readonly highlighted: number;
}

/** Maximum number of rules of a factor that are named one by one. */
const MAX_NAMED = 3;

export function FactorSection({ factor, rules, drawn, highlighted }: FactorProps) {
	const { entities } = usePanels();
	const draws = allDraws(factor.outcomes);
	const sources = [...new Set(draws.map(({ rule }) => rule))];
	const entityIds = [...new Set(draws.flatMap(({ entity }) => (entity === null ? [] : [entity])))];
	const selected = entityIds.some((id) => id === entities.selectedId.value);
	const names = sources.slice(0, MAX_NAMED).map((source) => sourceName(source, rules));
	const more = sources.length - names.length;
	return (
		<section class={`factor${selected ? ' selected' : ''}`} aria-label={names.join(' and ')}>
			<h3 class="row">
				<Icon name={sources[0] === 'crit' ? 'blow' : 'odds'} small />
				<span class="cut">
					{names.join(' and ')}
					{more > 0 && ` and ${more} more`}
				</span>
				<span class="grow" />
				<Sources sources={sources} />
				{entityIds.slice(0, MAX_NAMED).map((id) => (
					<button
						key={id}
						type="button"
						class="chip"
						aria-pressed={id === entities.selectedId.value}
						title={`Select ${labelOfId(entities.list.value, id)}`}
						onClick={() => entities.select(id)}
					>
						{labelOfId(entities.list.value, id)}
					</button>
				))}
			</h3>
			{sources.slice(0, MAX_NAMED).map((source) => {
				const rule = typeof source === 'number' ? rules.get(source) : undefined;
				return rule && <code key={source}>{describeRule(rule)}</code>;
			})}
			<Ruler factor={factor} drawn={drawn} highlighted={highlighted} />
		</section>
	);
}

function Sources({ sources }: { readonly sources: readonly Choice['rule'][] }) {
	if (sources.length > 1) return <span class="faint">{sources.length} linked sources</span>;
	return typeof sources[0] === 'number' ? <span class="faint">rule {sources[0]}</span> : null;
}

function Ruler({ factor, drawn, highlighted }: Pick<FactorProps, 'factor' | 'drawn' | 'highlighted'>) {
	const cells = rulerCells(factor);
	const text = cells.map(({ label, probability }) => `${label} ${spokenFraction(probability)}`).join(', ');
	const cell = cells.find(({ outcome }) => outcome === drawn);
	return (
		<div class="ruler" role="img" aria-label={text + (cell ? `; drawn: ${cell.label}` : '')}>
			<div class="ruler-cells">
				{cell !== undefined && (
					<b class="ruler-pointer" style={{ left: `${(cell.from + cell.width / 2) * 100}%` }} />
				)}
				{cells.map(({ outcome, from, width, label, probability }) => {
					const state = outcome === null ? ' rest' : outcome === drawn ? ' drawn' : '';
					return (
						<span
							key={outcome}
							class={`ruler-cell${state}${outcome !== null && outcome === highlighted ? ' lit' : ''}`}
							style={{ left: `${from * 100}%`, width: `${width * 100}%` }}
							title={`${label} ${formatFraction(probability)}`}
						>
							<span class="cut">
								{label}
								<i> {formatFraction(probability)}</i>
							</span>
						</span>
					);
				})}
			</div>
			<span class="ruler-ends">
				<span>0</span>
				<span>1</span>
			</span>
		</div>
	);
}
