/** Pictures that cannot be decoded, told to the person. Owns: that each is reported once. */

import { effect, type ReadonlySignal } from '@preact/signals';
import type { ViewHandle } from '../../render/view-host.ts';
import type { Navigation } from '../state/navigation.ts';

export interface UndecodableReports {
	/** Reports a picture, by the hash of its bytes. */
	tell(hash: string): void;
	stop(): void;
}

export function createUndecodable(
	{ view }: { readonly view: ReadonlySignal<Pick<ViewHandle, 'onUndecodable'> | null> },
	navigation: Pick<Navigation, 'refuse'>,
): UndecodableReports {
	const told = new Set<string>();
	const tell = (hash: string): void => {
		if (told.has(hash)) return;
		told.add(hash);
		navigation.refuse('Drawing a picture', {
			sentence: `The asset ${hash} is not a readable picture, so it is not drawn.`,
			fix: 'The file may be cut off or damaged. Upload it again with POST /asset/upload, and use the new hash.',
		});
	};
	return { tell, stop: effect(() => view.value?.onUndecodable(tell)) };
}
