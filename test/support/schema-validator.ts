/**
 * Independent validator of JSON Schemas: ajv.
 * Owns: limiting its memory.
 */

import { setFlagsFromString } from 'node:v8';
import { Ajv2020, type Options } from 'ajv/dist/2020.js';

// Ajv compiles the schema of a whole scenario to one function. V8's compiler Maglev would use 7 GB to optimise it.
setFlagsFromString('--no-maglev');

/** Returns a validator that compiles each definition once. It ignores the formats of this project. */
export const schemaValidator = (options: Options): Ajv2020 =>
	new Ajv2020({ strict: false, logger: false, inlineRefs: false, ...options });
