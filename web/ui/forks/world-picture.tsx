/**
 * A small picture of a world from its own camera.
 * Owns: the time of taking it: once for each state of the world, one picture at a time. Never: takes one while it is hidden.
 */

import { useEffect, useRef, useState } from 'preact/hooks';
import { formatNumber } from '../numbers.ts';
import { paced } from '../state/paced.ts';
import { usePanels } from '../state/panels.ts';
import type { WorldInfo } from '../worlds/fork-list.ts';

/** Size in CSS pixels. The picture has twice as many pixels. */
const WIDTH = 96;
const HEIGHT = 54;
/** Minimum pause between two pictures of a world (ms), and the pause as a multiple of the duration of taking one. */
const REST_MS = 500;
const REST_FACTOR = 4;

/** The last requested picture. The next one waits for it, because parallel drawing is not faster. */
let before: Promise<unknown> = Promise.resolve();

export function WorldPicture({ world }: { readonly world: WorldInfo }) {
	const { services, worlds } = usePanels();
	const { id, tick } = world;
	// Subscribes to changes of the stamp.
	worlds.changes.value;
	const stamp = worlds.stampOf(world);
	const [taken, setTaken] = useState<string | null>(null);
	const [reader, setReader] = useState<ReturnType<typeof paced> | null>(null);
	const [isSeen, setIsSeen] = useState(false);
	const place = useRef<HTMLSpanElement>(null);
	useEffect(() => {
		const observer = new IntersectionObserver((entries) => setIsSeen(entries.at(-1)!.isIntersecting));
		observer.observe(place.current!);
		return () => observer.disconnect();
	}, []);
	useEffect(() => {
		let shown: string | null = null;
		let isOver = false;
		const show = (blob: Blob | null): void => {
			if (isOver || blob === null) return;
			if (shown !== null) URL.revokeObjectURL(shown);
			shown = URL.createObjectURL(blob);
			setTaken(shown);
		};
		const taking = paced({ minRest: REST_MS, factor: REST_FACTOR }, async () => {
			const next = before.then(() => (isOver ? null : services.takePicture(id, 2 * WIDTH, 2 * HEIGHT)));
			before = next.catch(() => {});
			// Without a picture its place stays empty; the stage says if the browser draws nothing.
			show(await next.catch(() => null));
		});
		setReader(taking);
		return () => {
			isOver = true;
			taking.stop();
			if (shown !== null) URL.revokeObjectURL(shown);
		};
	}, [services, id]);
	useEffect(() => {
		if (isSeen) reader?.ask();
	}, [reader, stamp, isSeen]);
	return (
		<span ref={place} class="world-picture" style={{ width: `${WIDTH}px`, height: `${HEIGHT}px` }}>
			{taken !== null && <img src={taken} alt={`${id} at tick ${formatNumber(tick)}`} />}
		</span>
	);
}
