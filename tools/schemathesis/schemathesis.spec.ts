import { minutes } from '@shortlist/contracts/durations';
import { isLongRun, seed } from '@shortlist/kit/testing/sample';
import { registerWithKey } from '../../harness/api-keys.ts';
import { expect, test } from '../../harness/system.ts';
import { installSchemathesis, runSchemathesis } from './run-schemathesis.ts';

const EXAMPLES = isLongRun ? 200 : 10;

test(`the API for tools accepts and returns what its description says, and nothing else (seed ${seed})`, async ({
  system,
}) => {
  test.setTimeout(minutes(10));
  const installed = await installSchemathesis();
  if ('missing' in installed) {
    // A machine without Python or its package index leaves this to CI.
    expect(process.env.CI, installed.missing).toBeUndefined();
    return void test.info().annotations.push({ type: 'not run', description: installed.missing });
  }
  const { made } = await registerWithKey(system);
  const options = { ...installed, url: system.publicUrl, key: made.key, examples: EXAMPLES, seed };
  const { code, output } = await runSchemathesis(options);
  expect(output).toContain('8 selected / 8 total');
  expect(code, `make schemathesis n=${EXAMPLES} seed=${seed}\n${output}`).toBe(0);
});
