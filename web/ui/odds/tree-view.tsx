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
import type { Fraction } from './odds.ts';

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
				<button type="button" class="button" onClick={() => void worlds.toggleTime()}>
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

	/** The rows in their order, from what is open. */
	const rows: Node[] = [];
	const collect = (key: string): void => {
		const found = read.get(key);
		if (found === undefined || found === 'reading' || 'sentence' in found) return;
		for (const node of found.nodes) {
			rows.push(node);
			if (open.has(node.key)) collect(node.key);
		}
	};
	collect('');
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
		};
		const move = moves[event.key];
		if (move === undefined) return;
		event.preventDefault();
		event.stopPropagation();
		move();
	};
	const level = (key: string): ComponentChildren => {
		const found = read.get(key);
		if (found === undefined || found === 'reading')
			return (
				<p class="draw-note soft" role="none">
					<span class="waiting-ring" /> Looking for the next draw.
				</p>
			);
		if ('sentence' in found)
			return (
				<p class="draw-note bad" role="none">
					{found.sentence} {found.fix}
				</p>
			);
		if (found.isEnd)
			return (
				<p class="draw-note soft" role="none">
					No draw in the next {formatTime(LOOK_TICKS)}.
				</p>
			);
		return (
			<>
				{found.nodes.map((node) => (
					<div
						key={node.key}
						class="draw-branch"
						role="treeitem"
						aria-level={node.way.length}
						aria-expanded={open.has(node.key)}
						aria-labelledby={`draw-${node.key}`}
						tabIndex={node.key === focus ? 0 : -1}
						onFocus={(event) => event.target === event.currentTarget && setFocus(node.key)}
					>
						<Row
							node={node}
							isOpen={open.has(node.key)}
							toggle={() => {
								setFocus(node.key);
								setOpenTo(node, !open.has(node.key));
							}}
							branch={() => void worlds.branchAlong(world, node.way)}
						/>
						{open.has(node.key) && <fieldset>{level(node.key)}</fieldset>}
					</div>
				))}
				{found.rest !== null && (
					<p class="draw-note soft" role="none">
						More branches, not listed: {writtenFraction(found.rest)} together.
					</p>
				)}
			</>
		);
	};
	return (
		<div class="scroll draw-scroll">
			<p class="draw-root soft">
				{world}, tick {formatNumber(tick)}
			</p>
			<div
				class="draw-tree"
				ref={box}
				{...(rows.length === 0
					? {}
					: { role: 'tree', 'aria-label': `Branches of ${world}`, onKeyDown: walk })}
			>
				{level('')}
			</div>
		</div>
	);
}

interface RowProps {
	readonly node: Node;
	readonly isOpen: boolean;
	readonly toggle: () => void;
	readonly branch: () => void;
}

/** Of a row only the arrow keys and the two clicks: a tree item must have no other stops. */
function Row({ node, isOpen, toggle, branch }: RowProps) {
	return (
		// biome-ignore lint/a11y/noStaticElementInteractions: Enter does the same on the tree item around it
		// biome-ignore lint/a11y/useKeyWithClickEvents: as above
		<div
			class="draw-row"
			id={`draw-${node.key}`}
			onClick={toggle}
			title={isOpen ? 'Close' : 'Show what can be drawn next'}
		>
			<Icon name={isOpen ? 'down' : 'right'} small />
			<span class="cut">{node.label}</span>
			<Share value={node.share} />
			<span class="bar-cell">
				<i style={{ width: `${node.p * 100}%` }} />
			</span>
			<FractionMark value={node.probability} />
			<span class="decimal mono">{decimal(node.p)}</span>
			<span class="soft draw-tick">tick {formatNumber(node.tick)}</span>
			<Signature digest={node.digest} size={20} />
			<button
				type="button"
				class="button quiet square small"
				tabIndex={-1}
				aria-label={`Branch along ${node.label}`}
				title="Make a fork that goes this way"
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

const Share = ({ value }: { readonly value: Fraction }) => (
	<span class="soft draw-share">{writtenFraction(value)}</span>
);
