/** Yielding to other work between ticks without a timer, because browsers slow down timers in hidden tabs and nested calls. */

const waiting: (() => void)[] = [];
let channel: MessageChannel | undefined;

/** Resolves once messages that have already arrived are handled. */
export function yieldToEventLoop(): Promise<void> {
	if (typeof setImmediate === 'function') return new Promise((resolve) => setImmediate(resolve));
	if (channel === undefined) {
		channel = new MessageChannel();
		channel.port1.onmessage = () => waiting.shift()?.();
	}
	const { port2 } = channel;
	return new Promise((resolve) => {
		waiting.push(resolve);
		port2.postMessage(null);
	});
}
