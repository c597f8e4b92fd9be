/**
 * The engine's record of a finished match, so that a page that is loaded later can show its story.
 * Owns: reading it from the events in memory, or from the journal if these do not contain the whole match.
 */

import { signal } from '@preact/signals';
import type { PanelServices } from '../services.ts';
import { ask } from '../state/ask.ts';
import type { Goal, Match } from './match.ts';
import { type KeptEvent, type MatchRecords, STORY_KINDS } from './story.ts';

export interface KeptMatch extends MatchRecords {
	/** First tick of play. */
	readonly started: number;
	/** First recorded tick. */
	readonly since: number;
}

/** A finished match. */
export interface OverMatch {
	readonly world: string;
	readonly started: number;
	readonly ended: number;
	readonly goal: Goal | null;
	/** Scores at the end, because a repeated match can have the same ticks. */
	readonly scores: Match['scores'];
}

const events = STORY_KINDS.join();
/** Maximum number of pieces to read. No match has as many. */
const MAX_PIECES = 1000;
/** Number of samples of a winning number, and minimum ticks between two. */
const SAMPLES = 200;
const LEAST_TICKS = 30;

export class MatchRecord {
	/** Null before it is read. */
	readonly kept = signal<KeptMatch | null>(null);
	readonly #services: PanelServices;
	/** The match that is read or was read; empty without one. */
	#knownMatch = '';

	constructor(services: PanelServices) {
		this.#services = services;
	}

	forget(): void {
		this.#knownMatch = '';
		this.kept.value = null;
	}

	/** Reads a match, unless it is already requested. */
	async read(match: OverMatch): Promise<void> {
		const name = JSON.stringify(match);
		if (this.#knownMatch === name) return;
		this.forget();
		this.#knownMatch = name;
		const kept = (match.goal === null ? await this.#inMemory(match) : null) ?? (await this.#inJournal(match));
		if (this.#knownMatch === name) this.kept.value = kept;
	}

	/** Returns the events of the match from memory; null if they do not reach back to its start. */
	async #inMemory({ world, started, ended }: OverMatch): Promise<KeptMatch | null> {
		const found: KeptEvent[] = [];
		let since = String(started);
		for (let piece = 0; piece < MAX_PIECES; piece++) {
			const query = { since, events, limit: 10_000 };
			const read = await ask(this.#services, 'GET', '/events/stream', { query, world, on: 'panels' });
			if (!read.ok || read.body.gap !== null) return null;
			found.push(...read.body.events.filter(({ tick }) => tick < ended));
			since = read.body.next;
			if (!read.body.more) break;
		}
		return { started, since: started, events: found, rows: [] };
	}

	/** Returns the events of the match from the journal, without pieces that could not be read. */
	async #inJournal({ world: of, started, ended, goal }: OverMatch): Promise<KeptMatch> {
		const every = Math.max(LEAST_TICKS, Math.floor((ended - started) / SAMPLES));
		// The first sample after the end has the numbers of the end; the world may continue.
		const to_tick = goal === null ? ended : ended + every;
		const numbers = goal === null ? {} : { fields: goal.field, filter: 'role:hero', every };
		const found: KeptEvent[] = [];
		const rows: (readonly unknown[])[] = [];
		let [from_tick, since] = [started, to_tick];
		for (let piece = 0; piece < MAX_PIECES; piece++) {
			const query = { of, from_tick, to_tick, events, ...numbers };
			const read = await ask(this.#services, 'GET', '/history/events', { query, on: 'panels' });
			if (!read.ok) break;
			since = Math.min(since, read.body.since ?? to_tick);
			found.push(...read.body.events);
			rows.push(...read.body.rows);
			if (read.body.next === null) break;
			from_tick = read.body.next;
		}
		return { started, since, events: found, rows };
	}
}
