/**
 * Functions in scripts: those that a script defines, and those of the table `engine`.
 * Owns: their names, arguments and documentation. `web/sim/scripts/` implements them.
 */

export interface ScriptFunction {
	readonly name: string;
	/** Arguments in parentheses, as in a call. */
	readonly form: string;
	/** Name of its result; null if it returns nothing. */
	readonly returns: string | null;
	readonly doc: string;
}

const declare = <const N extends string>(name: N, form: string, returns: string | null, doc: string) => ({
	name,
	form,
	returns,
	doc,
});

/** Functions of `engine` that the engine itself implements. */
export const HOST_FUNCTIONS = [
	declare('spawn', '(document)', 'entity', 'Creates an entity from a document of POST /spawn'),
	declare('despawn', '(e)', 'boolean', 'Removes an entity; false when it is gone already'),
	declare('exists', '(e)', 'boolean', 'True while the entity is in the world'),
	declare('get_position', '(e)', 'x, y, z', 'Local position (m); zeros for an entity that has none'),
	declare('set_position', '(e, x, y, z)', null, 'Sets the local position (m)'),
	declare('world_position', '(e)', 'x, y, z', 'Position in the world (m), with that of its parents'),
	declare('get_velocity', '(e)', 'x, y, z', 'Linear velocity (m/s); zeros for an entity that has none'),
	declare('set_velocity', '(e, x, y, z)', null, 'Sets the linear velocity (m/s)'),
	declare('face', '(e, x, z)', null, 'Turns an entity about the y axis into this direction'),
	declare('distance', '(a, b)', 'number or nil', 'Distance of two entities (m); nil when one is gone'),
	declare('get_health', '(e)', 'current, max', 'Health (HP); zeros for an entity that has none'),
	declare('set_health', '(e, n)', null, 'Sets the health (HP), from 0 to its maximum'),
	declare('has', '(e, component)', 'boolean', 'True if the entity has the component'),
	declare(
		'get',
		'(e, component or number such as "health.current")',
		'table, number or nil',
		'A component as a table of its fields, or one number of it',
	),
	declare(
		'set',
		'(e, number, value)',
		'boolean',
		'Sets one number of a component; false if the entity lacks it',
	),
	declare(
		'change',
		'(e, fields as in POST /spawn)',
		null,
		'Changes an entity as POST /entities/{id}/components does',
	),
	declare('remove', '(e, component)', 'boolean', 'Removes a component; false if the entity lacks it'),
	declare(
		'query',
		'{filter=, with=, near=, radius=, limit=}',
		'list of entities',
		'Entities that match a filter and have the components `with`, in order of their ids; with `near`, nearest first',
	),
	declare('id', '(e)', 'integer', 'Id of an entity, as the API shows it'),
	declare('entity', '(id)', 'entity or nil', 'The entity that has this id now'),
	declare('tick', '()', 'integer', 'Ticks completed'),
	declare('time', '()', 'number', 'Time of the world (s)'),
	declare('delta_time', '()', 'number', 'Length of a tick (s)'),
	declare('act', '(action of a rule, this, source)', null, 'Runs an action, given as a text or a table'),
	declare(
		'chance',
		'(name, {label = weight})',
		'label',
		'Draws one of the labels by their weights; the draw takes part in POST /peek',
	),
] as const satisfies readonly ScriptFunction[];

/** Functions of `engine` that are written in Lua. */
const LUA_FUNCTIONS = [
	declare(
		'on',
		'(event, handler)',
		null,
		'Calls a function on each event of a kind, or on each signal of a name',
	),
	declare('off', '(event)', null, 'Removes the handlers of an event'),
	declare('emit', '(name, ...)', null, 'Sends a signal, and calls the handlers of this script'),
	declare('after', '(seconds, f)', 'timer', 'Calls a function once, after this time'),
	declare('every', '(seconds, f)', 'timer', 'Calls a function repeatedly, at this interval'),
	declare('cancel', '(timer)', 'boolean', 'Removes a timer; false when it is gone already'),
] as const satisfies readonly ScriptFunction[];

export type HostFunctionName = (typeof HOST_FUNCTIONS)[number]['name'];

/** Every function of the table `engine`. */
export const SCRIPT_FUNCTIONS: readonly ScriptFunction[] = [...HOST_FUNCTIONS, ...LUA_FUNCTIONS];

/** Functions that a script may define. */
export const SCRIPT_CALLBACKS: readonly ScriptFunction[] = [
	declare('on_start', '(entity)', null, 'Runs once for each entity that gets the script'),
	declare('on_update', '(entity, dt)', null, 'Runs on every tick for each entity that has the script'),
	declare('on_event', '(event)', null, 'Runs once for each event of the last tick'),
];

/** Returns the name of a function with its arguments, such as `face(e, x, z)`. */
export const signatureOf = ({ name, form }: ScriptFunction): string => name + form;

/** Access and limits of a script. */
export const SCRIPT_LIMITS =
	'Scripts have no files, no clock and no other randomness: `math.random` is a seeded generator of the script, and `engine.chance` takes part in POST /peek. Limits: 100000 instructions per call, a million per script and tick, eight million per world and tick, 4 MiB per script, and texts of 8192 bytes. The actions of a script may spawn 1000 entities, look at 4 million entities and events, and send 40000 events per tick; an action that may exceed this fails before it does anything.';
