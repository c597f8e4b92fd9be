/**
 * The part of JetStream that a journal uses, in memory: compare-and-append by subject, reads by sequence, purges, and objects.
 * Owns: the order of messages, and the timeouts that a test requests with `lostAnswers` and `lostReads`. Otherwise only a
 * publish after a wrong sequence fails.
 */

import type { StoredMsg } from '@nats-io/jetstream';
import type { MsgHdrs } from '@nats-io/transport-node';
import type { Nats } from '../../../relay/cluster/nats.ts';

interface Publish {
	readonly headers: MsgHdrs;
	readonly expect: { readonly lastSubjectSequence: number };
}

interface Query {
	readonly seq?: number;
	readonly last_by_subj?: string;
	readonly next_by_subj?: string;
	readonly batch?: number;
}

export class FakeNats {
	#messages: StoredMsg[] = [];
	#last = 0;
	readonly objects = new Map<string, Uint8Array>();
	/** Number of publishes, from the next on, that are stored but not answered. */
	lostAnswers = 0;
	publishes = 0;
	/** Number of reads of objects, from the next on, that are not answered. */
	lostReads = 0;

	#find({ seq = 0, last_by_subj, next_by_subj }: Query): StoredMsg | null {
		if (last_by_subj !== undefined)
			return this.#messages.findLast(({ subject }) => subject === last_by_subj) ?? null;
		const from = this.#messages.filter((message) => message.seq >= seq);
		if (next_by_subj !== undefined) return from.find(({ subject }) => subject === next_by_subj) ?? null;
		return from[0]?.seq === seq ? from[0] : null;
	}

	async #publish(subject: string, data: Uint8Array, { headers: header, expect }: Publish) {
		this.publishes++;
		const lastSequence = this.#find({ last_by_subj: subject })?.seq ?? 0;
		if (lastSequence !== expect.lastSubjectSequence)
			throw Object.assign(new Error(`wrong last sequence: ${lastSequence}`), { code: 10071 });
		const seq = ++this.#last;
		this.#messages.push({ subject, seq, data: data.slice(), header } as StoredMsg);
		if (this.lostAnswers-- > 0) throw new Error('timeout');
		return { seq };
	}

	get nats(): Nats {
		const { objects } = this;
		const fake = {
			publisher: { publish: (...sent: [string, Uint8Array, Publish]) => this.#publish(...sent) },
			streams: {
				streams: {
					getMessage: async (_: string, query: Query) => this.#find(query),
					purge: async (_: string, { filter, seq }: { filter: string; seq: number }) => {
						this.#messages = this.#messages.filter(
							(message) => message.subject !== filter || message.seq >= seq,
						);
					},
				},
				direct: {
					getBatch: async (_: string, { seq = 0, next_by_subj, batch }: Query) =>
						this.#messages
							.filter((message) => message.subject === next_by_subj && message.seq >= seq)
							.slice(0, batch),
				},
			},
			objects: {
				info: async (name: string) => (objects.has(name) ? { size: objects.get(name)!.length } : null),
				putBlob: async ({ name }: { name: string }, bytes: Uint8Array) => objects.set(name, bytes.slice()),
				getBlob: async (name: string) => {
					if (this.lostReads-- > 0) throw new Error('timeout');
					return objects.get(name)?.slice() ?? null;
				},
				delete: async (name: string) => objects.delete(name),
			},
		};
		return fake as unknown as Nats;
	}
}
