/** A fake session for pages that need no sign-in. */

import { signal } from '@preact/signals';
import type { PageSession } from '../../web/ui/session/page-session.ts';

export const NO_SESSION: PageSession = {
	who: signal({ required: false, agent: null, access: null }),
	headers: () => ({}),
	signIn: () => Promise.reject(new Error('This test has no sign-in.')),
	signOut: () => Promise.resolve(),
	refreshIdentity: () => Promise.resolve(),
};
