/**
 * Mathematical functions that return the same bits in every JavaScript engine.
 * Owns: the list of them. Angles are in radians; domain, infinities and NaN are those of `Math`.
 * Never: calls a function of `Math` other than `sqrt`. Lengths are `Math.sqrt(x * x + y * y)`, which is already exact.
 */

export { cos, sin, tan } from './math/angles.ts';
export { exp, log, pow } from './math/exponentials.ts';
export { acos, asin, atan, atan2 } from './math/inverse-angles.ts';
