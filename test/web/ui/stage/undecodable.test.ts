/** Notices about assets that cannot be decoded. */

import { signal } from '@preact/signals';
import { expect, test } from 'vitest';
import type { ViewHandle } from '../../../../web/render/view-host.ts';
import { createUndecodable } from '../../../../web/ui/stage/undecodable.ts';

test('an undecodable asset of the view or the page is reported once, while a listener exists', () => {
	const listeners = new Set<(hash: string) => void>();
	const view = signal<Pick<ViewHandle, 'onUndecodable'> | null>(null);
	const refused: string[] = [];
	const undecodable = createUndecodable(
		{ view },
		{ refuse: (what, { sentence, fix }) => refused.push(`${what}: ${sentence} ${fix}`) },
	);
	view.value = {
		onUndecodable(listener) {
			listeners.add(listener);
			return () => listeners.delete(listener);
		},
	};
	for (const hash of ['abc', 'abc', 'def']) for (const listener of listeners) listener(hash);
	undecodable.report('def');
	undecodable.report('123');
	expect(refused.map((text) => /asset (\w+) .*POST \/asset\/upload/.exec(text)?.[1])).toEqual([
		'abc',
		'def',
		'123',
	]);
	undecodable.stop();
	expect(listeners.size).toBe(0);
});
