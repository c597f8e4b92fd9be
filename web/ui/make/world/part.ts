/**
 * Parts of a section about the world, as data: the routes that a part reads and calls.
 * Owns: the kinds of parts. The declarations of the routes have the fields.
 */

import type { RouteName } from '../../forms/declarations.ts';
import type { ReadValues } from '../../forms/use-reading.ts';

export type Part =
	/** One field for each setting; GET reads them and POST changes them. */
	| {
			readonly kind: 'settings';
			readonly path: `/${string}`;
			readonly from?: (read: ReadValues) => ReadValues;
			readonly hides?: readonly string[];
	  }
	/** Settings for each row of a list. The field `by` identifies the row in the POST. */
	| { readonly kind: 'each'; readonly path: `/${string}`; readonly list: string; readonly by: string }
	/** A button for some settings at once; the one whose settings the world has is pressed. */
	| {
			readonly kind: 'choices';
			readonly path: `/${string}`;
			readonly label: string;
			readonly choices: readonly (readonly [name: string, says: string, settings: ReadValues])[];
	  }
	/** A button for each word that a field can be. */
	| { readonly kind: 'words'; readonly route: RouteName; readonly field: string; readonly label: string }
	/** A button that calls without a body. */
	| { readonly kind: 'press'; readonly route: RouteName; readonly label: string }
	/** A form for the body of a call. */
	| {
			readonly kind: 'form';
			readonly route: RouteName;
			readonly label: string;
			readonly first?: readonly string[];
	  }
	/** Rows of a list. A click on a row selects its entity, if it has one. */
	| {
			readonly kind: 'rows';
			readonly path: `/${string}`;
			readonly list: string;
			readonly none: string;
			readonly words: (row: ReadValues) => readonly [name: string, about: string];
			/** Button at the end of a row: its label, its declared route, and the call. */
			readonly end?: {
				readonly verb: 'Remove' | 'Stop';
				readonly route: RouteName;
				readonly call: (row: ReadValues) => readonly [RouteName, ReadValues?];
			};
	  }
	/** Elements over the picture, which have a separate panel. */
	| { readonly kind: 'hud' }
	/** Models that the server generates from prompts. They do not belong to a world. */
	| { readonly kind: 'models' };

export interface WorldSection {
	readonly name: string;
	readonly parts: readonly Part[];
}

/** Returns the declared routes that a part calls. */
export function routesOf(part: Part): readonly RouteName[] {
	switch (part.kind) {
		case 'settings':
		case 'choices':
		case 'each':
			return [`GET ${part.path}`, `POST ${part.path}`];
		case 'rows':
			return [`GET ${part.path}`, ...(part.end === undefined ? [] : [part.end.route])];
		case 'hud':
			return ['POST /ui/text', 'POST /ui/update', 'DELETE /ui/{id}'];
		case 'models':
			return [
				'POST /asset/generate',
				'GET /asset/generated',
				'GET /asset/providers',
				'DELETE /asset/generated/{task_id}',
				'POST /spawn',
			];
		default:
			return [part.route];
	}
}
