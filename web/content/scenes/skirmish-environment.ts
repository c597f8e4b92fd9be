/** The skirmish as an environment for learning agents: a hero of each camp; both have the same kind of view. */

interface Side {
	readonly agent: string;
	/** Id of its hero. */
	readonly hero: number;
	readonly team: number;
	readonly enemy: number;
	/** Direction of the enemy along x. */
	readonly ahead: 1 | -1;
}

const SIDES: readonly Side[] = [
	{ agent: 'wren', hero: 1, team: 1, enemy: 2, ahead: 1 },
	{ agent: 'rook', hero: 6, team: 2, enemy: 1, ahead: -1 },
];

const order = (name: string, action: string, ...point: readonly number[]) => ({
	name,
	inputs: [{ action, ...(point.length === 0 ? {} : { point }) }],
});

function viewOf({ team, enemy }: Side): object[] {
	const foes = { of: `team:${enemy}+alive`, pick: 'nearest' };
	const number = (name: string, low: number, high: number, of: object) => ({ name, ...of, low, high });
	return [
		number('health', 0, 1000, { field: 'health.current' }),
		number('mana', 0, 1000, { field: 'mana.current' }),
		number('x', -34, 34, { field: 'position.x' }),
		number('z', -20, 20, { field: 'position.z' }),
		number('gold', 0, 3000, { field: 'gold' }),
		number('level', 0, 20, { field: 'level' }),
		number('enemy x', -68, 68, { field: 'position.x', ...foes, relative: true }),
		number('enemy z', -40, 40, { field: 'position.z', ...foes, relative: true }),
		number('enemy health', 0, 3600, { field: 'health.current', ...foes }),
		number('own soldiers', 0, 60, { count: `team:${team}+role:minion+alive` }),
		number('enemy soldiers', 0, 60, { count: `team:${enemy}+role:minion+alive` }),
		number('own towers', 0, 2, { count: `team:${team}+role:tower+alive` }),
		number('enemy towers', 0, 2, { count: `team:${enemy}+role:tower+alive` }),
		number('own ancient', 0, 3600, { field: 'health.current', of: `tag:ancient+team:${team}` }),
		number('enemy ancient', 0, 3600, { field: 'health.current', of: `tag:ancient+team:${enemy}` }),
		number('giant', 0, 1500, { field: 'health.current', of: 'tag:giant' }),
		number('own points', 0, 300, { score: team }),
		number('enemy points', 0, 300, { score: enemy }),
	];
}

function actionsOf({ ahead }: Side): object[] {
	return [
		{ name: 'wait' },
		order('north tower', 'attack_move', 13.5 * ahead, 1, -12),
		order('south tower', 'attack_move', 13.5 * ahead, 1, 12),
		order('ancient', 'attack_move', 25 * ahead, 1.5, 0),
		order('giant', 'attack_move', -2 * ahead, 0.5, 0),
		order('home', 'move_or_attack', -25 * ahead, 1.5, 0),
		order('hold', 'attack_move'),
		...['q', 'w', 'e', 'r'].map((slot) => order(`ability ${slot}`, `ability_${slot}`)),
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

const [first, second] = SIDES.map((side) => ({
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
	agents: [first!.agent, { ...second!.agent, ...second!.lists }],
	...first!.lists,
	terminated: 'phase:post_match',
	max_ticks: 25_200,
};
