/**
 * Checks of the odds, which the page computes from the engine's answer.
 * Owns: the checks at the foot of the view.
 */

import { Icon } from '../drawn/icon.tsx';
import { count, formatMs } from '../numbers.ts';
import { usePanels } from '../state/panels.ts';
import type { Foretold } from './foretell.ts';
import { isShort } from './fraction.tsx';
import { decimal, writtenFraction } from './fraction-words.ts';
import type { LastStep } from './last-step.ts';
import { isOne, sumOf } from './odds.ts';

interface Check {
	/** Null for a note that is neither good nor bad. */
	readonly holds: boolean | null;
	readonly words: string;
}

function sumCheck({ peek }: Foretold): Check {
	const sum = sumOf(peek.distribution);
	if (peek.exact) {
		const holds = isOne(sum);
		return { holds, words: holds ? 'The sum is exactly 1' : `The sum is ${writtenFraction(sum)}, not 1` };
	}
	return {
		holds: null,
		words: `Listed: ${isShort(sum) ? writtenFraction(sum) : decimal(peek.covered)} of 1`,
	};
}

function stepChecks({ foretold, drawn, agrees, digest }: LastStep): Check[] {
	const checks: Check[] = [];
	if (agrees === true) checks.push({ holds: true, words: 'Peek and step agree, byte for byte' });
	if (foretold !== null && drawn.length > 0) {
		const holds = drawn.some((row) => foretold.rows[row]!.branch.state_digest === digest);
		checks.push({ holds, words: `The digest after the step is ${holds ? 'as' : 'not as'} predicted` });
	}
	return checks;
}

export function OddsChecks() {
	const { odds } = usePanels();
	const last = odds.shown.value === 'last' ? odds.last.value : null;
	const foretold = last === null ? odds.next.foretold.value : last.foretold;
	if (foretold === null) return <footer class="odds-checks row" />;
	const factors = foretold.peek.factors.length;
	const checks: Check[] = [
		sumCheck(foretold),
		...(last === null
			? factors > 1
				? [{ holds: null, words: count(factors, 'independent draw') }]
				: []
			: stepChecks(last)),
	];
	return (
		<footer class="odds-checks row">
			{checks.map(({ holds, words }) => (
				<span key={words} class={`row ${holds === null ? 'soft' : holds ? 'good' : 'bad'}`}>
					{holds !== null && <Icon name={holds ? 'check' : 'warn'} small />}
					{words}
				</span>
			))}
			<span class="grow" />
			<span class="mono soft">POST /peek {formatMs(foretold.ms)} ms</span>
		</footer>
	);
}
