/**
 * The OpenAPI document, and validation of bodies and answers against it.
 * Owns: compiling each schema of the document once, when a test first needs it. Never: uses a schema from another source.
 */

import type { Ajv2020, ValidateFunction } from 'ajv/dist/2020.js';
import { openApiDocument } from '../../shared/contract/api-documents.ts';
import type { JsonSchema } from '../../shared/contract/json-schema.ts';
import { routes } from '../../shared/routes/index.ts';
import { schemaValidator } from './schema-validator.ts';

interface OpenApi extends JsonSchema {
	readonly tags: readonly { readonly name: string }[];
	readonly paths: Record<string, Record<string, { readonly responses: Record<string, object> }>>;
}

export const openApi = openApiDocument(routes) as unknown as OpenApi;

function validator(allErrors: boolean): Ajv2020 {
	const ajv = schemaValidator({ allErrors, formats: { base64: true } });
	return ajv.addSchema(openApi, 'openapi', undefined, false) as Ajv2020;
}

const thorough = validator(true);
/** Stops at the first error, because checking each item of a too long list takes seconds. */
const quick = validator(false);

/** Returns the validator of an operation's body, or of its answer with a status. */
function compiled(ajv: Ajv2020, method: string, path: string, part: 'body' | number): ValidateFunction {
	const holder = part === 'body' ? ['requestBody'] : ['responses', String(part)];
	const keys = ['paths', path, method.toLowerCase(), ...holder, 'content', 'application/json', 'schema'];
	const pointer = keys.map((key) => key.replaceAll('~', '~0').replaceAll('/', '~1')).join('/');
	const fits = ajv.getSchema(`openapi#/${pointer}`);
	if (fits === undefined) throw new Error(`The document has no schema for ${method} ${path} (${part}).`);
	return fits as ValidateFunction;
}

/** Validates a value against the schema of an operation's body, or of its answer with a status. Returns the errors. */
export function objections(
	method: string,
	path: string,
	part: 'body' | number,
	value: unknown,
): readonly string[] {
	const fits = compiled(thorough, method, path, part);
	fits(value);
	return (fits.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}

/** Returns true if a body is valid for an operation. */
export function takesBody(method: string, path: string, body: unknown): boolean {
	return compiled(quick, method, path, 'body')(body);
}
