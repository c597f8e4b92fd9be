/**
 * The keys of the page and their actions.
 * Owns: the one table of keys, and the list that `?` shows. Never: performs an action.
 */

import type { ToolName } from '../../render/messages.ts';
import { type PageView, VIEWS, type ViewName } from './views.ts';

export const VIEW_NAMES = Object.keys(VIEWS) as ViewName[];

const viewsWith = (ability: 'selects' | 'undoes'): readonly ViewName[] =>
	VIEW_NAMES.filter((name) => (VIEWS[name] as PageView)[ability]);

const PICTURE_VIEWS = viewsWith('selects');
const UNDO_VIEWS = viewsWith('undoes');
/** All views but Play, where the game has the keys. */
const PANEL_VIEWS: readonly ViewName[] = VIEW_NAMES.filter((view) => view !== 'play');

export type KeyAction =
	| { readonly do: 'view'; readonly view: ViewName }
	| { readonly do: 'chance' }
	| {
			readonly do:
				| 'time'
				| 'search'
				| 'keys'
				| 'spawn'
				| 'despawn'
				| 'rename'
				| 'frame'
				| 'back'
				| 'branch'
				| 'hold';
	  }
	| { readonly do: 'tool'; readonly tool: ToolName }
	| { readonly do: 'duplicate' | 'copy' | 'cut' | 'paste' | 'group' | 'ungroup' | 'select-all' }
	| { readonly do: 'step'; readonly ticks: number }
	| { readonly do: 'undo'; readonly redo: boolean };

export interface KeyPress {
	readonly key: string;
	readonly shiftKey: boolean;
	readonly ctrlKey: boolean;
	readonly altKey: boolean;
	readonly metaKey: boolean;
}

/** Kind of element that has the focus: one to type in, a button or menu, or any other. */
export type KeyFocus = 'field' | 'control' | 'page';

export interface KeyLine {
	/** Key caps as the list shows them. */
	readonly caps: readonly string[];
	readonly does: string;
	/** Views in which the key works. If the field is missing, it works in all. */
	readonly views?: readonly ViewName[];
}

/** Lines of the list of keys, in its order. */
export const KEY_LINES: readonly KeyLine[] = [
	{
		caps: VIEW_NAMES.map((_, index) => String(index + 1)),
		does: VIEW_NAMES.map((view) => VIEWS[view].label).join(', '),
		views: PANEL_VIEWS,
	},
	{ caps: ['O'], does: 'the odds of the next tick', views: PANEL_VIEWS },
	{ caps: ['Space'], does: 'run or pause', views: PANEL_VIEWS },
	{ caps: ['.'], does: 'one tick (1/60 s)', views: PANEL_VIEWS },
	{ caps: ['Shift', '.'], does: '60 ticks (1 s)', views: PANEL_VIEWS },
	{ caps: ['Ctrl', 'Z'], does: 'undo your last call; with Shift: redo', views: UNDO_VIEWS },
	{ caps: ['F2'], does: 'rename the entity', views: ['make'] },
	{ caps: ['/'], does: 'search in this view', views: ['make', 'api'] },
	{ caps: ['N'], does: 'find a thing to place; Enter places the first', views: ['make'] },
	{ caps: ['Q'], does: 'select', views: ['make'] },
	{ caps: ['G'], does: 'move', views: ['make'] },
	{ caps: ['R'], does: 'turn', views: ['make'] },
	{ caps: ['S'], does: 'scale', views: ['make'] },
	{ caps: ['B'], does: 'brush for ground and plants', views: ['make'] },
	{
		caps: ['Shift', 'click'],
		does: 'select one more, or one less; Shift and drag: a rectangle',
		views: ['make'],
	},
	{ caps: ['Ctrl', 'A'], does: 'select everything', views: ['make'] },
	{ caps: ['Ctrl', 'D'], does: 'duplicate', views: ['make'] },
	{ caps: ['Ctrl', 'C'], does: 'copy; Ctrl X: cut; Ctrl V: paste', views: ['make'] },
	{ caps: ['Ctrl', 'G'], does: 'group under a parent; with Shift: ungroup', views: ['make'] },
	{ caps: ['Delete'], does: 'delete the selection; Backspace, too', views: ['make'] },
	{ caps: ['F'], does: 'look at the selection', views: PICTURE_VIEWS },
	{ caps: ['B'], does: 'branch the selected world', views: ['forks'] },
	{ caps: ['C'], does: 'run to the next draw', views: ['odds'] },
	{ caps: ['P'], does: 'pause or resume the log', views: ['api'] },
	{ caps: ['←', '↑', '→', '↓'], does: 'move, unless the world has other keys', views: ['play'] },
	{ caps: ['W', 'A', 'S', 'D'], does: 'move, if the unit has no ability on W', views: ['play'] },
	{ caps: ['right mouse'], does: 'go to a point, or attack the unit there', views: ['play'] },
	{ caps: ['F'], does: 'walk to the nearest enemy and attack it', views: ['play'] },
	{ caps: ['A'], does: 'go to the mouse, and fight on the way, if W casts', views: ['play'] },
	{ caps: ['Q', 'W', 'E', 'R'], does: 'cast at the mouse', views: ['play'] },
	{ caps: ['S'], does: 'stand still, if W casts', views: ['play'] },
	{ caps: ['Esc'], does: 'pause or resume', views: ['play'] },
	{ caps: ['N'], does: 'watch the next unit', views: ['play'] },
	{ caps: ['C'], does: 'free camera', views: ['play'] },
	{ caps: ['B'], does: 'shop', views: ['play'] },
	{ caps: ['M'], does: 'larger map', views: ['play'] },
	{ caps: ['↑', '↓'], does: 'move in the list; Home and End: first and last entry', views: PANEL_VIEWS },
	{ caps: ['Esc'], does: 'close, or go back one level', views: PANEL_VIEWS },
	{ caps: ['?'], does: 'all keys' },
];

export interface KeyLists {
	/** Keys of this view alone, or of a few. */
	readonly own: readonly KeyLine[];
	/** Keys of every view but Play. */
	readonly common: readonly KeyLine[];
}

/** Returns the keys that work in a view. */
export function keyLinesIn(view: ViewName): KeyLists {
	const usable = KEY_LINES.filter(({ views }) => views?.includes(view) ?? true);
	const isCommon = ({ views }: KeyLine): boolean => views === undefined || views === PANEL_VIEWS;
	return { own: usable.filter((line) => !isCommon(line)), common: usable.filter(isCommon) };
}

/** Returns the action of a key press in a view, or null. Keys of the browser and of fields are left alone. */
export function actionFor(press: KeyPress, view: ViewName, focus: KeyFocus): KeyAction | null {
	// A field has its own undo.
	if ((press.ctrlKey || press.metaKey) && !press.altKey && press.key.toLowerCase() === 'z')
		return focus !== 'field' && UNDO_VIEWS.includes(view) ? { do: 'undo', redo: press.shiftKey } : null;
	if ((press.ctrlKey || press.metaKey) && !press.altKey && view === 'make' && focus !== 'field')
		return editFor(press);
	if (press.ctrlKey || press.altKey || press.metaKey) return null;
	if (press.key === 'Escape') return { do: 'back' };
	if (focus === 'field') return null;
	if (press.key === '?') return { do: 'keys' };
	// The game or the view Play handles all other keys.
	if (view === 'play') return null;
	if (press.key === ' ') return focus === 'page' && !press.shiftKey ? { do: 'time' } : null;
	if (press.key === '.' && !press.shiftKey) return { do: 'step', ticks: 1 };
	// Shift and the full stop give another character on most layouts.
	if (press.shiftKey && (press.key === '>' || press.key === ':' || press.key === '.'))
		return { do: 'step', ticks: 60 };
	if (press.key === '/') return { do: 'search' };
	if (press.shiftKey) return null;
	const numbered = VIEW_NAMES.find((_, index) => press.key === String(index + 1));
	if (numbered !== undefined) return { do: 'view', view: numbered };
	switch (press.key.toLowerCase()) {
		case 'n':
			return view === 'make' ? { do: 'spawn' } : null;
		case 'delete':
		case 'backspace':
			return view === 'make' ? { do: 'despawn' } : null;
		case 'f2':
			return view === 'make' ? { do: 'rename' } : null;
		case 'f':
			return PICTURE_VIEWS.includes(view) ? { do: 'frame' } : null;
		case 'q':
		case 'g':
		case 'r':
		case 's':
			return view === 'make' ? { do: 'tool', tool: TOOL_KEYS[press.key.toLowerCase()]! } : null;
		case 'o':
			return { do: 'view', view: 'odds' };
		case 'b':
			if (view === 'make') return { do: 'tool', tool: 'brush' };
			return view === 'forks' ? { do: 'branch' } : null;
		case 'c':
			return view === 'odds' ? { do: 'chance' } : null;
		case 'p':
			return view === 'api' ? { do: 'hold' } : null;
		default:
			return null;
	}
}

const TOOL_KEYS: Readonly<Record<string, ToolName>> = { q: 'select', g: 'move', r: 'turn', s: 'scale' };

/** Returns the edit of the selection for a key that is pressed with Ctrl. */
function editFor({ key, shiftKey }: KeyPress): KeyAction | null {
	const letter = key.toLowerCase();
	if (letter === 'g') return { do: shiftKey ? 'ungroup' : 'group' };
	if (shiftKey) return null;
	switch (letter) {
		case 'a':
			return { do: 'select-all' };
		case 'd':
			return { do: 'duplicate' };
		case 'c':
			return { do: 'copy' };
		case 'x':
			return { do: 'cut' };
		case 'v':
			return { do: 'paste' };
		default:
			return null;
	}
}
