/**
 * Files as an agent that has signed in may write them: its own, and those of nobody, which become its own.
 * Owns: asking the relay, which knows whose a file is. What is written under the hash of its bytes is everybody's.
 */

import type { Desk } from '../../shared/contract/errand.ts';
import { ASSETS_FOLDER } from '../../shared/contract/file-path.ts';
import type { Agent } from '../../shared/contract/principal.ts';
import { beforeWrite, type HostFiles } from './files.ts';

export function ownedFiles(files: HostFiles, { id }: Agent, desk: Desk): HostFiles {
	return {
		get storage() {
			return files.storage;
		},
		most: files.most,
		read: (path) => files.read(path),
		list: async () => (await files.list?.()) ?? [],
		before: (path) => beforeWrite(files, path),
		async write(path, bytes) {
			if (!path.startsWith(`${ASSETS_FOLDER}/`)) await desk.ask('claim', { path, agent_id: id });
			await files.write(path, bytes);
		},
	};
}
