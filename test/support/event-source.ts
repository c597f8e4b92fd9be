/** A reader of server-sent events. Owns: parsing them, as the HTML standard defines it. */

export interface ServerEvent {
	readonly id: string;
	/** Name of the event; `message` if it has none. */
	readonly name: string;
	readonly data: unknown;
}

export interface EventWatch {
	/** Waits for `count` events, and returns them. */
	take(count: number): Promise<ServerEvent[]>;
	/** Resolves when the server has ended the stream. */
	readonly ended: Promise<void>;
	close(): void;
}

/** Opens a stream after the event `lastId`. Resolves when the server has sent the position of the stream. */
export async function watchEvents(url: string, lastId?: string): Promise<EventWatch> {
	const closing = new AbortController();
	const headers = {
		accept: 'text/event-stream',
		...(lastId === undefined ? {} : { 'last-event-id': lastId }),
	};
	const response = await fetch(url, { headers, signal: closing.signal });
	if (response.status !== 200)
		throw new Error(`${url} answered ${response.status}: ${await response.text()}`);
	const events: ServerEvent[] = [];
	const positionKnown = Promise.withResolvers<void>();
	let notifyArrival = (): void => {};
	let id = '';
	const readBlock = (block: string): void => {
		let [name, data] = ['message', ''];
		for (const line of block.split('\n')) {
			const [field, ...rest] = line.split(': ');
			const value = rest.join(': ');
			if (field === 'id') id = value;
			else if (field === 'event') name = value;
			else if (field === 'data') data += value;
		}
		if (id !== '') positionKnown.resolve();
		if (data !== '') events.push({ id, name, data: JSON.parse(data) });
		notifyArrival();
	};
	const read = async (): Promise<void> => {
		let text = '';
		for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
			text += chunk;
			const blocks = text.split('\n\n');
			text = blocks.pop()!;
			for (const block of blocks) readBlock(block);
		}
	};
	const ended = read().catch((error: unknown) => {
		if (!closing.signal.aborted) throw error;
	});
	await positionKnown.promise;
	return {
		async take(count) {
			while (events.length < count)
				await new Promise<void>((resolve) => {
					notifyArrival = resolve;
				});
			return events.splice(0, count);
		},
		ended,
		close: () => closing.abort(),
	};
}
