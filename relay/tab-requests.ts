/**
 * Requests of an engine to the relay: files of the data folder, and work that only the relay can do.
 * Owns: the answers. Never: rejects.
 */

import type { LinkFrame } from '../shared/transport/link.ts';
import type { DataFiles } from './data-files.ts';
import type { EngineRequests } from './engine-requests.ts';
import type { Tab } from './tab-connection.ts';

type TabRequest = LinkFrame & { readonly kind: 'read' | 'write' | 'ask' };

export async function serveRequest(
	tab: Tab,
	frame: TabRequest,
	{ files, engineRequests }: { readonly files: DataFiles; readonly engineRequests: EngineRequests },
): Promise<void> {
	const { id } = frame;
	if (frame.kind === 'ask') {
		tab.send({ kind: 'errand-answer', id, bytes: await engineRequests.run(frame.errand, frame.bytes) });
		return;
	}
	const fileResult =
		frame.kind === 'read' ? files.read(frame.path) : files.write(frame.path, frame.bytes, frame.agent);
	const { outcome, bytes } = await fileResult;
	tab.send({ kind: 'file', id, outcome, bytes });
}
