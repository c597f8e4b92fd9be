/** Zones of space. Owns: their typed form, short texts and words. */

import * as z from 'zod';
import { Refusal } from '../../contract/errors.ts';
import { entityId, number, position, vec3 } from '../../contract/values.ts';
import { readNumber, readVector, readWhole } from '../verb-text.ts';
import type { ConditionWriter } from './condition.ts';

export const zone = z
	.union([
		z.strictObject({ center: position, half: vec3('Half extents', { min: 0 }) }),
		z.strictObject({ center: position, radius: number('Radius', { unit: 'm', min: 0 }) }),
		z.strictObject({ entity: entityId, radius: number('Radius around that entity', { unit: 'm', min: 0 }) }),
	])
	.describe(
		'A box (center and half), a ball (center and radius), or a ball that moves with an entity (entity and radius)',
	);

export type ZoneArea = z.output<typeof zone>;

/** Reads the short text of a zone. Throws a Refusal. */
export function readZone(value: string): object {
	const [place = '', ...size] = value.split(':').map((part) => part.trim());
	if (place.toLowerCase() === 'entity' && size.length === 2)
		return {
			entity: readWhole(size[0], 'the id of a zone'),
			radius: readNumber(size[1], 'the radius of a zone'),
		};
	if (size.length !== 1)
		throw new Refusal(
			`the zone "${value}" is unknown; write it as X,Y,Z:RADIUS, X,Y,Z:HX,HY,HZ or entity:ID:RADIUS`,
		);
	const center = readVector(place, 'the center of a zone');
	return size[0]!.includes(',')
		? { center, half: readVector(size[0], 'the half extents of a zone') }
		: { center, radius: readNumber(size[0], 'the radius of a zone') };
}

/** Returns the short text of a zone, which `readZone` parses. */
export function writeZone(given: ZoneArea): string {
	if ('entity' in given) return `entity:${given.entity}:${given.radius}`;
	return `${given.center.join(',')}:${'half' in given ? given.half.join(',') : given.radius}`;
}

/** Returns a zone in words. */
export function sayZone(given: ZoneArea, { number: say }: ConditionWriter): string {
	const coordinates = (at: readonly number[]) => at.map((part) => say(part)).join(', ');
	if ('half' in given) return `the box around ${coordinates(given.center)}`;
	const center = 'entity' in given ? `entity ${given.entity}` : coordinates(given.center);
	return `${say(given.radius)} m around ${center}`;
}
