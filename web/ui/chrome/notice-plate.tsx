/**
 * Plate over the page with the last refusal or result. It closes by a click, or after the time to read it.
 * Owns: the plate and its time. Never: closes under the pointer or the focus.
 */

import { useEffect, useState } from 'preact/hooks';
import { IconButton } from '../controls/icon-button.tsx';
import { Icon } from '../drawn/icon.tsx';
import { usePanels } from '../state/panels.ts';

/** Time for something to do next, or for what was done; and again after a person pointed at them. */
const LONG_MS = 12_000;
const TOLD_MS = 6000;

export function NoticePlate() {
	const { navigation } = usePanels();
	const notice = navigation.notice.value;
	const [isHeld, setHeld] = useState(false);
	useEffect(() => {
		if (notice === null || isHeld) return;
		const duration = 'refusal' in notice || notice.next.length > 0 ? LONG_MS : TOLD_MS;
		const timer = setTimeout(() => {
			navigation.notice.value = null;
		}, duration);
		return () => clearTimeout(timer);
	}, [navigation, notice, isHeld]);
	// A closed plate gets no event when the pointer or the focus leaves it.
	useEffect(() => setHeld(false), [notice]);
	const plate = notice !== null && (
		<div
			class={`plate notice${'refusal' in notice ? ' refused' : ''}`}
			key={notice.number}
			onPointerEnter={() => setHeld(true)}
			onPointerLeave={() => setHeld(false)}
			onFocusIn={() => setHeld(true)}
			onFocusOut={() => setHeld(false)}
		>
			<Icon name={'refusal' in notice ? 'warn' : 'check'} />
			<p>
				{'refusal' in notice ? (
					<>
						<b>{notice.what} was refused.</b> {notice.refusal.sentence}{' '}
						<span class="soft">{notice.refusal.fix}</span>
					</>
				) : (
					<>
						{notice.result} <span class="soft">{notice.soft}</span>
					</>
				)}
			</p>
			{!('refusal' in notice) &&
				notice.next.map(({ label, take }) => (
					<button
						key={label}
						type="button"
						class="button small"
						onClick={() => {
							navigation.notice.value = null;
							take();
						}}
					>
						{label}
					</button>
				))}
			<IconButton
				icon="close"
				small
				name="Close"
				title="Close (Esc)"
				onClick={() => {
					navigation.notice.value = null;
				}}
			/>
		</div>
	);
	const refused = notice !== null && 'refusal' in notice;
	return (
		<div class="notices">
			<div role="alert">{refused && plate}</div>
			<div role="status">{!refused && plate}</div>
		</div>
	);
}
