/**
 * State of the selected world in the bar: signature, tick and digest.
 * Owns: their layout.
 */

import { groupDigest } from '../drawn/digest.ts';
import { Signature } from '../drawn/signature.tsx';
import { formatNumber, formatTime } from '../numbers.ts';
import { usePanels } from '../state/panels.ts';

export function TickBox() {
	const selectedWorld = usePanels().worlds.selectedInfo.value;
	if (selectedWorld === null) return <span class="tick-box faint">Waiting for the world</span>;
	return (
		<div class="tick-box" title={`${formatTime(selectedWorld.tick)} of world time; state digest, FNV-1a 64`}>
			<Signature digest={selectedWorld.digest} size={26} />
			<div>
				<b>tick {formatNumber(selectedWorld.tick)}</b>
				<span class="mono soft">{groupDigest(selectedWorld.digest)}</span>
			</div>
		</div>
	);
}
