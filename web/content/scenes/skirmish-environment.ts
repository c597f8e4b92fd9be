/** The skirmish as an environment for learning agents: a hero of each camp. Both agents have the same kind of observation. */

interface Side {
	readonly agent: string;
	/** Id of the agent's hero. */
	readonly hero: number;
	readonly team: number;
	readonly enemy: number;
	/** Direction of the enemy along x. */
	readonly enemyDirection: 1 | -1;
}

const SIDES: readonly Side[] = [
	{ agent: 'wren', hero: 1, team: 1, enemy: 2, enemyDirection: 1 },
	{ agent: 'rook', hero: 6, team: 2, enemy: 1, enemyDirection: -1 },
];

const createAction = (name: string, action: string, ...point: readonly number[]) => ({
	name,
	inputs: [{ action, ...(point.length === 0 ? {} : { point }) }],
});

function viewOf({ team, enemy }: Side): object[] {
	const enemies = { of: `team:${enemy}+alive`, pick: 'nearest' };
	const observation = (name: string, low: number, high: number, of: object) => ({ name, ...of, low, high });
	return [
		observation('health', 0, 1000, { field: 'health.current' }),
		observation('mana', 0, 1000, { field: 'mana.current' }),
		observation('x', -34, 34, { field: 'position.x' }),
		observation('z', -20, 20, { field: 'position.z' }),
		observation('gold', 0, 3000, { field: 'gold' }),
		observation('level', 0, 20, { field: 'level' }),
		observation('enemy x', -68, 68, { field: 'position.x', ...enemies, relative: true }),
		observation('enemy z', -40, 40, { field: 'position.z', ...enemies, relative: true }),
		observation('enemy health', 0, 3600, { field: 'health.current', ...enemies }),
		observation('own soldiers', 0, 60, { count: `team:${team}+role:minion+alive` }),
		observation('enemy soldiers', 0, 60, { count: `team:${enemy}+role:minion+alive` }),
		observation('own towers', 0, 2, { count: `team:${team}+role:tower+alive` }),
		observation('enemy towers', 0, 2, { count: `team:${enemy}+role:tower+alive` }),
		observation('own ancient', 0, 3600, { field: 'health.current', of: `tag:ancient+team:${team}` }),
		observation('enemy ancient', 0, 3600, { field: 'health.current', of: `tag:ancient+team:${enemy}` }),
		observation('giant', 0, 1500, { field: 'health.current', of: 'tag:giant' }),
		observation('own points', 0, 300, { score: team }),
		observation('enemy points', 0, 300, { score: enemy }),
	];
}

function actionsOf({ enemyDirection }: Side): object[] {
	return [
		{ name: 'wait' },
		createAction('north tower', 'attack_move', 13.5 * enemyDirection, 1, -12),
		createAction('south tower', 'attack_move', 13.5 * enemyDirection, 1, 12),
		createAction('ancient', 'attack_move', 25 * enemyDirection, 1.5, 0),
		createAction('giant', 'attack_move', -2 * enemyDirection, 0.5, 0),
		createAction('home', 'move_or_attack', -25 * enemyDirection, 1.5, 0),
		createAction('hold', 'attack_move'),
		...['q', 'w', 'e', 'r'].map((slot) => createAction(`ability ${slot}`, `ability_${slot}`)),
	];
}

function rewardOf({ team, enemy }: Side): object[] {
	return [
		{ score: team, weight: 0.1 },
		{ score: enemy, weight: -0.1 },
		{ field: 'health.current', of: `tag:ancient+team:${team}`, weight: 0.002 },
		{ field: 'health.current', of: `tag:ancient+team:${enemy}`, weight: -0.002 },
		{ condition: `winner:${team}`, weight: 10 },
		{ condition: `winner:${enemy}`, weight: -10 },
	];
}

const [leftSide, rightSide] = SIDES.map((side) => ({
	agent: {
		name: side.agent,
		entity: `tag:${side.agent}`,
		start: [{ path: `/entities/${side.hero}/components`, body: { player: true } }],
	},
	lists: { observation: viewOf(side), actions: actionsOf(side), reward: rewardOf(side) },
}));

export const environment = {
	name: 'Skirmish',
	description:
		'Bring down the ancient of the other camp before yours falls. Go over a pass with your soldiers: a tower is too strong for a hero alone. Mend heals, and so does your camp; the shop has better weapons. Leave the giant in the middle asleep at first.',
	frame_skip: 30,
	agents: [leftSide!.agent, { ...rightSide!.agent, ...rightSide!.lists }],
	...leftSide!.lists,
	terminated: 'phase:post_match',
	max_ticks: 25_200,
};
