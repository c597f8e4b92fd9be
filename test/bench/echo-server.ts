/** A bare HTTP server that returns the sent body: the reference for round trips. */

import { createServer } from 'node:http';

const server = createServer(async (request, response) => {
	const chunks: Buffer[] = [];
	for await (const chunk of request) chunks.push(chunk as Buffer);
	const body = Buffer.concat(chunks);
	response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length }).end(body);
});
server.listen(0, '127.0.0.1', () => process.send!(server.address()));
process.once('disconnect', () => process.exit());
