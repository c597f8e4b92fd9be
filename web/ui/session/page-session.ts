/**
 * The session of the person at this page, if changes take one.
 * Owns: signing with a key that was given, and the session, which lasts as long as the tab. Never: keeps the key, or lets
 * the session into an address.
 */

import { type ReadonlySignal, signal } from '@preact/signals';
import type { CallAnswer } from '../services.ts';

export interface PageIdentity {
	/** True if changes take a session here. */
	readonly required: boolean;
	/** Agent of the session; null without one. */
	readonly agent: string | null;
	readonly access: string | null;
}

export interface PageSession {
	readonly who: ReadonlySignal<PageIdentity>;
	/** Headers of every call. */
	headers(): Readonly<Record<string, string>>;
	/** Signs in with the text of a key file. Answers why it could not, or null. */
	signIn(key: string): Promise<string | null>;
	signOut(): Promise<void>;
	/** Asks whose the session is. */
	look(): Promise<void>;
}

/** As much of a browser's storage as is needed. */
export interface SessionStorage {
	getItem(name: string): string | null;
	setItem(name: string, value: string): void;
	removeItem(name: string): void;
}

export interface PageSessionOptions {
	readonly call: (method: string, path: string, body?: unknown) => Promise<CallAnswer>;
	/** Ends with the tab. */
	readonly kept: SessionStorage;
	/** Milliseconds since 1970. */
	readonly now?: () => number;
}

const NAME = 'orrery-session';
const DOMAIN = 'orrery.local';
const SIGNED_OUT: PageIdentity = { required: false, agent: null, access: null };

export function createPageSession({ call, kept, now = Date.now }: PageSessionOptions): PageSession {
	const who = signal<PageIdentity>(SIGNED_OUT);
	let token = kept.getItem(NAME);

	function take(next: string | null): void {
		token = next;
		if (next === null) kept.removeItem(NAME);
		else kept.setItem(NAME, next);
	}

	async function look(): Promise<void> {
		const { body, status } = await call('GET', '/auth/status');
		if (status !== 200) return;
		const { required, agent_id, access } = body as {
			readonly required: boolean;
			readonly agent_id?: string;
			readonly access?: string;
		};
		who.value = { required, agent: agent_id ?? null, access: access ?? null };
		if (agent_id === undefined && token !== null) take(null);
	}

	return {
		who,
		headers: (): Readonly<Record<string, string>> =>
			token === null ? {} : { authorization: `Bearer ${token}` },
		async signIn(text) {
			const key = await signingKey(text);
			if (typeof key === 'string') return key;
			const { server } = (await call('GET', '/auth/status')).body as { readonly server?: string };
			const login = await signedLogin(key, Math.floor(now() / 1000), server);
			const { body, status } = await call('POST', '/auth/login', login);
			const { session_token, error, fix } = body as Record<string, string | undefined>;
			if (status !== 200 || session_token === undefined)
				return `${error ?? `The engine answered ${status}.`} ${fix ?? ''}`.trim();
			take(session_token);
			await look();
			return null;
		},
		async signOut() {
			await call('POST', '/auth/logout', {});
			take(null);
			await look();
		},
		look,
	};
}

interface PageKey extends Key {
	readonly own: CryptoKey;
}

/** Returns the key in a text, or why it is none. */
async function signingKey(text: string): Promise<PageKey | string> {
	const key = keyIn(text);
	if (key === undefined)
		return 'This is not a key file. Make one with "orrery auth keygen"; it has agent_id, public_key and private_key.';
	try {
		const bytes = bytesOf(key.private_key);
		return { ...key, own: await crypto.subtle.importKey('pkcs8', bytes, 'Ed25519', false, ['sign']) };
	} catch {
		// What is wrong with it a browser does not say.
		return 'The private key in this file is not valid. Make another one with "orrery auth keygen".';
	}
}

/** Returns the body of POST /auth/login. `server`: the name of the server, if it has one. */
async function signedLogin(key: PageKey, timestamp: number, server?: string): Promise<object> {
	const { agent_id, public_key, domain = DOMAIN, own } = key;
	const parts = [agent_id, domain, timestamp, ...(server === undefined ? [] : [server])];
	const said = new TextEncoder().encode(parts.join('\n'));
	const signature = new Uint8Array(await crypto.subtle.sign('Ed25519', own, said));
	const signed = btoa(String.fromCharCode(...signature));
	return { agent_id, domain, timestamp, server, signature: signed, public_key };
}

interface Key {
	readonly agent_id: string;
	readonly public_key: string;
	readonly private_key: string;
	/** Domain that it signs for, if not the usual name. */
	readonly domain?: string;
}

function keyIn(text: string): Key | undefined {
	try {
		const key = JSON.parse(text) as Partial<Key> | null;
		const parts = [key?.agent_id, key?.public_key, key?.private_key];
		return parts.every((part) => typeof part === 'string') ? (key as Key) : undefined;
	} catch {
		// No JSON, so no key file.
		return undefined;
	}
}

const bytesOf = (base64: string): Uint8Array<ArrayBuffer> =>
	Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
