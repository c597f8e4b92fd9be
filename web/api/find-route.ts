/** Finds the routes of calls. Owns: the router over all routes. */

import { createRouter } from '../../shared/contract/router.ts';
import { routes } from '../../shared/routes/index.ts';

/** Returns the route of a method and path. Throws `no_such_route`, `method_not_allowed` or `bad_path`. */
export const findRoute = createRouter(routes);
