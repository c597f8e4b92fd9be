/**
 * `orrery suite`: tasks for agents, with an exact verdict on each.
 * Owns: its words and flags, progress, reports and exit code.
 */

import { nearest } from '../../shared/contract/nearest.ts';
import { tasks } from '../../shared/suite/index.ts';
import { GROUPS, type GroupedTask } from '../../shared/suite/task.ts';
import { type Terminal, UsageError } from '../cli/terminal.ts';
import { junitReport } from '../cli/verdicts.ts';
import { runAgent } from './agent.ts';
import { openEngine, type SuiteEngine } from './engine.ts';
import { taskWith } from './numbers.ts';
import { progressLine, resultsOf, totalLines } from './results.ts';
import { nothing, reference, runTask, type Solver, type TaskResult } from './run-task.ts';
import { TaskServer } from './task-server.ts';

export interface SuiteCommand {
	readonly operands: readonly string[];
	readonly flags: ReadonlyMap<string, string>;
	/** Server whose engine is used; an engine of this process if not given. */
	readonly server: string | undefined;
	readonly junit: string | undefined;
}

const SOLUTIONS: Readonly<Record<string, Solver>> = { reference, nothing };

/** Runs the command. Returns the exit code: 0 if all tasks are passed. Throws `UsageError`. */
export async function runSuite(command: SuiteCommand, terminal: Terminal): Promise<number> {
	const { operands, flags } = command;
	const [word = flags.has('agent') || flags.has('solution') ? 'run' : 'list'] = operands;
	if (!['list', 'run', 'serve'].includes(word) || operands.length > 1)
		throw new UsageError(`"${operands.join(' ')}" is not a word of "orrery suite". Use list, run or serve.`);
	const seed = wholeOf(flags, 'seed', 1);
	const groupedTasks = chosenTasks(flags.get('only')).map((task) => taskWith(task, seed));
	if (word === 'list') return list(groupedTasks, flags.get('json'), terminal);
	const way = word === 'serve' ? serve : wayOf(flags);
	terminal.error(`Seed ${seed}, ${groupedTasks.length} tasks.\n`);
	const engine = await openEngine(command.server);
	try {
		const show = (result: TaskResult, at: number) =>
			terminal.error(progressLine(result, at, groupedTasks.length));
		const found = await way({ chosen: groupedTasks, engine, seed, flags, show, terminal });
		return await report(resultsOf(found, seed, agentName(word, flags)), command, terminal);
	} finally {
		await engine.close();
	}
}

interface Setting {
	readonly chosen: readonly GroupedTask[];
	readonly engine: SuiteEngine;
	readonly seed: number;
	readonly flags: ReadonlyMap<string, string>;
	readonly show: (result: TaskResult, at: number) => void;
	readonly terminal: Terminal;
}

type SuiteRunner = (setting: Setting) => Promise<readonly TaskResult[]>;

function wayOf(flags: ReadonlyMap<string, string>): SuiteRunner {
	const agent = flags.get('agent');
	if (agent !== undefined) return (setting) => withAgent(agent, setting);
	const name = flags.get('solution');
	if (name === undefined)
		throw new UsageError(
			'Name the agent: --agent "COMMAND {url}", or --solution reference. Or start "orrery suite serve".',
		);
	const solver = SOLUTIONS[name];
	if (solver === undefined) throw new UsageError(`--solution takes reference or nothing, not "${name}".`);
	return (setting) => withSolver(solver, setting);
}

async function withSolver(solver: Solver, { chosen, engine, seed, show }: Setting): Promise<TaskResult[]> {
	const results: TaskResult[] = [];
	for (const task of chosen) {
		results.push(await runTask(task, engine.handle, seed, solver));
		show(results.at(-1)!, results.length);
	}
	return results;
}

/** Starts the command once for each task. */
async function withAgent(
	agent: string,
	{ chosen, engine, seed, flags, show }: Setting,
): Promise<TaskResult[]> {
	const port = wholeOf(flags, 'port', 0);
	const seconds = wholeOf(flags, 'timeout', 600);
	const results: TaskResult[] = [];
	for (const task of chosen) {
		const ended = (result: TaskResult) => {
			results.push(result);
			show(result, results.length);
		};
		const front = await TaskServer.start({ tasks: [task], engine: engine.handle, seed, port, ended });
		try {
			const { answer, fault } = await runAgent(agent, front.url, task.prompt, seconds);
			// An agent may have submitted its answer itself.
			if (front.results.length === 0) await front.end(answer, fault);
		} finally {
			await front.close();
		}
	}
	return results;
}

/** Serves the tasks at one address until the last one has ended. */
async function serve({
	chosen,
	engine,
	seed,
	flags,
	show,
	terminal,
}: Setting): Promise<readonly TaskResult[]> {
	const port = wholeOf(flags, 'port', 3918);
	const front = await TaskServer.start({
		tasks: chosen,
		engine: engine.handle,
		seed,
		port,
		ended: show,
	}).catch((error: NodeJS.ErrnoException) => {
		if (error.code !== 'EADDRINUSE') throw error;
		throw new UsageError(`Port ${port} is in use. Send another one: --port 0 lets the system choose.`);
	});
	terminal.error(
		`The first task: GET ${front.url}/suite/task. Submit with POST ${front.url}/suite/answer.\n`,
	);
	try {
		return await front.done;
	} finally {
		await front.close();
	}
}

async function report(
	results: ReturnType<typeof resultsOf>,
	{ flags, junit }: SuiteCommand,
	terminal: Terminal,
): Promise<number> {
	const json = flags.get('json');
	if (json !== undefined) await write(json, `${JSON.stringify(results, null, '\t')}\n`, terminal);
	if (junit !== undefined) {
		const verdicts = results.results.map(({ id, group, passed, failure }) => ({
			name: `${group}/${id}`,
			severity: 'error',
			passed,
			message: failure ?? '',
		}));
		await terminal.writeFile(junit, junitReport('orrery suite', verdicts));
	}
	if (json !== '-') terminal.out(totalLines(results));
	return results.ok ? 0 : 1;
}

async function list(
	groupedTasks: readonly GroupedTask[],
	json: string | undefined,
	terminal: Terminal,
): Promise<number> {
	if (json !== undefined) {
		const tasksShown = groupedTasks.map(({ id, group, title, prompt, budget }) => ({
			id,
			group,
			title,
			prompt,
			budget,
		}));
		await write(json, `${JSON.stringify({ ok: true, tasks: tasksShown }, null, '\t')}\n`, terminal);
	} else {
		const width = Math.max(...groupedTasks.map(({ id, group }) => `${group}/${id}`.length));
		for (const { id, group, title } of groupedTasks)
			terminal.out(`${`${group}/${id}`.padEnd(width)}  ${title}\n`);
	}
	return 0;
}

async function write(file: string, text: string, terminal: Terminal): Promise<void> {
	if (file === '-') terminal.out(text);
	else await terminal.writeFile(file, text);
}

/** Tasks of a list of ids and groups; all without one. */
function chosenTasks(only: string | undefined): readonly GroupedTask[] {
	if (only === undefined) return tasks;
	const names = only.split(',').map((name) => name.trim());
	const knownNames = [...GROUPS, ...tasks.map(({ id }) => id)];
	for (const name of names) {
		if (knownNames.includes(name)) continue;
		const near = nearest(name, knownNames);
		const hint = near === undefined ? 'orrery suite list shows all.' : `Did you mean "${near}"?`;
		throw new UsageError(`There is no task or group "${name}". ${hint}`);
	}
	return tasks.filter(({ id, group }) => names.includes(id) || names.includes(group));
}

function wholeOf(flags: ReadonlyMap<string, string>, name: string, usual: number): number {
	const text = flags.get(name);
	if (text === undefined) return usual;
	if (/^\d{1,9}$/.test(text)) return Number(text);
	throw new UsageError(`--${name} takes a whole number, not "${text}".`);
}

function agentName(word: string, flags: ReadonlyMap<string, string>): string {
	if (word === 'serve') return 'serve';
	return flags.get('agent') ?? flags.get('solution') ?? '';
}
