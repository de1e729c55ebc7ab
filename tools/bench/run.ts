// make bench [b=name]: runs the benchmarks on this machine and prints the figures, without assertions.
import { benchLogin, benchSignup } from './accounts.ts';
import { benchApi } from './api.ts';
import { benchVerify } from './verify.ts';
import { benchCapacity } from './capacity.ts';
import { benchCost } from './cost.ts';
import { benchDirectory } from './directory.ts';
import { benchConsumer, benchEvents } from './events.ts';
import { benchFlood } from './flood.ts';
import { benchProxy, benchSession, benchUpload } from './gateway.ts';
import { benchJourney } from './journey.ts';
import { benchLedger } from './ledger.ts';
import { benchLive } from './live.ts';
import { benchMail } from './mail.ts';
import type { Print } from './measure.ts';
import { benchMigration } from './migration.ts';
import { benchPayments } from './payments.ts';
import { benchRevenue } from './revenue.ts';
import { benchProcessorCost } from './processor-cost.ts';
import { benchProcesses } from './processes.ts';
import { benchReconcile } from './reconcile.ts';
import { benchRenewals } from './renewals.ts';
import { benchSpend } from './spend.ts';
import { benchStoredSizes } from './stored-sizes.ts';
import { benchUser } from './user.ts';
import { benchWeb } from './web.ts';
import { benchWebhook } from './webhook.ts';

const BENCHES: Record<string, (print: Print) => Promise<void>> = {
  processes: benchProcesses,
  session: benchSession,
  proxy: benchProxy,
  upload: benchUpload,
  login: benchLogin,
  signup: benchSignup,
  spend: benchSpend,
  ledger: benchLedger,
  api: benchApi,
  webhook: benchWebhook,
  events: benchEvents,
  consumer: benchConsumer,
  mail: benchMail,
  migration: benchMigration,
  payments: benchPayments,
  revenue: benchRevenue,
  reconcile: benchReconcile,
  renewals: benchRenewals,
  flood: benchFlood,
  cost: async (print) => {
    await benchCost(print);
    await benchProcessorCost(print);
  },
  sizes: benchStoredSizes,
  capacity: benchCapacity,
  directory: benchDirectory,
  user: benchUser,
  live: benchLive,
  verify: benchVerify,
  web: benchWeb,
  journey: benchJourney,
};

const print: Print = (line) => void process.stdout.write(`${line}\n`);

const { 2: selected = '' } = process.argv;
const names = Object.keys(BENCHES).filter((name) => selected === '' || name === selected);
if (names.length === 0) {
  print(`unknown benchmark ${selected}; the benchmarks are ${Object.keys(BENCHES).join(', ')}`);
  process.exitCode = 2;
}
for (const name of names) {
  print(`== ${name}`);
  await BENCHES[name]?.(print);
}
