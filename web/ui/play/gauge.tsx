/** A bar of health or mana, with the value at the left and the maximum at the right. Owns: its looks. */

import { formatNumber } from '../numbers.ts';

interface GaugeProps {
	readonly name: string;
	readonly unit: string;
	readonly kind: 'health' | 'mana';
	readonly value: readonly [current: number, max: number];
}

/** Health below this share of its maximum has a warning. */
const LOW = 0.25;

export function Gauge({ name, unit, kind, value: [current, max] }: GaugeProps) {
	const share = max > 0 ? Math.min(1, Math.max(0, current / max)) : 0;
	const width = `${share * 100}%`;
	return (
		<div class={`gauge ${kind}${kind === 'health' && share < LOW ? ' low' : ''}`}>
			<meter class="only-said" aria-label={name} min={0} max={max} value={current} />
			<i class="lag" style={{ width }} />
			<i style={{ width }} />
			<span>
				<span class="gauge-now">{formatNumber(Math.ceil(current))}</span>
				<span>
					{formatNumber(max, 0)} {unit}
				</span>
			</span>
		</div>
	);
}
