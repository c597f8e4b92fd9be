/**
 * Downloads from addresses that a provider names.
 * Owns: the check of the address and of each redirect, so that no provider can make the server read a private network.
 */

import { lookup as systemLookup } from 'node:dns';
import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';
import { BlockList, isIP, isIPv4, isIPv6, type LookupFunction } from 'node:net';
import { ProviderError } from './provider.ts';

const MAX_REDIRECTS = 5;

/** Networks that are not public. https://www.iana.org/assignments/iana-ipv4-special-registry and its IPv6 sibling. */
const PRIVATE_NETWORKS = { 4: new BlockList(), 6: new BlockList() };
for (const [network, bits] of [
	['0.0.0.0', 8],
	['10.0.0.0', 8],
	['100.64.0.0', 10],
	['127.0.0.0', 8],
	['169.254.0.0', 16],
	['172.16.0.0', 12],
	['192.0.0.0', 24],
	['192.0.2.0', 24],
	['192.168.0.0', 16],
	['198.18.0.0', 15],
	['198.51.100.0', 24],
	['203.0.113.0', 24],
	['224.0.0.0', 3],
] as const)
	PRIVATE_NETWORKS[4].addSubnet(network, bits, 'ipv4');
// In IPv6 only 2000::/3 is public, without the parts that contain an IPv4 address or are for examples.
for (const [network, bits] of [
	['::', 3],
	['4000::', 2],
	['8000::', 1],
	['2001::', 32],
	['2001:db8::', 32],
	['2002::', 16],
] as const)
	PRIVATE_NETWORKS[6].addSubnet(network, bits, 'ipv6');

/** Returns true for an address of the public internet. */
export function isPublicAddress(address: string): boolean {
	if (isIPv4(address)) return !PRIVATE_NETWORKS[4].check(address, 'ipv4');
	return isIPv6(address) && !PRIVATE_NETWORKS[6].check(address, 'ipv6');
}

const privateAddressError = (): ProviderError =>
	new ProviderError('The provider named an address of a private network, which is not read.', false);

/** Resolves a name. Fails unless all of its addresses are public. The connection uses the checked addresses. */
const publicLookup: LookupFunction = (host, options, callback) => {
	systemLookup(host, { ...options, all: true }, (error, addresses) => {
		if (error !== null) callback(error, []);
		else if (!addresses.every(({ address }) => isPublicAddress(address))) callback(privateAddressError(), []);
		else if (options.all === true) callback(null, addresses);
		else callback(null, addresses[0]!.address, addresses[0]!.family);
	});
};

export interface PublicDownload {
	readonly url: string;
	readonly signal: AbortSignal;
	/** Origin that the operator has set. It may be in a private network, and only it gets the headers. */
	readonly own: string | undefined;
	readonly headers: Readonly<Record<string, string>>;
}

/** Opens a file and follows redirects. Rejects with `ProviderError`, or with the system's error. */
export async function openPublic(download: PublicDownload): Promise<IncomingMessage> {
	let url = new URL(download.url);
	for (let redirects = 0; ; redirects++) {
		const response = await open(url, download);
		const { statusCode = 0, headers } = response;
		if (statusCode < 300 || statusCode > 399 || headers.location === undefined) return response;
		response.destroy();
		if (redirects === MAX_REDIRECTS)
			throw new ProviderError(`The provider redirected more than ${MAX_REDIRECTS} times.`, false);
		url = new URL(headers.location, url);
	}
}

function open(url: URL, { signal, own, headers }: PublicDownload): Promise<IncomingMessage> {
	const isOwn = url.origin === own;
	const host = url.hostname.replace(/^\[|\]$/g, '');
	if (!/^https?:$/.test(url.protocol) || (!isOwn && isIP(host) !== 0 && !isPublicAddress(host)))
		return Promise.reject(privateAddressError());
	const options = isOwn ? { signal, headers } : { signal, lookup: publicLookup };
	return new Promise((resolve, reject) => {
		const { get } = url.protocol === 'https:' ? https : http;
		get(url, options, resolve).on('error', reject);
	});
}
