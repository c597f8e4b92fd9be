/**
 * The state of the selected world: signature, tick and digest.
 * Owns: how a state is named in the bar.
 */

import { groupDigest } from '../drawn/digest.ts';
import { Signature } from '../drawn/signature.tsx';
import { formatNumber, formatTime } from '../numbers.ts';
import { usePanels } from '../state/panels.ts';

export function TickBox() {
	const currentWorld = usePanels().worlds.here.value;
	if (currentWorld === null) return <span class="tick-box faint">Waiting for the world</span>;
	return (
		<div class="tick-box" title={`${formatTime(currentWorld.tick)} of world time; state digest, FNV-1a 64`}>
			<Signature digest={currentWorld.digest} size={26} />
			<div>
				<b>tick {formatNumber(currentWorld.tick)}</b>
				<span class="mono soft">{groupDigest(currentWorld.digest)}</span>
			</div>
		</div>
	);
}
