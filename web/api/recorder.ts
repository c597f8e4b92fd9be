/**
 * Records a table of entity fields during many ticks.
 * Owns: the choice of recorded ticks, and the limit of rows.
 */

import type { Body } from '../../shared/contract/route.ts';
import type { step } from '../../shared/routes/simulation.ts';
import { filterOf } from '../sim/assertions/condition.ts';
import { eachEntity } from '../sim/core/entities.ts';
import type { World } from '../sim/core/world.ts';
import { ConditionLook } from '../sim/rules/conditions/evaluate-condition.ts';
import { fieldsReader, requireFields } from './entity-fields.ts';

type RecordBody = NonNullable<Body<typeof step>['record']>;

/** Maximum number of rows of one table. */
const MAX_ROWS = 10_000;

export class Recorder {
	readonly #fields: readonly string[];
	readonly #filter: ReturnType<typeof filterOf> | null;
	readonly #every: number;
	readonly #start: number;
	readonly #rows: unknown[][] = [];
	#omittedCount = 0;

	/** Throws `invalid_body` for a field and `invalid_assertion` for a filter that is not one. */
	constructor({ tick }: World, { fields, filter, every = 1 }: RecordBody) {
		requireFields(fields, 'record.fields');
		this.#fields = fields;
		this.#filter = filter == null ? null : filterOf(filter);
		this.#every = every;
		this.#start = tick;
	}

	/** Records the current tick of a world if it is a multiple of the interval. */
	recordTick(world: World): void {
		if ((world.tick - this.#start) % this.#every !== 0) return;
		const read = fieldsReader(world, this.#fields);
		for (const id of this.#selectedEntities(world)) {
			if (this.#rows.length < MAX_ROWS) this.#rows.push([world.tick, id, ...read(id)]);
			else this.#omittedCount++;
		}
	}

	#selectedEntities(world: World): number[] {
		if (this.#filter !== null) return [...new ConditionLook(world).members(this.#filter)];
		const all: number[] = [];
		eachEntity(world, (id) => all.push(id));
		return all;
	}

	/** Returns the table, with the number of omitted rows if there are any. */
	table() {
		return {
			columns: ['tick', 'id', ...this.#fields],
			rows: this.#rows,
			...(this.#omittedCount === 0 ? {} : { left_out: this.#omittedCount }),
		};
	}
}
