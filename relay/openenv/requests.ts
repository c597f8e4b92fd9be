/** Requests of OpenEnv: their shapes, checked. Owns: the sentences of their refusals. */

import * as z from 'zod';
import { createRouter } from '../../shared/contract/router.ts';
import { forkName } from '../../shared/routes/forks.ts';
import { routes } from '../../shared/routes/index.ts';
import { MAX_TICKS } from '../../shared/routes/simulation.ts';

/** A request that the server does not run. */
export class OpenEnvError extends Error {
	/** HTTP status. */
	readonly status: number;
	/** Code of the standard, or of the engine's refusal. */
	readonly code: string;
	readonly fix: string;

	constructor(code: string, message: string, fix: string, status = 422) {
		super(message);
		this.code = code;
		this.fix = fix;
		this.status = status;
	}
}

const find = createRouter(routes);

const innerRequest = z
	.strictObject({
		method: z.enum(['GET', 'POST', 'DELETE']).default('POST'),
		path: z.string().startsWith('/').describe('Path of a call to the world, with its query'),
		body: z.record(z.string(), z.unknown()).optional(),
		as: z.string().optional().describe('Name for later requests, as in /batch'),
	})
	.superRefine(({ method, path }, context) => {
		const refusal = reach(method, path);
		if (refusal !== undefined) context.addIssue({ code: 'custom', message: refusal });
	});

/** The reason why a request may reach beyond the world of its episode; undefined if it cannot. */
function reach(method: string, path: string): string | undefined {
	const [bare = '', query = ''] = path.split('?', 2);
	if (new URLSearchParams(query).has('world'))
		return 'an action acts on the world of its episode: omit "world"';
	try {
		const { route } = find(method, bare);
		const isInside = route.world !== false && route.effect !== 'fork' && route.batch !== false;
		return isInside ? undefined : `${method} ${bare} is not a call to the world of an episode`;
	} catch (error) {
		return (error as Error).message;
	}
}

const ticks = z.int().min(0).max(MAX_TICKS);

export const actionShape = z
	.strictObject({
		name: z.string().optional().describe('Action that the scenario declares'),
		parameters: z.record(z.string(), z.unknown()).optional().describe('Parameters of the named action'),
		requests: z.array(innerRequest).max(100).default([]).describe('Calls before the ticks; all or nothing'),
		inputs: z
			.array(z.record(z.string(), z.unknown()))
			.optional()
			.describe('Inputs during the ticks, as in POST /step'),
		ticks: ticks.optional().describe('Ticks of 1/60 s; left out: those of the reset'),
		metadata: z.record(z.string(), z.unknown()).optional().describe('Ignored'),
	})
	.refine(({ name, parameters }) => name !== undefined || parameters === undefined, {
		message: '"parameters" needs the "name" of an action',
	});
export type Action = z.output<typeof actionShape>;

const observeShape = z.strictObject({
	filter: z.string().optional().describe('Entities to observe, such as alive+team:1'),
	fields: z.array(z.string()).min(1).max(50).default(['tags', 'team', 'health', 'position']),
	limit: z.int().min(1).max(10_000).default(100),
});

const rewardShape = z.strictObject({
	field: z.string().describe('Number of an entity, such as gold or health.current'),
	filter: z.string().optional().describe('Entities whose numbers are added; left out: all'),
});

export const resetShape = z.strictObject({
	seed: z
		.int()
		.min(0)
		.max(Number.MAX_SAFE_INTEGER)
		.nullish()
		.describe('Seed of all draws; left out: a new one'),
	episode_id: z.string().min(1).max(255).nullish().describe('Name of the episode; left out: a new one'),
	scene: z.string().max(100).nullish().describe('Scene to open; left out: a copy of `world`'),
	world: z
		.union([z.literal('main'), forkName])
		.default('main')
		.describe('World to copy'),
	ticks: ticks.default(1).describe('Ticks of a step that names none'),
	observe: observeShape.prefault({}).describe('Contents of an observation'),
	reward: rewardShape.nullish().describe('The reward of a step is the change of this sum'),
	done: z.string().min(1).nullish().describe('Condition that ends the episode, such as "none team:2+alive"'),
	handle: z.string().nullish().describe('Handle of a state of this server: continue exactly there'),
	checkpoint: z
		.record(z.string(), z.unknown())
		.nullish()
		.describe('Exported checkpoint, also of another server: continue exactly there'),
});
export type Reset = z.output<typeof resetShape>;

/** Settings of an episode, which its checkpoints have. */
export type Settings = Pick<Reset, 'ticks' | 'observe' | 'reward' | 'done'>;

/** Reads a value by a shape. Throws `VALIDATION_ERROR`. */
export function read<T extends z.ZodType>(shape: T, value: unknown, what: string): z.output<T> {
	const parsed = shape.safeParse(value);
	if (parsed.success) return parsed.data;
	const [issue] = parsed.error.issues;
	const at = issue!.path.length === 0 ? what : `${what}.${issue!.path.join('.')}`;
	const fields = shape instanceof z.ZodObject ? ` Fields: ${Object.keys(shape.shape).join(', ')}.` : '';
	throw new OpenEnvError(
		'VALIDATION_ERROR',
		`${at}: ${issue!.message.replace(/\.$/, '')}.`,
		`Correct it and send the request again.${fields} GET /openenv/schema describes them.`,
	);
}
