/**
 * Opens the page in the person's own browser.
 * Owns: the command of each system, and the test for a screen.
 */

import { spawn } from 'node:child_process';

/** Returns true if a browser window can appear on this machine. */
export function hasDisplay(): boolean {
	if (process.platform !== 'linux') return process.env.SSH_CONNECTION === undefined;
	return Boolean(process.env.DISPLAY || process.env.WAYLAND_DISPLAY);
}

/** Opens an address in the default browser. Answers false if that could not even be tried. */
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
			// It belongs to the person from here on, and outlives the relay.
			child.unref();
			resolve(true);
		});
	});
}
