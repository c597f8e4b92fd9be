/**
 * The state of the selected world: signature, tick and digest.
 * Owns: how a state is named, small in the bar and large in Make.
 */

import { groupDigest } from '../drawn/digest.ts';
import { Signature } from '../drawn/signature.tsx';
import { formatNumber, formatTime } from '../numbers.ts';
import { usePanels } from '../state/panels.ts';

export function TickBox() {
	const here = usePanels().worlds.here.value;
	if (here === null) return <span class="tick-box faint">Waiting for the world</span>;
	return (
		<div class="tick-box" title={`${formatTime(here.tick)} of world time; state digest, FNV-1a 64`}>
			<Signature digest={here.digest} size={26} />
			<div>
				<b>tick {formatNumber(here.tick)}</b>
				<span class="mono soft">{groupDigest(here.digest)}</span>
			</div>
		</div>
	);
}

/** The same, large, with the words: the corner of Make. */
export function StateBox() {
	const here = usePanels().worlds.here.value;
	return (
		<section class="state-box" aria-label="State">
			<Signature digest={here?.digest ?? ''} size={64} />
			<dl>
				<dt>Tick</dt>
				<dd>
					{here === null ? 'none yet' : formatNumber(here.tick)}{' '}
					<span class="faint">{here !== null && formatTime(here.tick)}</span>
				</dd>
				<dt>State digest, FNV-1a 64</dt>
				<dd class="mono">{here === null ? 'none yet' : groupDigest(here.digest)}</dd>
			</dl>
		</section>
	);
}
