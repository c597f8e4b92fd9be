/**
 * The branches of several ticks as a tree, opened branch by branch.
 * Owns: which branches are open, the walk with the keys, and the way from a branch to a fork.
 */

import { IconButton } from '../controls/icon-button.tsx';
import './tree.css';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Icon } from '../drawn/icon.tsx';
import { Signature } from '../drawn/signature.tsx';
import { formatNumber, formatTime } from '../numbers.ts';
import type { Refusal } from '../state/ask.ts';
import { usePanels } from '../state/panels.ts';
import { CERTAIN, type ChanceNode, LOOK_TICKS, type NextDraw, nextDraw } from './chance-tree.ts';
import { FractionMark } from './fraction.tsx';
import { decimal, writtenFraction } from './fraction-words.ts';

const ROOT = { key: '', way: [], probability: CERTAIN } as const;

type NodeRead = NextDraw | Refusal | 'reading';

/** Tree of the selected world's current state. Each new state starts a new tree. */
export function TreeView() {
	const { worlds } = usePanels();
	const selectedWorld = worlds.selectedInfo.value;
	if (selectedWorld === null) return <p class="empty">Waiting for the world.</p>;
	if (selectedWorld.playing)
		return (
			<div class="odds-words">
				<p>The world is running. The tree is read only while it is paused.</p>
				<button type="button" class="button" onClick={() => void worlds.time.toggle()}>
					<Icon name="pause" />
					Pause
				</button>
			</div>
		);
	return (
		<Tree
			key={`${selectedWorld.id} ${selectedWorld.tick} ${selectedWorld.digest}`}
			world={selectedWorld.id}
			tick={selectedWorld.tick}
		/>
	);
}

interface TreeProps {
	readonly world: string;
	readonly tick: number;
}

function Tree({ world, tick }: TreeProps) {
	const { worlds } = usePanels();
	const draws = useDraws(world);
	const [focus, setFocus] = useState('0');
	const box = useRef<HTMLDivElement>(null);
	const isFocusPending = useRef(false);
	useEffect(() => {
		if (!isFocusPending.current) return;
		isFocusPending.current = false;
		box.current?.querySelector<HTMLElement>('[tabindex="0"][role=treeitem]')?.focus();
	}, [focus]);
	const lines = treeLines(draws.read, draws.open);
	const rows = lines.flatMap((line) => ('node' in line ? [line.node] : []));
	const branch = (node: ChanceNode) => void worlds.forking.branchAlong(world, node.way);
	const walk = (event: KeyboardEvent): void => {
		if (!(event.target instanceof HTMLElement) || event.target.role !== 'treeitem') return;
		const moveTo = (key: string | undefined): void => {
			if (key === undefined || key === focus) return;
			isFocusPending.current = true;
			setFocus(key);
		};
		const move = moveFor(event.key, rows, focus, { ...draws, moveTo, branch });
		if (move === undefined) return;
		event.preventDefault();
		event.stopPropagation();
		move();
	};
	return (
		<div class="scroll draw-scroll">
			<p class="draw-root soft">
				{world}, tick {formatNumber(tick)}
			</p>
			<div
				class="draw-tree"
				ref={box}
				{...(rows.length === 0 ? {} : { role: 'tree', 'aria-label': `Branches of ${world}` })}
			>
				{lines.map((line) =>
					'node' in line ? (
						<Row
							key={line.node.key}
							node={line.node}
							isOpen={line.isOpen}
							isFocus={line.node.key === focus}
							arrive={() => setFocus(line.node.key)}
							toggle={() => draws.setOpen(line.node, !line.isOpen)}
							walk={walk}
							branch={() => branch(line.node)}
						/>
					) : (
						<p
							key={`note ${line.key}`}
							class="draw-note row soft"
							role="none"
							style={{ '--level': line.level }}
						>
							{line.isWaiting && <span class="waiting-ring" />} {line.words}
						</p>
					),
				)}
			</div>
		</div>
	);
}

/** Returns the draws that were read, the open branches, and the function that opens or closes a branch. */
function useDraws(world: string) {
	const { services } = usePanels();
	const [read, setRead] = useState<ReadonlyMap<string, NodeRead>>(new Map());
	const [open, setOpen] = useState<ReadonlySet<string>>(new Set(['']));
	const isUnmounted = useRef(false);
	const show = (node: Pick<ChanceNode, 'key' | 'way' | 'probability'>): void => {
		setRead((before) => new Map([...before, [node.key, 'reading']]));
		void nextDraw(services, world, node).then((found) => {
			if (!isUnmounted.current) setRead((before) => new Map([...before, [node.key, found]]));
		});
	};
	useEffect(() => {
		show(ROOT);
		return () => {
			isUnmounted.current = true;
		};
	}, []);
	return {
		read,
		open,
		/** Opens a branch, or closes it. */
		setOpen(node: ChanceNode, isOpen: boolean): void {
			const next = new Set(open);
			if (isOpen) next.add(node.key);
			else next.delete(node.key);
			setOpen(next);
			const known = read.get(node.key);
			if (isOpen && (known === undefined || (known !== 'reading' && 'sentence' in known))) show(node);
		},
	};
}

/** A line of the tree: a branch, or a note in place of branches. */
type TreeLine =
	| { readonly node: ChanceNode; readonly isOpen: boolean }
	| { readonly key: string; readonly level: number; readonly words: string; readonly isWaiting: boolean };

/** Returns the lines of the open branches, in their order. */
function treeLines(
	read: ReadonlyMap<string, NodeRead>,
	open: ReadonlySet<string>,
	key = '',
	level = 0,
): readonly TreeLine[] {
	const note = (words: string, isWaiting = false) => ({ key, level, words, isWaiting });
	const found = read.get(key);
	if (found === undefined || found === 'reading') return [note('Looking for the next draw.', true)];
	if ('sentence' in found) return [note(`${found.sentence} ${found.fix}`)];
	if (found.isEnd) return [note(`No draw in the next ${formatTime(LOOK_TICKS)}.`)];
	const branches = found.nodes.flatMap((node): readonly TreeLine[] => {
		const isOpen = open.has(node.key);
		return [{ node, isOpen }, ...(isOpen ? treeLines(read, open, node.key, level + 1) : [])];
	});
	if (found.rest === null) return branches;
	return [...branches, note(`More branches, not listed: ${writtenFraction(found.rest)} together.`)];
}

interface TreeMoves {
	readonly open: ReadonlySet<string>;
	readonly setOpen: (node: ChanceNode, isOpen: boolean) => void;
	/** Moves the focus to a row. Does nothing if `key` is undefined. */
	readonly moveTo: (key: string | undefined) => void;
	readonly branch: (node: ChanceNode) => void;
}

/** Returns the action of a key on the row with the focus; undefined if the key has none. */
function moveFor(
	key: string,
	rows: readonly ChanceNode[],
	focus: string,
	{ open, setOpen, moveTo, branch }: TreeMoves,
): (() => void) | undefined {
	const index = rows.findIndex((row) => row.key === focus);
	const node = rows[index];
	if (node === undefined) return undefined;
	const parent = node.key.slice(0, Math.max(0, node.key.lastIndexOf('/')));
	const isOpen = open.has(node.key);
	const moves: Readonly<Record<string, () => void>> = {
		ArrowDown: () => moveTo(rows[index + 1]?.key),
		ArrowUp: () => moveTo(rows[index - 1]?.key),
		Home: () => moveTo(rows[0]?.key),
		End: () => moveTo(rows.at(-1)?.key),
		ArrowRight: () => (isOpen ? moveTo(`${node.key}/0`) : setOpen(node, true)),
		ArrowLeft: () => (isOpen ? setOpen(node, false) : moveTo(parent === '' ? undefined : parent)),
		Enter: () => setOpen(node, !isOpen),
		b: () => branch(node),
	};
	return moves[key];
}

interface RowProps {
	readonly node: ChanceNode;
	readonly isOpen: boolean;
	/** True if Tab moves the focus to this row. */
	readonly isFocus: boolean;
	readonly arrive: () => void;
	readonly toggle: () => void;
	readonly walk: (event: KeyboardEvent) => void;
	readonly branch: () => void;
}

function Row({ node, isOpen, isFocus, arrive, toggle, walk, branch }: RowProps) {
	return (
		<div
			class="draw-row"
			role="treeitem"
			aria-level={node.way.length}
			aria-expanded={isOpen}
			tabIndex={isFocus ? 0 : -1}
			style={{ '--level': node.way.length - 1 }}
			title={isOpen ? 'Close' : 'Show what can be drawn next'}
			onFocus={arrive}
			onClick={toggle}
			onKeyDown={walk}
		>
			<Icon name={isOpen ? 'down' : 'right'} small />
			<span class="cut">{node.label}</span>
			<span class="soft draw-share">{writtenFraction(node.share)}</span>
			<span class="bar-cell">
				<i style={{ width: `${node.p * 100}%` }} />
			</span>
			<span class="draw-fraction">
				<FractionMark value={node.probability} />
			</span>
			<span class="decimal mono">{decimal(node.p)}</span>
			<span class="soft draw-tick">tick {formatNumber(node.tick)}</span>
			<Signature digest={node.digest} size={20} />
			<IconButton
				icon="forks"
				small
				tabIndex={-1}
				name={`Branch along ${node.label}`}
				title="Make a fork that goes this way (B)"
				onClick={(event) => {
					event.stopPropagation();
					branch();
				}}
			/>
		</div>
	);
}
