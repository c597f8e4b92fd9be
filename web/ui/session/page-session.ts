/**
 * The session of the person at this page, for servers that require one to change the world.
 * Owns: signing in with a key, and the session, which lasts as long as the tab. Never: stores the key, or puts the
 * session into an address.
 */

import { type ReadonlySignal, signal } from '@preact/signals';
import type { CallAnswer } from '../services.ts';

export interface PageIdentity {
	/** True if changes require a session. */
	readonly required: boolean;
	/** Agent of the session; null if there is no session. */
	readonly agent: string | null;
	readonly access: string | null;
}

export interface PageSession {
	readonly who: ReadonlySignal<PageIdentity>;
	/** Headers of every call. */
	headers(): Readonly<Record<string, string>>;
	/** Signs in with the text of a key file. Resolves to null, or to the reason of a failure. */
	signIn(key: string): Promise<string | null>;
	signOut(): Promise<void>;
	/** Reads the identity of the session from the engine. */
	refreshIdentity(): Promise<void>;
}

/** The used part of a browser's storage. */
export interface SessionStorage {
	getItem(name: string): string | null;
	setItem(name: string, value: string): void;
	removeItem(name: string): void;
}

export interface PageSessionOptions {
	readonly call: (method: string, path: string, body?: unknown) => Promise<CallAnswer>;
	/** Storage that ends with the tab. */
	readonly kept: SessionStorage;
	/** Milliseconds since 1970. */
	readonly now?: () => number;
}

const NAME = 'orrery-session';
const DOMAIN = 'orrery.local';
const SIGNED_OUT: PageIdentity = { required: false, agent: null, access: null };

export function createPageSession({ call, kept, now = Date.now }: PageSessionOptions): PageSession {
	const identity = signal<PageIdentity>(SIGNED_OUT);
	let token = kept.getItem(NAME);

	function storeToken(next: string | null): void {
		token = next;
		if (next === null) kept.removeItem(NAME);
		else kept.setItem(NAME, next);
	}

	async function refreshIdentity(): Promise<void> {
		const { body, status } = await call('GET', '/auth/status');
		if (status !== 200) return;
		const { required, agent_id, access } = body as {
			readonly required: boolean;
			readonly agent_id?: string;
			readonly access?: string;
		};
		identity.value = { required, agent: agent_id ?? null, access: access ?? null };
		if (agent_id === undefined && token !== null) storeToken(null);
	}

	return {
		who: identity,
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
			storeToken(session_token);
			await refreshIdentity();
			return null;
		},
		async signOut() {
			await call('POST', '/auth/logout', {});
			storeToken(null);
			await refreshIdentity();
		},
		refreshIdentity,
	};
}

interface PageKey extends Key {
	readonly own: CryptoKey;
}

/** Reads the key in a text. Returns the reason as a text if it is not one. */
async function signingKey(text: string): Promise<PageKey | string> {
	const key = keyIn(text);
	if (key === undefined)
		return 'This is not a key file. Make one with "orrery auth keygen"; it has agent_id, public_key and private_key.';
	try {
		const bytes = bytesOf(key.private_key);
		return { ...key, own: await crypto.subtle.importKey('pkcs8', bytes, 'Ed25519', false, ['sign']) };
	} catch {
		// Browsers give no reason.
		return 'The private key in this file is not valid. Make another one with "orrery auth keygen".';
	}
}

/** Returns the body of POST /auth/login. `server` is the name of the server, if it has one. */
async function signedLogin(key: PageKey, timestamp: number, server?: string): Promise<object> {
	const { agent_id, public_key, domain = DOMAIN, own } = key;
	const parts = [agent_id, domain, timestamp, ...(server === undefined ? [] : [server])];
	const message = new TextEncoder().encode(parts.join('\n'));
	const signature = new Uint8Array(await crypto.subtle.sign('Ed25519', own, message));
	const signed = btoa(String.fromCharCode(...signature));
	return { agent_id, domain, timestamp, server, signature: signed, public_key };
}

interface Key {
	readonly agent_id: string;
	readonly public_key: string;
	readonly private_key: string;
	/** Domain of the signature, if it is not the default. */
	readonly domain?: string;
}

function keyIn(text: string): Key | undefined {
	try {
		const key = JSON.parse(text) as Partial<Key> | null;
		const parts = [key?.agent_id, key?.public_key, key?.private_key];
		return parts.every((part) => typeof part === 'string') ? (key as Key) : undefined;
	} catch {
		// The text is not JSON, so it is not a key file.
		return undefined;
	}
}

const bytesOf = (base64: string): Uint8Array<ArrayBuffer> =>
	Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
