/**
 * Two small armies by hand: arrays and a loop, without a world, events or rules.
 * Owns: the least that a tick of a few fighters costs. It fights as `armies` do, with their usual values.
 */

const DT = 1 / 60;
const RANGE = 1.5;
const DETECT = 20;
const SPEED = 3;
const DAMAGE = 10;
const COOLDOWN = 60;

/** Returns a function that makes one tick of `count` fighters, half of them of each army, `gap` metres apart. */
export function fightersByHand(count: number, gap: number): () => void {
	const x = Float32Array.from({ length: count }, (_, i) => (i % 2 === 0 ? -gap : gap) / 2);
	const z = Float32Array.from({ length: count }, (_, i) => (i >> 1) * 1.2);
	const [vx, vz] = [new Float32Array(count), new Float32Array(count)];
	const health = new Float32Array(count).fill(1e6);
	const target = new Int32Array(count).fill(-1);
	const readyAt = new Int32Array(count).fill(COOLDOWN);
	const hurt = new Float32Array(count);
	let tick = 0;
	const squareTo = (from: number, to: number): number => (x[to]! - x[from]!) ** 2 + (z[to]! - z[from]!) ** 2;
	const nearest = (from: number): number => {
		let [best, square] = [-1, DETECT * DETECT];
		for (let to = (from + 1) % 2; to < count; to += 2) {
			if (health[to]! <= 0 || squareTo(from, to) >= square) continue;
			[best, square] = [to, squareTo(from, to)];
		}
		return best;
	};
	return () => {
		for (let i = 0; i < count; i++) {
			x[i]! += vx[i]! * DT;
			z[i]! += vz[i]! * DT;
			health[i]! -= hurt[i]!;
			hurt[i] = 0;
		}
		for (let i = 0; i < count; i++) {
			vx[i] = vz[i] = 0;
			if (health[i]! <= 0) continue;
			if (target[i]! < 0 || health[target[i]!]! <= 0) target[i] = nearest(i);
			const to = target[i]!;
			if (to < 0) continue;
			const square = squareTo(i, to);
			if (square > RANGE * RANGE) {
				const pace = SPEED / Math.sqrt(square);
				vx[i] = (x[to]! - x[i]!) * pace;
				vz[i] = (z[to]! - z[i]!) * pace;
			} else if (tick >= readyAt[i]!) {
				hurt[to]! += DAMAGE;
				readyAt[i] = tick + COOLDOWN;
			}
		}
		tick++;
	};
}
