/**
 * Listeners of the page for events of the view.
 * Owns: the assignment of events to listeners.
 */

import type { FrameEvent } from '../frames/frames.ts';
import type { EditOutline, EntityRef, PicturePosition, PoseEdit, ViewEvent } from './messages.ts';

/** Adds a listener. Returns a function that removes it. */
type Listen<A extends unknown[]> = (listener: (...args: A) => void) => () => void;

/** Events that the page can listen to. */
export interface ViewListening {
	/** A person clicked in the picture or drew a rectangle. The list is empty if no entity was hit. */
	readonly onSelected: Listen<[entities: readonly EntityRef[], isAdding: boolean]>;
	/** A person released dragged entities; the edits have poses in the world. */
	readonly onEdited: Listen<[kind: 'move' | 'turn' | 'scale', edits: readonly PoseEdit[]]>;
	/** A person drew a stroke with the brush: its stamps on the ground. */
	readonly onBrushed: Listen<[stamps: readonly (readonly [number, number, number])[]]>;
	/** A person released a handle of a zone or a patrol. */
	readonly onReshaped: Listen<[outline: EditOutline]>;
	/** A drag has changed; its size as text, or null when it ends. */
	readonly onDragging: Listen<[text: string | null]>;
	/** The positions of watched units in the picture have changed. */
	readonly onPlaces: Listen<[places: readonly PicturePosition[]]>;
	/** Watched events have happened in the shown world. */
	readonly onHappened: Listen<[events: readonly FrameEvent[]]>;
	/** The picture with this hash cannot be decoded, so it is not drawn. */
	readonly onUndecodable: Listen<[hash: string]>;
}

function createListeners<A extends unknown[]>() {
	const listeners = new Set<(...args: A) => void>();
	return {
		add(listener: (...args: A) => void): () => void {
			listeners.add(listener);
			return () => void listeners.delete(listener);
		},
		call(...args: A): void {
			for (const listener of listeners) listener(...args);
		},
	};
}

/** Makes the listeners of a view. `dispatch` passes an event to its listeners. */
export function createViewListeners(): {
	readonly listening: ViewListening;
	dispatch(event: ViewEvent): void;
} {
	const selected = createListeners<[readonly EntityRef[], boolean]>();
	const edited = createListeners<['move' | 'turn' | 'scale', readonly PoseEdit[]]>();
	const brushed = createListeners<[readonly (readonly [number, number, number])[]]>();
	const reshaped = createListeners<[EditOutline]>();
	const dragging = createListeners<[string | null]>();
	const places = createListeners<[readonly PicturePosition[]]>();
	const happened = createListeners<[readonly FrameEvent[]]>();
	const undecodable = createListeners<[string]>();
	return {
		listening: {
			onSelected: selected.add,
			onEdited: edited.add,
			onBrushed: brushed.add,
			onReshaped: reshaped.add,
			onDragging: dragging.add,
			onPlaces: places.add,
			onHappened: happened.add,
			onUndecodable: undecodable.add,
		},
		dispatch(event) {
			if (event.type === 'selected') selected.call(event.entities, event.isAdding);
			else if (event.type === 'edited') edited.call(event.tool, event.edits);
			else if (event.type === 'brushed') brushed.call(event.stamps);
			else if (event.type === 'reshaped') reshaped.call(event.outlined);
			else if (event.type === 'dragging') dragging.call(event.text);
			else if (event.type === 'places') places.call(event.places);
			else if (event.type === 'happened') happened.call(event.events);
			else if (event.type === 'undecodable') undecodable.call(event.hash);
		},
	};
}
