/** A page of the guide. Owns: the parts of a page, and the names of its anchors. */

export interface GuidePage {
	/** Name of its file, without the extension. */
	readonly name: string;
	readonly title: string;
	/** One sentence for lists of pages. */
	readonly summary: string;
	/** Group that lists show collapsed, and the shorter title of the page in it. */
	readonly group?: { readonly title: string; readonly label: string };
	/** Returns the whole page in Markdown, with its title. Generated pages are generated on demand. */
	markdown(): string;
}

export interface GuideSection {
	readonly title: string;
	readonly pages: readonly GuidePage[];
}

/** Returns the anchor of a heading: `GET /entities/{id}` is `get-entities-id`. */
export const anchorOf = (heading: string): string =>
	heading
		.toLowerCase()
		.replaceAll(/[^a-z0-9_]+/g, '-')
		.replaceAll(/^-+|-+$/g, '');
