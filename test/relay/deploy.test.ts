/** Checks the text of the Kubernetes example, because no Kubernetes runs here. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from '../../relay/folders.ts';
import { parseFlags } from '../../relay/options.ts';
import { getHealth } from '../../shared/routes/world.ts';

const text = readFileSync(join(ROOT, 'relay/deploy/kubernetes.yaml'), 'utf8');

test('starts servers with existing flags, on the NATS nodes that it starts', () => {
	const [, args] = /image: orrery\n\s+args:\n((?:\s+- .*\n)+)/.exec(text)!;
	const { cluster, inNode, port } = parseFlags([...args!.matchAll(/- (.*)/g)].map(([, arg]) => arg!));
	expect(inNode).toBe(true);
	const nodes = Number(/serviceName: nats\n\s+replicas: (\d)/.exec(text)![1]);
	expect(cluster!.split(',')).toEqual(Array.from({ length: nodes }, (_, i) => `nats://nats-${i}.nats:4222`));
	expect(text).toContain(`proxy_pass http://127.0.0.1:${port};`);
	expect(text).toContain('sync_interval: always');
});

test('asks the health route in each probe', () => {
	const probes = [...text.matchAll(/(\w+)Probe: \{ httpGet: \{ path: (\S+), port: 8080/g)];
	expect(probes.map(([, kind, path]) => [kind, path])).toEqual(
		['startup', 'readiness'].map((kind) => [kind, getHealth.path]),
	);
	// A failed probe restarts its container. The probe belongs to the server's container, not to its proxy's.
	const [server] = text.split('- name: proxy').slice(-2);
	expect(server).toMatch(/livenessProbe:\s+exec:\s+\{.*127\.0\.0\.1:3917\/health/);
});

test('indents with spaces, as YAML must', () => {
	expect(text).not.toContain('\t');
});
