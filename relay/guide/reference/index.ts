/** The pages of the reference, made from the declarations. Owns: their order. */

import type { GuidePage } from '../page.ts';
import { componentsPage } from './components.ts';
import { errorsPage, eventsPage, luaPage, typesPage } from './lists.ts';
import { routePages } from './routes.ts';
import { actionsPage, conditionsPage } from './verbs.ts';

export function referencePages(): GuidePage[] {
	return [
		...routePages(),
		componentsPage,
		conditionsPage,
		actionsPage,
		eventsPage,
		errorsPage,
		luaPage,
		typesPage,
	];
}
