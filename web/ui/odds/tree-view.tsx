/**
 * The branches of several ticks as a tree, opened branch by branch.
 * Owns: which branches are open, the walk with the keys, and the way from a branch to a fork.
 */

import './tree.css';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Icon } from '../drawn/icon.tsx';
import { Signature } from '../drawn/signature.tsx';
import { formatNumber, formatTime } from '../numbers.ts';
import type { Refusal } from '../state/ask.ts';
import { usePanels } from '../state/panels.ts';
import { CERTAIN, LOOK_TICKS, type Next, type Node, nextDraw } from './chance-tree.ts';
import { FractionMark } from './fraction.tsx';
import { decimal, writtenFraction } from './fraction-words.ts';

const ROOT = { key: '', way: [], probability: CERTAIN } as const;

type Read = Next | Refusal | 'reading';

/** The tree of the selected world as it is now; another state is another tree. */
export function TreeView() {
	const { worlds } = usePanels();
	const here = worlds.here.value;
	if (here === null) return <p class="empty">Waiting for the world.</p>;
	if (here.playing)
		return (
			<div class="odds-words">
				<p>The world is running. The tree is read only while it is paused.</p>
				<button type="button" class="button" onClick={() => void worlds.time.toggle()}>
					<Icon name="pause" />
					Pause
				</button>
			</div>
		);
	return <Tree key={`${here.id} ${here.tick} ${here.digest}`} world={here.id} tick={here.tick} />;
}

interface TreeProps {
	readonly world: string;
	readonly tick: number;
}

function Tree({ world, tick }: TreeProps) {
	const { services, worlds } = usePanels();
	const [read, setRead] = useState<ReadonlyMap<string, Read>>(new Map());
	const [open, setOpen] = useState<ReadonlySet<string>>(new Set(['']));
	const [focus, setFocus] = useState('0');
	const box = useRef<HTMLDivElement>(null);
	const isOver = useRef(false);
	const isFocusWanted = useRef(false);
	const show = (node: Pick<Node, 'key' | 'way' | 'probability'>): void => {
		setRead((before) => new Map([...before, [node.key, 'reading']]));
		void nextDraw(services, world, node).then((found) => {
			if (!isOver.current) setRead((before) => new Map([...before, [node.key, found]]));
		});
	};
	useEffect(() => {
		show(ROOT);
		return () => {
			isOver.current = true;
		};
	}, []);
	useEffect(() => {
		if (!isFocusWanted.current) return;
		isFocusWanted.current = false;
		box.current?.querySelector<HTMLElement>('[tabindex="0"][role=treeitem]')?.focus();
	}, [focus]);
	const setOpenTo = (node: Node, isOpen: boolean): void => {
		const next = new Set(open);
		if (isOpen) next.add(node.key);
		else next.delete(node.key);
		setOpen(next);
		const known = read.get(node.key);
		if (isOpen && (known === undefined || (known !== 'reading' && 'sentence' in known))) show(node);
	};

	/** Rows and notes in their order, from what is open. */
	const lines: ComponentChildren[] = [];
	const rows: Node[] = [];
	const note = (key: string, level: number, words: ComponentChildren) =>
		lines.push(
			<p key={`note ${key}`} class="draw-note soft" role="none" style={{ '--level': level }}>
				{words}
			</p>,
		);
	const collect = (key: string, level: number): void => {
		const found = read.get(key);
		if (found === undefined || found === 'reading')
			note(
				key,
				level,
				<>
					<span class="waiting-ring" /> Looking for the next draw.
				</>,
			);
		else if ('sentence' in found) note(key, level, `${found.sentence} ${found.fix}`);
		else if (found.isEnd) note(key, level, `No draw in the next ${formatTime(LOOK_TICKS)}.`);
		else {
			for (const node of found.nodes) {
				const isOpen = open.has(node.key);
				rows.push(node);
				lines.push(
					<Row
						key={node.key}
						node={node}
						isOpen={isOpen}
						isFocus={node.key === focus}
						arrive={() => setFocus(node.key)}
						toggle={() => setOpenTo(node, !isOpen)}
						walk={(event) => walk(event)}
						branch={() => void worlds.forking.branchAlong(world, node.way)}
					/>,
				);
				if (isOpen) collect(node.key, level + 1);
			}
			if (found.rest !== null)
				note(key, level, `More branches, not listed: ${writtenFraction(found.rest)} together.`);
		}
	};
	collect('', 0);
	const moveTo = (key: string | undefined): void => {
		if (key === undefined || key === focus) return;
		isFocusWanted.current = true;
		setFocus(key);
	};
	const walk = (event: KeyboardEvent): void => {
		const at = rows.findIndex(({ key }) => key === focus);
		const node = rows[at];
		if (node === undefined || !(event.target instanceof HTMLElement) || event.target.role !== 'treeitem')
			return;
		const parent = node.key.slice(0, Math.max(0, node.key.lastIndexOf('/')));
		const moves: Readonly<Record<string, () => void>> = {
			ArrowDown: () => moveTo(rows[at + 1]?.key),
			ArrowUp: () => moveTo(rows[at - 1]?.key),
			Home: () => moveTo(rows[0]?.key),
			End: () => moveTo(rows.at(-1)?.key),
			ArrowRight: () => (open.has(node.key) ? moveTo(`${node.key}/0`) : setOpenTo(node, true)),
			ArrowLeft: () =>
				open.has(node.key) ? setOpenTo(node, false) : moveTo(parent === '' ? undefined : parent),
			Enter: () => setOpenTo(node, !open.has(node.key)),
			b: () => void worlds.forking.branchAlong(world, node.way),
		};
		const move = moves[event.key];
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
				{lines}
			</div>
		</div>
	);
}

interface RowProps {
	readonly node: Node;
	readonly isOpen: boolean;
	/** It is the stop of the Tab key. */
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
			<button
				type="button"
				class="button quiet square small"
				tabIndex={-1}
				aria-label={`Branch along ${node.label}`}
				title="Make a fork that goes this way (B)"
				onClick={(event) => {
					event.stopPropagation();
					branch();
				}}
			>
				<Icon name="forks" small />
			</button>
		</div>
	);
}
