/**
 * Opens the page in the user's default browser.
 * Owns: the command of each system, and the check for a display.
 */

import { spawn } from 'node:child_process';

/** Returns true if a browser window can appear on this machine. */
export function hasDisplay(): boolean {
	if (process.platform !== 'linux') return process.env.SSH_CONNECTION === undefined;
	return Boolean(process.env.DISPLAY || process.env.WAYLAND_DISPLAY);
}

/** Opens an address in the default browser. Resolves to false if its command cannot be started. */
export function openPage(url: string): Promise<boolean> {
	const [program, ...args] =
		process.platform === 'darwin'
			? ['open', url]
			: process.platform === 'win32'
				? ['cmd', '/c', 'start', '', url.replaceAll('&', '^&')]
				: ['xdg-open', url];
	return new Promise((resolve) => {
		const child = spawn(program!, args, { stdio: 'ignore', detached: true });
		child.once('error', () => resolve(false));
		child.once('spawn', () => {
			// The browser belongs to the user now, and outlives the relay.
			child.unref();
			resolve(true);
		});
	});
}
