/** Process that tries to lock a folder, sends the result to its parent, and runs until it is killed. */

import { lockFolder } from '../../../relay/journal/owner-lock.ts';

lockFolder(process.argv[2]!).then(
	() => process.send!('holds'),
	(error: Error) => process.send!(error.message),
);
setInterval(() => {}, 1000);
