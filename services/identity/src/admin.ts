// The operator's command that creates an admin. It reads ADMIN_EMAIL and ADMIN_PASSWORD from the environment, because other users
// of the machine can read a command line.
import { emailSchema } from '@shortlist/contracts/schemas/account';
import { connect, createDb } from '@shortlist/kit/data/db';
import { createLog } from '@shortlist/kit/process/log';
import { createAdmin } from './accounts/create-admin.ts';
import { readAdminConfig } from './config.ts';
import { recoverAdmin } from './factors/recover-admin.ts';
import { createHasher } from './passwords/hasher.ts';
import { schema } from './db.ts';

const main = async (): Promise<void> => {
  const config = readAdminConfig(process.env);
  const result = emailSchema.validate(config.ADMIN_EMAIL);
  if (result.error) throw new Error(`ADMIN_EMAIL: ${result.error.message}`);
  const email = result.value;
  const db = createDb({ url: config.DATABASE_URL, ...schema, poolSize: 2 });
  await connect(db, createLog('admin', config.LOG_LEVEL));
  const clock = () => new Date();
  const admin = { email, password: config.ADMIN_PASSWORD, role: config.ADMIN_ROLE };
  const outcome = await createAdmin({ db, hasher: await createHasher(), clock }, admin);
  const isRecovered = config.ADMIN_REMOVE_FACTORS === 'yes' && (await recoverAdmin({ db, clock }, email));
  await db.destroy();
  process.stdout.write(`admin ${email} ${outcome}${isRecovered ? ', second factors removed' : ''}\n`);
};

main().catch((error: unknown) => {
  process.stderr.write(`admin: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
