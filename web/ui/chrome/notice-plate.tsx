/**
 * The last refusal, on a plate over the page, until it is closed.
 * Owns: the plate. Never: goes away by itself.
 */

import { Icon } from '../drawn/icon.tsx';
import { usePanels } from '../state/panels.ts';

export function NoticePlate() {
	const { navigation } = usePanels();
	const notice = navigation.notice.value;
	return (
		<div class="notices" role="alert">
			{notice !== null && (
				<div class="plate notice" key={notice.number}>
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
