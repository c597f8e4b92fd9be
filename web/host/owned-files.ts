/**
 * Files of an agent that has signed in.
 * Owns: the name of the agent in each write. The relay knows the owner of each file, and decides.
 */

import type { Agent } from '../../shared/contract/principal.ts';
import { beforeWrite, type HostFiles } from '../store/files.ts';

export function filesFor({ id }: Agent, files: HostFiles): HostFiles {
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
