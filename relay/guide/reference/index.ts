/** Pages of the reference, generated from the declarations. Owns: their order. */

import type { GuidePage } from '../page.ts';
import { accessPage } from './access.ts';
import { componentsPage } from './components.ts';
import { errorsPage, eventsPage, luaPage, typesPage } from './lists.ts';
import { recipesPage } from './recipes.ts';
import { routePages } from './routes.ts';
import { actionsPage, conditionsPage } from './verbs.ts';

/** Returns a page whose text is generated once, when it is first read. */
function withCachedText(page: GuidePage): GuidePage {
	let text: string | undefined;
	return {
		...page,
		markdown() {
			text ??= page.markdown();
			return text;
		},
	};
}

export function referencePages(): GuidePage[] {
	const pages = [
		recipesPage,
		...routePages(),
		accessPage,
		componentsPage,
		conditionsPage,
		actionsPage,
		eventsPage,
		errorsPage,
		luaPage,
		typesPage,
	];
	return pages.map(withCachedText);
}
