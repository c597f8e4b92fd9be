/** A bare HTTP server that answers with what it was sent: the floor that round trips are measured against. */

import { createServer } from 'node:http';

const server = createServer(async (request, response) => {
	const chunks: Buffer[] = [];
	for await (const chunk of request) chunks.push(chunk as Buffer);
	const body = Buffer.concat(chunks);
	response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length }).end(body);
});
server.listen(0, '127.0.0.1', () => process.send!(server.address()));
process.once('disconnect', () => process.exit());
