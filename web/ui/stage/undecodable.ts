/** Reports of pictures that cannot be decoded. Owns: reporting each picture once. */

import { effect, type ReadonlySignal } from '@preact/signals';
import type { ViewHandle } from '../../render/view-host.ts';
import type { Navigation } from '../state/navigation.ts';

export interface UndecodableReports {
	/** Reports a picture, by the hash of its bytes. */
	report(hash: string): void;
	stop(): void;
}

export function createUndecodable(
	{ view }: { readonly view: ReadonlySignal<Pick<ViewHandle, 'onUndecodable'> | null> },
	navigation: Pick<Navigation, 'refuse'>,
): UndecodableReports {
	const reported = new Set<string>();
	const tell = (hash: string): void => {
		if (reported.has(hash)) return;
		reported.add(hash);
		navigation.refuse('Drawing a picture', {
			sentence: `The asset ${hash} is not a readable picture, so it is not drawn.`,
			fix: 'The file may be cut off or damaged. Upload it again with POST /asset/upload, and use the new hash.',
		});
	};
	return { report: tell, stop: effect(() => view.value?.onUndecodable(tell)) };
}
