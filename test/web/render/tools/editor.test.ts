/** Edits of the editor until their answers arrive. */

import { PerspectiveCamera, Vector3 } from 'three/webgpu';
import { expect, test } from 'vitest';
import { Cameras } from '../../../../web/render/cameras.ts';
import type { Patrol, ViewEvent } from '../../../../web/render/messages.ts';
import { Selection } from '../../../../web/render/selection.ts';
import { EditTracker } from '../../../../web/render/tools/edit-tracker.ts';
import { Editor, type Scene } from '../../../../web/render/tools/editor.ts';
import { Sight } from '../../../../web/render/tools/sight.ts';

const PATROL: Patrol = {
	key: 'patrol 1',
	waypoints: [
		[0, 0, 0],
		[2, 0, 0],
	],
};

/** Returns a picture of 800 x 600 from above. It has no entities. */
function emptyScene(): Scene {
	const lens = new PerspectiveCamera(45, 800 / 600, 0.1, 1000);
	lens.position.set(0, 10, 1);
	lens.lookAt(0, 0, 0);
	lens.updateMatrixWorld();
	return { sight: new Sight(lens, new Cameras(), 800, 600) } as unknown as Scene;
}

test('after two changes of an outline, the first answer does not end the wait for the second', () => {
	const events: ViewEvent[] = [];
	const editor = new Editor(new Selection(), (event) => events.push(event));
	const scene = emptyScene();
	editor.setSettings({ tool: 'select', space: 'world', radius: 1, step: null });
	editor.setOutlines([PATROL]);
	const dragWaypoint = (from: number, to: number): void => {
		expect(editor.press(scene.sight.pointOf(new Vector3(from, 0, 0))!, false, scene)).toBe(true);
		editor.drag(scene.sight.pointOf(new Vector3(to, 0, 0))!, scene);
		editor.release(false, scene);
	};
	dragWaypoint(2, 3);
	dragWaypoint(3, 2.5);
	expect(events.filter(({ type }) => type === 'reshaped')).toHaveLength(2);
	editor.editAnswered();
	expect(editor.requestFrame()).toBe(false);
	editor.editAnswered();
	expect(editor.requestFrame()).toBe(true);
	expect(editor.receiveFrame()).toBe(true);
});

test('an answer that arrives after a change of the world does not end the wait for the edit of the new world', () => {
	const edits = new EditTracker();
	edits.editSent();
	edits.leaveWorld();
	edits.editSent();
	edits.editAnswered();
	expect(edits.requestFrame()).toBe(false);
	edits.editAnswered();
	expect(edits.requestFrame()).toBe(true);
	expect([edits.receiveFrame(), edits.receiveFrame()]).toEqual([true, false]);
});
