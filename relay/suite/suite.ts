/**
 * `orrery suite`: tasks for agents, with an exact verdict on each.
 * Owns: its subcommands and flags, progress, reports and exit code.
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
import { emptySolver, referenceSolver, runTask, type Solver, type TaskResult } from './run-task.ts';
import { TaskServer } from './task-server.ts';

export interface SuiteCommand {
	readonly operands: readonly string[];
	readonly flags: ReadonlyMap<string, string>;
	/** Server whose engine is used; undefined for an engine of this process. */
	readonly server: string | undefined;
	readonly junit: string | undefined;
}

const SOLUTIONS: Readonly<Record<string, Solver>> = { reference: referenceSolver, nothing: emptySolver };

/** Runs the command. Returns the exit code: 0 if all tasks are passed. Rejects with `UsageError`. */
export async function runSuite(command: SuiteCommand, terminal: Terminal): Promise<number> {
	const { operands, flags } = command;
	const [subcommand = flags.has('agent') || flags.has('solution') ? 'run' : 'list'] = operands;
	if (!['list', 'run', 'serve'].includes(subcommand) || operands.length > 1)
		throw new UsageError(
			`"${operands.join(' ')}" is not a subcommand of "orrery suite". Use list, run or serve.`,
		);
	const seed = wholeNumberFlag(flags, 'seed', 1);
	const groupedTasks = selectTasks(flags.get('only')).map((task) => taskWith(task, seed));
	if (subcommand === 'list') return printList(groupedTasks, flags.get('json'), terminal);
	const run = subcommand === 'serve' ? serve : runnerOf(flags);
	terminal.error(`Seed ${seed}, ${groupedTasks.length} tasks.\n`);
	const engine = await openEngine(command.server);
	try {
		const showProgress = (result: TaskResult, position: number) =>
			terminal.error(progressLine(result, position, groupedTasks.length));
		const results = await run({ tasks: groupedTasks, engine, seed, flags, showProgress, terminal });
		return await report(resultsOf(results, seed, agentName(subcommand, flags)), command, terminal);
	} finally {
		await engine.close();
	}
}

interface SuiteRun {
	readonly tasks: readonly GroupedTask[];
	readonly engine: SuiteEngine;
	readonly seed: number;
	readonly flags: ReadonlyMap<string, string>;
	readonly showProgress: (result: TaskResult, position: number) => void;
	readonly terminal: Terminal;
}

type SuiteRunner = (run: SuiteRun) => Promise<readonly TaskResult[]>;

/** Returns the runner for `--agent` or `--solution`. Throws `UsageError` without either. */
function runnerOf(flags: ReadonlyMap<string, string>): SuiteRunner {
	const agent = flags.get('agent');
	if (agent !== undefined) return (run) => runWithAgent(agent, run);
	const name = flags.get('solution');
	if (name === undefined)
		throw new UsageError(
			'Name the agent: --agent "COMMAND {url}", or --solution reference. Or start "orrery suite serve".',
		);
	const solver = SOLUTIONS[name];
	if (solver === undefined) throw new UsageError(`--solution takes reference or nothing, not "${name}".`);
	return (run) => runWithSolver(solver, run);
}

async function runWithSolver(
	solver: Solver,
	{ tasks, engine, seed, showProgress }: SuiteRun,
): Promise<TaskResult[]> {
	const results: TaskResult[] = [];
	for (const task of tasks) {
		results.push(await runTask(task, engine.handle, seed, solver));
		showProgress(results.at(-1)!, results.length);
	}
	return results;
}

/** Starts the command once for each task. */
async function runWithAgent(
	agent: string,
	{ tasks, engine, seed, flags, showProgress }: SuiteRun,
): Promise<TaskResult[]> {
	const port = wholeNumberFlag(flags, 'port', 0);
	const seconds = wholeNumberFlag(flags, 'timeout', 600);
	const results: TaskResult[] = [];
	for (const task of tasks) {
		const onResult = (result: TaskResult) => {
			results.push(result);
			showProgress(result, results.length);
		};
		const server = await TaskServer.start({ tasks: [task], engine: engine.handle, seed, port, onResult });
		try {
			const { answer, fault } = await runAgent(agent, server.url, task.prompt, seconds);
			// The agent may have submitted its answer itself.
			if (server.results.length === 0) await server.end(answer, fault);
		} finally {
			await server.close();
		}
	}
	return results;
}

/** Serves the tasks at one address until the last one has ended. */
async function serve({
	tasks,
	engine,
	seed,
	flags,
	showProgress,
	terminal,
}: SuiteRun): Promise<readonly TaskResult[]> {
	const port = wholeNumberFlag(flags, 'port', 3918);
	const server = await TaskServer.start({
		tasks,
		engine: engine.handle,
		seed,
		port,
		onResult: showProgress,
	}).catch((error: NodeJS.ErrnoException) => {
		if (error.code !== 'EADDRINUSE') throw error;
		throw new UsageError(`Port ${port} is in use. Choose another one, or use --port 0 to take a free port.`);
	});
	terminal.error(
		`The first task: GET ${server.url}/suite/task. Submit with POST ${server.url}/suite/answer.\n`,
	);
	try {
		return await server.done;
	} finally {
		await server.close();
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

async function printList(
	groupedTasks: readonly GroupedTask[],
	json: string | undefined,
	terminal: Terminal,
): Promise<number> {
	if (json !== undefined) {
		const taskViews = groupedTasks.map(({ id, group, title, prompt, budget }) => ({
			id,
			group,
			title,
			prompt,
			budget,
		}));
		await write(json, `${JSON.stringify({ ok: true, tasks: taskViews }, null, '\t')}\n`, terminal);
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

/** Returns the tasks in a list of ids and groups, or all without a list. Throws `UsageError`. */
function selectTasks(only: string | undefined): readonly GroupedTask[] {
	if (only === undefined) return tasks;
	const names = only.split(',').map((name) => name.trim());
	const knownNames = [...GROUPS, ...tasks.map(({ id }) => id)];
	for (const name of names) {
		if (knownNames.includes(name)) continue;
		const suggestedName = nearest(name, knownNames);
		const hint =
			suggestedName === undefined ? 'orrery suite list shows all.' : `Did you mean "${suggestedName}"?`;
		throw new UsageError(`There is no task or group "${name}". ${hint}`);
	}
	return tasks.filter(({ id, group }) => names.includes(id) || names.includes(group));
}

function wholeNumberFlag(flags: ReadonlyMap<string, string>, name: string, fallback: number): number {
	const text = flags.get(name);
	if (text === undefined) return fallback;
	if (/^\d{1,9}$/.test(text)) return Number(text);
	throw new UsageError(`--${name} takes a whole number, not "${text}".`);
}

function agentName(subcommand: string, flags: ReadonlyMap<string, string>): string {
	if (subcommand === 'serve') return 'serve';
	return flags.get('agent') ?? flags.get('solution') ?? '';
}
