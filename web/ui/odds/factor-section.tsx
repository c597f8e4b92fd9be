/**
 * One independent draw: its source, what that waits for, and the unit interval cut by its outcomes.
 * Owns: the ruler's cells. The drawn one is brass; the one of the row that is pointed at has a brass edge.
 */

import { Icon } from '../drawn/icon.tsx';
import { labelOfId } from '../entities/entity.ts';
import type { ShownRule } from '../make/rules/rules-state.ts';
import { usePanels } from '../state/panels.ts';
import { saidFraction, writtenFraction } from './fraction-words.ts';
import { type Choice, drawsMet, type Factor, rulerCells } from './odds.ts';
import { ruleWords, sourceName } from './rule-line.ts';

interface FactorProps {
	readonly factor: Factor;
	readonly rules: ReadonlyMap<number, ShownRule>;
	/** Index of the outcome that was drawn, or -1. */
	readonly drawn: number;
	/** Index of the outcome in the row that is pointed at, or -1. */
	readonly lit: number;
}

/** Maximum number of rules of a group that are named one by one. */
const NAMED = 3;

export function FactorSection({ factor, rules, drawn, lit }: FactorProps) {
	const { entities } = usePanels();
	const draws = drawsMet(factor.outcomes);
	const sources = [...new Set(draws.map(({ rule }) => rule))];
	const about = [...new Set(draws.flatMap(({ entity }) => (entity === null ? [] : [entity])))];
	const selected = about.some((id) => id === entities.selectedId.value);
	const names = sources.slice(0, NAMED).map((source) => sourceName(source, rules));
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
				{about.slice(0, NAMED).map((id) => (
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
			{sources.slice(0, NAMED).map((source) => {
				const rule = typeof source === 'number' ? rules.get(source) : undefined;
				return rule && <code key={source}>{ruleWords(rule)}</code>;
			})}
			<Ruler factor={factor} drawn={drawn} lit={lit} />
		</section>
	);
}

function Sources({ sources }: { readonly sources: readonly Choice['rule'][] }) {
	if (sources.length > 1) return <span class="faint">{sources.length} linked sources</span>;
	return typeof sources[0] === 'number' ? <span class="faint">rule {sources[0]}</span> : null;
}

function Ruler({ factor, drawn, lit }: Pick<FactorProps, 'factor' | 'drawn' | 'lit'>) {
	const cells = rulerCells(factor);
	const text = cells.map(({ label, probability }) => `${label} ${saidFraction(probability)}`).join(', ');
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
							class={`ruler-cell${state}${outcome !== null && outcome === lit ? ' lit' : ''}`}
							style={{ left: `${from * 100}%`, width: `${width * 100}%` }}
							title={`${label} ${writtenFraction(probability)}`}
						>
							<span class="cut">
								{label}
								<i> {writtenFraction(probability)}</i>
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
