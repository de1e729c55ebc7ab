import { minutes } from '@shortlist/contracts/durations';
import { isLongRun, seed } from '@shortlist/kit/testing/sample';
import { expect, test } from '../../harness/system.ts';
import { runSchemathesis } from './run-schemathesis.ts';

const EXAMPLES = isLongRun ? 200 : 10;

test(`the API for tools accepts and returns what its description says, and nothing else (seed ${seed})`, async ({
  system,
}) => {
  test.setTimeout(minutes(10));
  const result = await runSchemathesis(system, { examples: EXAMPLES, seed });
  if ('missing' in result) {
    // A machine without Python or its package index leaves this to CI.
    expect(process.env.CI, result.missing).toBeUndefined();
    return void test.info().annotations.push({ type: 'not run', description: result.missing });
  }
  expect(result.output).toContain('8 selected / 8 total');
  expect(result.code, `make schemathesis n=${EXAMPLES} seed=${seed}\n${result.output}`).toBe(0);
});
