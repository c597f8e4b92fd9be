/** The buttons that save the selected world as a file, or copy a link to it. Owns: their layout. */

import { Icon } from '../drawn/icon.tsx';
import { usePanels } from '../state/panels.ts';
import { reachWords } from './sharing-state.ts';

export function ShareButtons() {
	const { sharing, worlds } = usePanels();
	const disabled = sharing.busy.value !== null || worlds.selectedInfo.value === null;
	return (
		<div class="row share-buttons">
			<button
				type="button"
				class="button small"
				disabled={disabled}
				title="One file with the world and all that it uses"
				onClick={() => void sharing.save()}
			>
				<Icon name="down" small />
				Save as a file
			</button>
			<button
				type="button"
				class="button small"
				disabled={disabled}
				title={`A link that carries a copy of the world as it is now, up to 100 KB; ${reachWords(location.hostname)}`}
				onClick={() => void sharing.copyLink()}
			>
				<Icon name="copy" small />
				Copy a link
			</button>
		</div>
	);
}
