// make bench [b=name]: runs the benchmarks on this machine and prints the figures, without assertions.
import { benchAudit } from './audit.ts';
import { benchConsumer } from './consumer.ts';
import { benchDirectory } from './directory.ts';
import { benchEvents } from './events.ts';
import { benchProxy, benchSession } from './gateway.ts';
import { benchJourney } from './journey.ts';
import { benchLogin } from './login.ts';
import { benchLoginFlood } from './login-flood.ts';
import { benchMail } from './mail.ts';
import { benchProcesses } from './processes.ts';
import { benchReconcile } from './reconcile.ts';
import { benchSignup } from './signup.ts';
import { benchSpend } from './spend.ts';
import { benchUpload } from './upload.ts';
import { benchWeb } from './web.ts';
import { benchWebhook } from './webhook.ts';

const BENCHES: Record<string, (print: (line: string) => void) => Promise<void>> = {
  processes: benchProcesses,
  session: benchSession,
  proxy: benchProxy,
  upload: benchUpload,
  login: benchLogin,
  signup: benchSignup,
  spend: benchSpend,
  webhook: benchWebhook,
  events: benchEvents,
  consumer: benchConsumer,
  mail: benchMail,
  reconcile: benchReconcile,
  flood: benchLoginFlood,
  directory: benchDirectory,
  audit: benchAudit,
  web: benchWeb,
  journey: benchJourney,
};

const print = (line: string): void => void process.stdout.write(`${line}\n`);

const main = async (): Promise<number> => {
  const selected = process.argv[2] || null;
  if (selected !== null && !(selected in BENCHES)) {
    print(`unknown benchmark ${selected}; the benchmarks are ${Object.keys(BENCHES).join(', ')}`);
    return 2;
  }
  for (const [name, bench] of Object.entries(BENCHES)) {
    if (selected !== null && selected !== name) continue;
    print(`== ${name}`);
    await bench(print);
  }
  return 0;
};

process.exitCode = await main();
