/**
 * The messages of the Model Context Protocol on standard streams: JSON-RPC 2.0, one message a line.
 * Owns: which answer belongs to which request, requests that are cancelled, and what is said about broken ones.
 * Source: modelcontextprotocol.io, Transports (stdio) and Base Protocol; www.jsonrpc.org/specification.
 */

/** Does a request and answers its result. Throws `ProtocolError` for one that is not understood. */
export type Method = (params: Record<string, unknown>, signal: AbortSignal) => Promise<object> | object;

const [NOT_JSON, NO_REQUEST, NO_METHOD, BAD_PARAMS, FAULT] = [-32700, -32600, -32601, -32602, -32603];

/** A request that cannot be done as it was sent; the message says what to send instead. */
export class ProtocolError extends Error {
	readonly code: number;

	constructor(message: string, code = BAD_PARAMS) {
		super(message);
		this.code = code;
	}
}

type Id = string | number;

interface Message {
	readonly id?: Id | null;
	readonly method?: unknown;
	readonly params?: unknown;
}

/** Answers each line of `lines` with a line to `write`, several requests at once, until the lines end and all is answered. */
export async function answerLines(
	lines: AsyncIterable<string>,
	write: (line: string) => void,
	methods: Readonly<Record<string, Method>>,
): Promise<void> {
	const running = new Map<Id, AbortController>();
	const open = new Set<Promise<void>>();
	const send = (message: object): void => write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
	const refuse = (id: Id | null, code: number, message: string): void =>
		send({ id, error: { code, message } });
	const take = async (message: Message): Promise<void> => {
		const { id, method } = message;
		const params = isRecord(message.params) ? message.params : {};
		if (typeof method !== 'string') {
			// An answer to something that was never asked for needs none.
			if (!('result' in message || 'error' in message))
				refuse(idOf(message), NO_REQUEST, 'The message is not a request: it has no "method".');
			return;
		}
		if (id === undefined || id === null) {
			if (method === 'notifications/cancelled') running.get(params.requestId as Id)?.abort();
			return;
		}
		const work = Object.hasOwn(methods, method) ? methods[method] : undefined;
		if (work === undefined) return refuse(id, NO_METHOD, `There is no method "${method}".`);
		const controller = new AbortController();
		running.set(id, controller);
		try {
			const result = await work(params, controller.signal);
			if (!controller.signal.aborted) send({ id, result });
		} catch (error) {
			// Who cancelled it wants no answer.
			if (controller.signal.aborted) return;
			if (error instanceof ProtocolError) refuse(id, error.code, error.message);
			else refuse(id, FAULT, error instanceof Error ? error.message : String(error));
		} finally {
			running.delete(id);
		}
	};
	for await (const line of lines) {
		if (line.trim() === '') continue;
		let read: unknown;
		try {
			read = JSON.parse(line);
		} catch (error) {
			refuse(null, NOT_JSON, `Each line must be one JSON value: ${(error as Error).message}`);
			continue;
		}
		for (const message of Array.isArray(read) ? read : [read]) {
			if (!isRecord(message)) {
				refuse(null, NO_REQUEST, 'A message must be a JSON object.');
				continue;
			}
			const done = take(message);
			open.add(done);
			void done.then(() => open.delete(done));
		}
	}
	await Promise.all(open);
}

export const isRecord = (value: unknown): value is Record<string, unknown> =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

const idOf = ({ id }: Message): Id | null => (typeof id === 'string' || typeof id === 'number' ? id : null);
