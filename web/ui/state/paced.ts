/**
 * Work that is asked for more often than it may be done.
 * Owns: its pace: one run at a time and a rest between two.
 */

export interface Paced {
	ask(): void;
	stop(): void;
}

/**
 * Runs `work` when asked, one run at a time and with a rest between two; what is asked for meanwhile runs once, after.
 */
export function paced(rest: () => number, work: () => Promise<void>): Paced {
	let busy = false;
	let again = false;
	let stopped = false;
	let timer: ReturnType<typeof setTimeout> | undefined;
	const run = async (): Promise<void> => {
		busy = true;
		again = false;
		await work();
		timer = setTimeout(() => {
			busy = false;
			if (again && !stopped) void run();
		}, rest());
	};
	return {
		ask() {
			if (busy) again = true;
			else if (!stopped) void run();
		},
		stop() {
			stopped = true;
			clearTimeout(timer);
		},
	};
}
