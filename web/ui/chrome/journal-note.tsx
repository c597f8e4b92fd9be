/**
 * Notice about the journal of a page's world: the progress of reading it, or that it stores no new entries.
 * Owns: the words. Usually it is empty.
 */

import { Icon } from '../drawn/icon.tsx';
import { formatNumber } from '../numbers.ts';
import { usePanels } from '../state/panels.ts';

export function JournalNote() {
	const { services } = usePanels();
	const reading = services.reading.value;
	const unkept = services.status.value?.unkept;
	if (reading === null && unkept === undefined) return null;
	return (
		<aside class="visit-note" aria-label="Journal">
			<Icon name={reading === null ? 'warn' : 'look'} small />
			<p role="status">
				{reading === null ? (
					<>
						<b>Not stored.</b> {unkept}{' '}
						<span class="soft">Changes are refused until the journal works again.</span>
					</>
				) : (
					<>
						<b>Reading the journal.</b> Entry {formatNumber(reading.next)} of {formatNumber(reading.end)}.
					</>
				)}
			</p>
		</aside>
	);
}
