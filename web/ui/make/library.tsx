/**
 * The library below the list of entities. Its tiles can be clicked, or dragged into the picture.
 * Owns: the search, the tiles and the drag. The 3D view computes the places of things.
 */

import './library.css';
import { Fragment } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { SearchField } from '../controls/search-field.tsx';
import { Icon } from '../drawn/icon.tsx';
import { ask } from '../state/ask.ts';
import { usePanels } from '../state/panels.ts';
import { type BodyChoice, fits, GROUPS, type Group, type Item, itemsOf, shapes } from './library-items.ts';
import { PaneDivider, useLibraryShare } from './pane-divider.tsx';
import { useThumbnail } from './thumbnails.ts';

/** A press that moves less than this (CSS pixels) is a click. */
const CLICK_PX = 4;

const BODIES: readonly (readonly [BodyChoice, string, string])[] = [
	['Static', 'Still', 'With a body that stands still'],
	['Dynamic', 'Falls', 'With a body that falls and is pushed'],
	['none', 'No body', 'Without a body: nothing collides with it'],
];

/** Groups whose things get the body that is chosen; others have the body that they need. */
const HAVE_BODIES: readonly Group[] = ['Shapes', 'Models'];

/** Items of the server, read when the library is first shown, and again with each world, which may have prefabs of its own. */
function useItems(choice: BodyChoice): readonly Item[] {
	const { services, worlds, navigation } = usePanels();
	const world = worlds.selected.value;
	const isHere = navigation.view.value === 'make' && worlds.selectedInfo.value !== null;
	const [known, setKnown] = useState<Parameters<typeof itemsOf> | null>(null);
	useEffect(() => {
		if (!isHere) return;
		let isStale = false;
		const about = { world, on: 'panels' } as const;
		void Promise.all([
			ask(services, 'GET', '/catalog', about),
			ask(services, 'GET', '/prefab/list', about),
		]).then(([catalog, prefabs]) => {
			if (isStale || !catalog.ok) return;
			setKnown([catalog.body, prefabs.ok ? prefabs.body.details : []]);
		});
		return () => {
			isStale = true;
		};
	}, [services, world, isHere]);
	return useMemo(() => (known === null ? [] : itemsOf(known[0], known[1], choice)), [known, choice]);
}

export function Library() {
	const { worlds, tools, canvas } = usePanels();
	const [group, setGroup] = useState<Group>('Shapes');
	const [choice, setChoice] = useState<BodyChoice>('Static');
	const [search, setSearch] = useState('');
	const [share, setShare] = useLibraryShare();
	const known = useItems(choice);
	const all = useMemo(() => [...shapes(choice), ...known], [choice, known]);
	const isSearching = search.trim() !== '';
	const found = isSearching ? all.filter((item) => fits(item, search)) : all;
	const shown = GROUPS.filter((name) =>
		isSearching ? found.some((item) => item.group === name) : name === group,
	);
	const isAway = worlds.selectedInfo.value === null;
	const put = (item: Item, at: readonly [number, number] | null) => void tools.actions.put(item, at);
	return (
		<fieldset class="library" style={{ '--share': share }}>
			<legend class="only-said">Library</legend>
			<PaneDivider share={share} set={setShare} />
			<SearchField
				of="the library"
				placeholder="Find a thing to place"
				value={search}
				change={setSearch}
				enter={() => {
					const [first] = shown.flatMap((name) => found.filter((item) => item.group === name));
					if (!isSearching || first === undefined || isAway) return;
					put(first, null);
					// The next key must affect the placed thing.
					canvas.focus();
				}}
			/>
			<div class="chips">
				{GROUPS.map((name) => (
					<button
						key={name}
						type="button"
						class="chip"
						aria-pressed={!isSearching && name === group}
						onClick={() => {
							setSearch('');
							setGroup(name);
						}}
					>
						{name}
					</button>
				))}
			</div>
			<div class="scroll">
				{HAVE_BODIES.some((name) => shown.includes(name)) && (
					<BodyChoices choice={choice} choose={setChoice} />
				)}
				{shown.map((name) => (
					<Fragment key={name}>
						{isSearching && <h3 class="caps">{name}</h3>}
						<div class="spawn-palette">
							{found
								.filter((item) => item.group === name)
								.map((item) => (
									<Tile key={item.name} item={item} disabled={isAway} put={(at) => put(item, at)} />
								))}
						</div>
					</Fragment>
				))}
				{isSearching && shown.length === 0 && <p class="empty">Nothing matches. Clear the search.</p>}
			</div>
		</fieldset>
	);
}

interface BodyChoicesProps {
	readonly choice: BodyChoice;
	readonly choose: (choice: BodyChoice) => void;
}

function BodyChoices({ choice, choose }: BodyChoicesProps) {
	return (
		<div class="segmented">
			{BODIES.map(([body, label, says]) => (
				<button
					key={body}
					type="button"
					title={says}
					aria-pressed={body === choice}
					onClick={() => choose(body)}
				>
					{label}
				</button>
			))}
		</div>
	);
}

interface TileProps {
	readonly item: Item;
	readonly disabled: boolean;
	/** `at` is a point of the picture; null for any free place. */
	readonly put: (at: readonly [number, number] | null) => void;
}

function Tile({ item, disabled, put }: TileProps) {
	const { canvas, tools } = usePanels();
	const from = useRef<readonly [number, number] | null>(null);
	const [at, setAt] = useState<readonly [number, number] | null>(null);
	const tile = useRef<HTMLButtonElement>(null);
	const picture = useThumbnail(item.shown, tile);
	/** Returns the point of the picture under the pointer; null beside the picture. */
	const inPicture = ({ clientX, clientY }: PointerEvent): readonly [number, number] | null => {
		const { left, top, right, bottom } = canvas.getBoundingClientRect();
		const isInside = clientX > left && clientX < right && clientY > top && clientY < bottom;
		return isInside ? [clientX - left, clientY - top] : null;
	};
	const end = () => {
		from.current = null;
		setAt(null);
	};
	return (
		<button
			ref={tile}
			type="button"
			title={`Put ${item.name.toLowerCase()} into the world: press, or drag it into the picture`}
			disabled={disabled}
			// Only clicks by keyboard have detail 0. A pointer also causes a click after a drag.
			onClick={(event) => event.detail === 0 && put(null)}
			onPointerDown={(event) => {
				if (event.button !== 0) return;
				event.currentTarget.setPointerCapture(event.pointerId);
				from.current = [event.clientX, event.clientY];
			}}
			onPointerMove={(event) => {
				const began = from.current;
				if (began === null) return;
				if (at === null && Math.hypot(event.clientX - began[0], event.clientY - began[1]) < CLICK_PX) return;
				setAt([event.clientX, event.clientY]);
				tools.actions.preview(item, inPicture(event));
			}}
			onPointerUp={(event) => {
				if (from.current === null) return;
				const dragged = at !== null;
				const point = inPicture(event);
				end();
				if (!dragged) put(null);
				else if (point !== null) put(point);
			}}
			onPointerCancel={() => {
				end();
				tools.actions.preview(item, null);
			}}
		>
			{picture === null ? <Icon name={item.icon} /> : <img src={picture} alt="" draggable={false} />}
			<span>{item.name}</span>
			{at !== null && (
				<span class="carried plate row" style={{ left: `${at[0]}px`, top: `${at[1]}px` }}>
					<Icon name={item.icon} small /> {item.name}
				</span>
			)}
		</button>
	);
}
