import { setTimeout as sleep } from 'node:timers/promises';
import { inSeconds, minutes } from '@shortlist/contracts/durations';
import { verify, type VerifyResult } from '../verify/verify.ts';
import { openSources } from '../verify/sources.ts';
import { type Command, EXIT, type ExitCode, type Image, JSON_OPTION } from '../command.ts';
import { readVerifyConfig } from '../config.ts';
import type { Terminal } from '../terminal.ts';

const TIMEOUT_SECONDS = inSeconds(minutes(15));
/** An event in transit breaks an invariant for a moment, so a breach that is gone after this time does not count. */
const SETTLE_MS = 15_000;

const textOf = ({ invariant, detail }: VerifyResult['breaches'][number]): string => `${invariant} ${detail}`;

const runTwice = async (once: () => Promise<VerifyResult>, settleMs: number): Promise<VerifyResult> => {
  const first = await once();
  if (first.breaches.length === 0) return first;
  const earlier = new Set(first.breaches.map(textOf));
  await sleep(settleMs);
  const second = await once();
  return { ...second, breaches: second.breaches.filter((breach) => earlier.has(textOf(breach))) };
};

const summaryOf = ({ checked, breaches, unchecked }: VerifyResult): string => {
  if (breaches.length > 0) return `${breaches.length} breach${breaches.length === 1 ? '' : 'es'}`;
  if (unchecked.length > 0) return `${checked} invariants hold, ${unchecked.length} are unchecked`;
  return 'every invariant holds';
};

const printResult = (result: VerifyResult, { print }: Terminal): void => {
  for (const breach of result.breaches) print(textOf(breach));
  for (const { invariant, about, missing } of result.unchecked)
    print(`${invariant} unchecked: ${about} (needs ${missing.join(', ')})`);
  print(summaryOf(result));
};

const exitCodeOf = ({ breaches, unchecked }: VerifyResult): ExitCode => {
  if (breaches.length > 0) return EXIT.failed;
  return unchecked.length > 0 ? EXIT.incomplete : EXIT.done;
};

/** The command that checks the invariants whose sources are named in the environment. */
export const verifyCommand = (image: Image, { settleMs = SETTLE_MS } = {}): Command => ({
  actions: [
    {
      name: '',
      about: 'checks the invariants and prints each breach',
      words: [],
      options: JSON_OPTION,
      timeoutSeconds: TIMEOUT_SECONDS,
      run: async ({ options, env, clock, terminal }) => {
        const { sources, close } = await openSources({ config: readVerifyConfig(env), env, image, clock });
        try {
          const result = await runTwice(() => verify({ ...sources, now: clock() }), settleMs);
          if (options['json'] === true) terminal.print(JSON.stringify(result));
          else printResult(result, terminal);
          return exitCodeOf(result);
        } finally {
          await close();
        }
      },
    },
  ],
});
