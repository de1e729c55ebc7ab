import { appendFileSync, existsSync } from 'node:fs';
import { setFailPoints } from '../process/fail-point.ts';
import { randomFrom } from './sample.ts';

type Arming = { points: string; seed: number; switchFile: string };

const chancesOf = (points: string): Map<string, number> =>
  new Map(
    points
      .split(',')
      .map((one) => one.split('='))
      .map(([name = '', chance = '0']): [string, number] => [name, Number(chance)]),
  );

/** The file that lists fired points, one name per line. */
export const firedFile = (switchFile: string): string => `${switchFile}.fired`;

/** Arms points from `name=probability,…`. They fire only while `switchFile` exists, so that a run can finish cleanly. */
export const armFailPoints = ({ points, seed, switchFile }: Arming): void => {
  const chances = chancesOf(points);
  const random = randomFrom(seed);
  setFailPoints((name) => {
    if (random() >= (chances.get(name) ?? 0) || !existsSync(switchFile)) return false;
    appendFileSync(firedFile(switchFile), `${name}\n`);
    return true;
  });
};
