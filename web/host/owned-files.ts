/**
 * Files of an agent that has signed in.
 * Owns: the id of the agent in each write. The relay knows the owner of each file, and refuses writes of others.
 */

import type { Agent } from '../../shared/contract/principal.ts';
import { beforeWrite, type HostFiles } from '../store/files.ts';

/** Returns the same files, with the agent's id in each write. */
export function filesOfAgent({ id }: Agent, files: HostFiles): HostFiles {
	return {
		get storage() {
			return files.storage;
		},
		most: files.most,
		read: (path) => files.read(path),
		list: async () => (await files.list?.()) ?? [],
		before: (path) => beforeWrite(files, path),
		write: (path, bytes) => files.write(path, bytes, id),
	};
}
