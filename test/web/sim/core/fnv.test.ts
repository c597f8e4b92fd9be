/** FNV-1a with 64 bits, compared with the published vectors and with a simple implementation on bigints. */

import { expect, test } from 'vitest';
import { ByteHasher, FNV_OFFSET, fnv1a } from '../../../../web/sim/core/fnv.ts';

const encoder = new TextEncoder();

function referenceHash(bytes: Uint8Array, from = 0xcbf29ce484222325n): bigint {
	let hash = from;
	for (const byte of bytes) hash = ((hash ^ BigInt(byte)) * 0x100000001b3n) & 0xffffffffffffffffn;
	return hash;
}

function pattern(length: number): Uint8Array {
	return Uint8Array.from({ length }, (_, i) => (i * 131 + (i >> 7)) & 255);
}

test('hashes equal the published vectors', () => {
	const vectors: Record<string, bigint> = {
		'': 0xcbf29ce484222325n,
		a: 0xaf63dc4c8601ec8cn,
		b: 0xaf63df4c8601f1a5n,
		foo: 0xdcb27518fed9d577n,
		foobar: 0x85944171f73967e8n,
	};
	for (const [text, hash] of Object.entries(vectors)) expect(fnv1a(encoder.encode(text)), text).toBe(hash);
	expect(FNV_OFFSET).toBe(vectors['']);
});

test.each([0, 1, 2, 7, 8, 63, 64, 65, 1000, 65_535, 65_536, 65_537])(
	'the hash of %i bytes equals that of a simple loop',
	(length) => {
		const bytes = pattern(length);
		expect(fnv1a(bytes)).toBe(referenceHash(bytes));
	},
);

test('bytes larger than the memory of the hash have the same hash, gathered or not', () => {
	const bytes = pattern(3 * 2 ** 20 + 5);
	const expected = referenceHash(bytes);
	expect(fnv1a(bytes)).toBe(expected);
	for (const sizes of [[2 ** 20 + 1], [2 ** 20], [2 ** 20 - 1, 3], [100_000, 1, 0, 950_000], [2 ** 21]]) {
		const hasher = new ByteHasher();
		for (let offset = 0, i = 0; offset < bytes.length; i++) {
			const size = Math.max(1, sizes[i % sizes.length]!);
			hasher.add(bytes.subarray(offset, offset + size));
			offset += size;
		}
		expect(hasher.end(), sizes.join()).toBe(expected);
	}
});

test('a hash continues from an earlier one', () => {
	const bytes = pattern(500);
	expect(fnv1a(bytes.subarray(123), fnv1a(bytes.subarray(0, 123)))).toBe(fnv1a(bytes));
});
