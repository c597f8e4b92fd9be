/** WAV files: uncompressed sound (RIFF, PCM). Owns: their header. */

/** Returns a file of one channel with 16 bits per sample. `samples`: from -1 to 1; `rate`: samples per second. */
export function wavFile(samples: ArrayLike<number>, rate: number): Buffer {
	const bytes = Buffer.alloc(44 + 2 * samples.length);
	bytes.write('RIFF', 0);
	bytes.writeUInt32LE(bytes.length - 8, 4);
	bytes.write('WAVEfmt ', 8);
	bytes.writeUInt32LE(16, 16);
	bytes.writeUInt16LE(1, 20);
	bytes.writeUInt16LE(1, 22);
	bytes.writeUInt32LE(rate, 24);
	bytes.writeUInt32LE(2 * rate, 28);
	bytes.writeUInt16LE(2, 32);
	bytes.writeUInt16LE(16, 34);
	bytes.write('data', 36);
	bytes.writeUInt32LE(2 * samples.length, 40);
	for (let i = 0; i < samples.length; i++) bytes.writeInt16LE(Math.round(samples[i]! * 32_767), 44 + 2 * i);
	return bytes;
}
