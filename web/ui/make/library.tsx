/**
 * The library below the list of entities: what can be pressed, or dragged into the picture.
 * Owns: the tiles and the drag. Where a thing comes to rest the view knows.
 */

import './library.css';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { Icon } from '../drawn/icon.tsx';
import { ask } from '../state/ask.ts';
import { usePanels } from '../state/panels.ts';
import { type BodyChoice, GROUPS, type Group, type Item, itemsOf, shapes } from './library-items.ts';
import { useThumbnail } from './thumbnails.ts';

/** A press that moves less than this (CSS pixels) is a click. */
const CLICK_PX = 4;

const BODIES: readonly (readonly [BodyChoice, string, string])[] = [
	['Static', 'Still', 'With a body that stands still'],
	['Dynamic', 'Falls', 'With a body that falls and is pushed'],
	['none', 'No body', 'Only seen: nothing bumps into it'],
];

/** Items of the server, read when the library is first shown, and again with each world, which may have prefabs of its own. */
function useItems(): readonly Item[] {
	const { services, worlds, navigation } = usePanels();
	const world = worlds.selected.value;
	const isHere = navigation.view.value === 'make' && worlds.here.value !== null;
	const [items, setItems] = useState<readonly Item[]>([]);
	useEffect(() => {
		if (!isHere) return;
		let isUnmounted = false;
		const about = { world, on: 'panels' } as const;
		void Promise.all([
			ask(services, 'GET', '/catalog', about),
			ask(services, 'GET', '/prefab/list', about),
		]).then(([catalog, prefabs]) => {
			if (isUnmounted || !catalog.ok) return;
			setItems(itemsOf(catalog.body, prefabs.ok ? prefabs.body.details : []));
		});
		return () => {
			isUnmounted = true;
		};
	}, [services, world, isHere]);
	return items;
}

export function Library() {
	const { worlds, tools } = usePanels();
	const [group, setGroup] = useState<Group>('Shapes');
	const [choice, setChoice] = useState<BodyChoice>('Static');
	const known = useItems();
	const items = useMemo(
		() => (group === 'Shapes' ? shapes(choice) : known.filter((item) => item.group === group)),
		[group, choice, known],
	);
	const present = GROUPS.filter((name) => name === 'Shapes' || known.some((item) => item.group === name));
	return (
		<fieldset class="library">
			<legend class="only-said">Library</legend>
			<div class="chips">
				{present.map((name) => (
					<button
						key={name}
						type="button"
						class="chip"
						aria-pressed={name === group}
						onClick={() => setGroup(name)}
					>
						{name}
					</button>
				))}
			</div>
			{group === 'Shapes' && (
				<div class="segmented">
					{BODIES.map(([body, label, says]) => (
						<button
							key={body}
							type="button"
							title={says}
							aria-pressed={body === choice}
							onClick={() => setChoice(body)}
						>
							{label}
						</button>
					))}
				</div>
			)}
			<div class="spawn-palette">
				{items.map((item) => (
					<Tile
						key={item.name}
						item={item}
						disabled={worlds.here.value === null}
						put={(at) => void tools.actions.put(item, at)}
					/>
				))}
			</div>
		</fieldset>
	);
}

interface TileProps {
	readonly item: Item;
	readonly disabled: boolean;
	/** `at`: a point of the picture; null: wherever there is room. */
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
			// A drag ends in a click on the tile, too.
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
			<span class="cut">{item.name}</span>
			{at !== null && (
				<span class="carried plate" style={{ left: `${at[0]}px`, top: `${at[1]}px` }}>
					<Icon name={item.icon} small /> {item.name}
				</span>
			)}
		</button>
	);
}
