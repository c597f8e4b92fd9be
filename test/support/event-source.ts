/** A reader of server-sent events. Owns: their parsing, as the HTML standard says it. */

export interface ServerEvent {
	readonly id: string;
	/** `message` for an event without a name. */
	readonly name: string;
	readonly data: unknown;
}

export interface EventWatch {
	/** Resolves with the next events when there are so many. */
	take(count: number): Promise<ServerEvent[]>;
	/** Resolves when the server has ended the stream. */
	readonly ended: Promise<void>;
	close(): void;
}

/** Opens a stream, after the event with an id if one is given. Resolves when its position is known. */
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
	const begun = Promise.withResolvers<void>();
	let came = (): void => {};
	let id = '';
	const take = (block: string): void => {
		let [name, data] = ['message', ''];
		for (const line of block.split('\n')) {
			const [field, ...rest] = line.split(': ');
			const value = rest.join(': ');
			if (field === 'id') id = value;
			else if (field === 'event') name = value;
			else if (field === 'data') data += value;
		}
		if (id !== '') begun.resolve();
		if (data !== '') events.push({ id, name, data: JSON.parse(data) });
		came();
	};
	const read = async (): Promise<void> => {
		let text = '';
		for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
			text += chunk;
			const blocks = text.split('\n\n');
			text = blocks.pop()!;
			for (const block of blocks) take(block);
		}
	};
	const ended = read().catch((error: unknown) => {
		if (!closing.signal.aborted) throw error;
	});
	await begun.promise;
	return {
		async take(count) {
			while (events.length < count)
				await new Promise<void>((resolve) => {
					came = resolve;
				});
			return events.splice(0, count);
		},
		ended,
		close: () => closing.abort(),
	};
}
