import { setTimeout as sleep } from 'node:timers/promises';
import { inSeconds, minutes } from '@shortlist/contracts/durations';
import type { Clock } from '@shortlist/kit/process/clock';
import { verify, type VerifyResult } from '../verify/verify.ts';
import { DATABASES, openSources } from '../verify/sources.ts';
import { reportResult } from '../verify/report-result.ts';
import { type Command, EXIT, type ExitCode, type Image, JSON_OPTION } from '../command.ts';
import { readVerifyConfig, type VerifyConfig } from '../config.ts';
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

type Reporting = { config: VerifyConfig; clock: Clock };

/** Reports a result that covers every database, if worker's address and keys are known: one that covers less would hide the last that did. */
const reportIfComplete = async (
  { config: { WORKER_URL: url, WORKER_TOKEN_KEYS: keys }, clock }: Reporting,
  result: VerifyResult,
): Promise<void> => {
  const isPartial = result.unchecked.some(({ missing }) => DATABASES.some((name) => missing.includes(name)));
  if (url === undefined || keys === undefined || isPartial) return;
  await reportResult({ url, keys, clock }, result).catch((cause: unknown) => {
    throw new Error(`The result could not be reported to worker: ${String(cause)}`, { cause });
  });
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
        const config = readVerifyConfig(env);
        const { sources, close } = await openSources({ config, env, image, clock });
        try {
          const result = await runTwice(() => verify({ ...sources, now: clock() }), settleMs);
          if (options['json'] === true) terminal.print(JSON.stringify(result));
          else printResult(result, terminal);
          await reportIfComplete({ config, clock }, result);
          return exitCodeOf(result);
        } finally {
          await close();
        }
      },
    },
  ],
});
