/** A process that takes the lock of a folder, says what came of it, and lives until it is killed. */

import { lockFolder } from '../../../relay/journal/folder-lock.ts';

try {
	const lock = await lockFolder(process.argv[2]!);
	process.send!('holds');
	process.on('disconnect', () => void lock.release());
} catch (error) {
	process.send!((error as Error).message);
}
