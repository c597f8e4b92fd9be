/** Messages of MCP over HTTP, in both eras of the protocol, for tests. */

// biome-ignore lint/suspicious/noExplicitAny: answers are compared with what a test expects of them
export type Answer = any;

const META = {
	'io.modelcontextprotocol/protocolVersion': '2026-07-28',
	'io.modelcontextprotocol/clientInfo': { name: 'a test', version: '1' },
	'io.modelcontextprotocol/clientCapabilities': {},
};
const NAME_PARAMETERS: Readonly<Record<string, string>> = {
	'tools/call': 'name',
	'prompts/get': 'name',
	'resources/read': 'uri',
};

/** Returns a request as a JSON-RPC message. */
export const request = (id: number, method: string, params?: object) => ({
	jsonrpc: '2.0',
	id,
	method,
	params,
});

/** Returns a client that sends messages in both eras of the protocol. */
export function mcpClient(url: string, baseHeaders: Record<string, string> = {}) {
	const send = (message: unknown, headers: Record<string, string> = {}, signal?: AbortSignal) =>
		fetch(url, {
			method: 'POST',
			headers: {
				'content-type': 'application/json',
				accept: 'application/json, text/event-stream',
				...baseHeaders,
				...headers,
			},
			body: typeof message === 'string' ? message : JSON.stringify(message),
			...(signal === undefined ? {} : { signal }),
		});
	const legacy = async (method: string, params?: object, headers?: Record<string, string>): Promise<Answer> =>
		(await send(request(1, method, params), headers)).json();
	const modern = async (method: string, params: Answer = {}, headers: Record<string, string> = {}) => {
		const name = NAME_PARAMETERS[method] === undefined ? undefined : params[NAME_PARAMETERS[method]];
		const response = await send(request(1, method, { ...params, _meta: { ...META, ...params._meta } }), {
			'mcp-protocol-version': '2026-07-28',
			'mcp-method': method,
			...(name === undefined ? {} : { 'mcp-name': name }),
			...headers,
		});
		return { status: response.status, ...((await response.json()) as Answer) };
	};
	return {
		send,
		legacy,
		modern,
		/** Returns the result of a tool, with its first text as JSON. */
		async use(name: string, toolArguments?: unknown) {
			const { result, error } = await modern('tools/call', { name, arguments: toolArguments });
			return {
				result,
				error,
				get json(): Answer {
					return JSON.parse(result.content[0].text);
				},
			};
		},
	};
}

/** Yields the messages of a stream of events in order of arrival. */
export async function* eventsOf(response: Response): AsyncGenerator<Answer> {
	let rest = '';
	for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
		const parts = (rest + chunk).split('\n\n');
		rest = parts.pop()!;
		for (const part of parts) yield JSON.parse(part.split('data: ')[1]!);
	}
}
