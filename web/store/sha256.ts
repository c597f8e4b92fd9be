/** SHA-256 hash of bytes. */

/** Returns the hash as 64 hexadecimal digits. */
export async function sha256(bytes: Uint8Array): Promise<string> {
	const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes.slice()));
	return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
