/**
 * The last refusal, on a plate over the page, until it is closed or was there long enough to be read.
 * Owns: the plate and its time. Never: goes away under the pointer or the focus.
 */

import { useEffect, useState } from 'preact/hooks';
import { Icon } from '../drawn/icon.tsx';
import { usePanels } from '../state/panels.ts';

/** Time for two sentences, and again after somebody was at them. */
const SHOWN_MS = 12_000;

export function NoticePlate() {
	const { navigation } = usePanels();
	const notice = navigation.notice.value;
	const [held, setHeld] = useState(false);
	useEffect(() => {
		if (notice === null || held) return;
		const timer = setTimeout(() => {
			navigation.notice.value = null;
		}, SHOWN_MS);
		return () => clearTimeout(timer);
	}, [navigation, notice, held]);
	// A plate that is gone is held by nobody.
	useEffect(() => setHeld(false), [notice]);
	return (
		<div class="notices" role="alert">
			{notice !== null && (
				<div
					class="plate notice"
					key={notice.number}
					onPointerEnter={() => setHeld(true)}
					onPointerLeave={() => setHeld(false)}
					onFocusIn={() => setHeld(true)}
					onFocusOut={() => setHeld(false)}
				>
					<Icon name="warn" />
					<p>
						<b>{notice.what} was refused.</b> {notice.refusal.sentence}{' '}
						<span class="soft">{notice.refusal.fix}</span>
					</p>
					<button
						type="button"
						class="button quiet square small"
						aria-label="Close"
						title="Close (Esc)"
						onClick={() => {
							navigation.notice.value = null;
						}}
					>
						<Icon name="close" small />
					</button>
				</div>
			)}
		</div>
	);
}
