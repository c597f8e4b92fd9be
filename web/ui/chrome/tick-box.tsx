/**
 * The state of the selected world: signature, tick and digest.
 * Owns: how a state is named in the bar.
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
