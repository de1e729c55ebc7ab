import { randomInt } from 'node:crypto';
import { minutes } from '@shortlist/contracts/durations';
import { runFuzz } from './run-fuzz.ts';
import { expect, test } from '../../harness/system.ts';

const REQUESTS = 2_000;

test('two thousand generated requests cause no server error and end no process', async ({ system }) => {
  test.setTimeout(minutes(5));
  const seed = randomInt(1, 2 ** 31);
  const { statuses, problems } = await runFuzz(system, { seed, count: REQUESTS });
  expect(problems, `make fuzz n=${REQUESTS} seed=${seed}`).toEqual([]);
  // Otherwise the requests would test the first check alone.
  for (const status of ['200', '400', '401', '403', '404'])
    expect(statuses[status] ?? 0, status).toBeGreaterThan(10);
});
