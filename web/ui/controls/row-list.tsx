/**
 * A long list of rows of equal height. Only the visible rows are on the page.
 * Owns: scrolling and measuring. Never: knows what a row shows.
 */

import type { ComponentChildren, Ref } from 'preact';
import { useImperativeHandle, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { rowWindow, scrollToRow } from './row-window.ts';

export interface RowListHandle {
	/** Scrolls until a row is visible. */
	reveal(index: number): void;
	/** Returns the number of rows that fit in view. */
	page(): number;
	toTop(): void;
}

interface RowListProps {
	readonly count: number;
	readonly class?: string;
	/** Draws the rows from `first` up to `end`. */
	readonly rows: (first: number, end: number) => ComponentChildren;
	/** Drawn when there are no rows. */
	readonly empty: ComponentChildren;
	readonly handle?: Ref<RowListHandle>;
	/** Called when the list leaves the top, and when it is back there. */
	readonly onTop?: (atTop: boolean) => void;
	/** Called with the width of the scroll bar in pixels; 0 if there is none. */
	readonly onScrollBar?: (width: number) => void;
	/** Attributes of the scrolling element, such as role and label. */
	readonly attributes?: Readonly<Record<string, unknown>>;
	/** Role of the element that contains the rows. */
	readonly bodyRole?: 'rowgroup' | 'presentation';
}

export function RowList(props: RowListProps) {
	const scroller = useRef<HTMLDivElement>(null);
	const [box, setBox] = useState({ top: 0, height: 600, row: 28 });
	useLayoutEffect(() => {
		const element = scroller.current!;
		const measure = () => {
			props.onScrollBar?.(element.offsetWidth - element.clientWidth);
			const row = Number.parseFloat(getComputedStyle(element).getPropertyValue('--row')) || 28;
			setBox((old) => {
				const measured = { top: element.scrollTop, height: element.clientHeight, row };
				return old.top === measured.top && old.height === measured.height && old.row === measured.row
					? old
					: measured;
			});
		};
		const observer = new ResizeObserver(measure);
		observer.observe(element);
		measure();
		return () => observer.disconnect();
	}, []);
	useImperativeHandle(props.handle ?? null, () => ({
		reveal(index) {
			const element = scroller.current!;
			element.scrollTop = scrollToRow(index, box.row, element.scrollTop, element.clientHeight);
		},
		page: () => Math.max(1, Math.floor(box.height / box.row) - 1),
		toTop() {
			scroller.current!.scrollTop = 0;
		},
	}));
	const { first, end, before, total } = rowWindow(props.count, box.row, box.top, box.height);
	return (
		<div
			ref={scroller}
			class={`scroll ${props.class ?? ''}`}
			onScroll={(event) => {
				const { scrollTop, clientHeight } = event.currentTarget;
				if ((scrollTop === 0) !== (box.top === 0)) props.onTop?.(scrollTop === 0);
				setBox((old) => ({ ...old, top: scrollTop, height: clientHeight }));
			}}
			{...props.attributes}
		>
			{props.count === 0 ? (
				props.empty
			) : (
				<div class="row-list" role={props.bodyRole ?? 'presentation'} style={{ height: `${total}px` }}>
					<div role="presentation" style={{ transform: `translateY(${before}px)` }}>
						{props.rows(first, end)}
					</div>
				</div>
			)}
		</div>
	);
}
