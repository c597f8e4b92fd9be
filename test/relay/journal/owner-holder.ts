/** A process that takes the lock of a folder, says what came of it, and lives until it is killed. */

import { lockFolder } from '../../../relay/journal/owner-lock.ts';

lockFolder(process.argv[2]!).then(
	() => process.send!('holds'),
	(error: Error) => process.send!(error.message),
);
setInterval(() => {}, 1000);
