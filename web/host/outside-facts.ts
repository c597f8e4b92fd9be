/**
 * Facts that are neither in a request nor in a world: files, answers of the relay, pictures.
 * Owns: the only interface to these facts, so that a journal can record and replay them.
 */

import type { RelayServices } from '../../shared/transport/errand.ts';
import type { EncodedPicture } from '../api/context.ts';
import type {
	PastMoment,
	PastWorld,
	ReplayedCalls,
	ReplayRequest,
	UndoRequest,
	UndoResult,
} from '../api/host-journal.ts';
import type { CaptureRequest } from '../frames/frames.ts';
import type { HostFiles } from '../store/files.ts';
import type { WorldEntry } from '../store/worlds.ts';

export interface OutsideFacts {
	/** The data folder. Rejects with `ApiError`. */
	readonly files: HostFiles;
	readonly relayServices: RelayServices;
	/** Returns a file of `public/`; null if it does not exist. */
	readPublic(path: string): Promise<Uint8Array | null>;
	/** Returns a world at a past moment. Throws `journal_cut` and `no_moment`. */
	pastWorld(sought: PastMoment): Promise<PastWorld>;
	/** Returns a world with a write undone or redone. Throws `journal_cut`, `nothing_to_undo` and `depended_on`. */
	worldAfterUndo(request: UndoRequest): Promise<UndoResult>;
	/** Returns a range of the journal with other calls. Throws `journal_cut`, `no_moment` and `depended_on`. */
	replayedRange(request: ReplayRequest): Promise<ReplayedCalls>;
	/** Rejects with `no_picture` if nothing draws. */
	requireDrawing(): Promise<void>;
	/** Throws `no_picture`, `picture_failed` or `picture_late`. */
	capture(entry: WorldEntry, request: CaptureRequest): Promise<EncodedPicture>;
}
