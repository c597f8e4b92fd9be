/**
 * JSON Schema as another program understands it: ajv.
 * Owns: that it does not take all of the machine's memory.
 */

import { setFlagsFromString } from 'node:v8';
import { Ajv2020, type Options } from 'ajv/dist/2020.js';

// Ajv makes one function of a whole scenario's schema. V8's compiler Maglev takes 7 GB to optimise it, and keeps them.
setFlagsFromString('--no-maglev');

/** Returns a validator that compiles each definition once. It does not check formats that only this project knows. */
export const schemaValidator = (options: Options): Ajv2020 =>
	new Ajv2020({ strict: false, logger: false, inlineRefs: false, ...options });
