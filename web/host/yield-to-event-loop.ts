/** Yields to other events without a timer, because browsers slow down timers in hidden tabs and nested calls. */

const waitingResolvers: (() => void)[] = [];
let channel: MessageChannel | undefined;

/** Resolves once messages that have already arrived are handled. */
export function yieldToEventLoop(): Promise<void> {
	if (typeof setImmediate === 'function') return new Promise((resolve) => setImmediate(resolve));
	if (channel === undefined) {
		channel = new MessageChannel();
		channel.port1.onmessage = () => waitingResolvers.shift()?.();
	}
	const { port2 } = channel;
	return new Promise((resolve) => {
		waitingResolvers.push(resolve);
		port2.postMessage(null);
	});
}
