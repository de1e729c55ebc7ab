import { environment } from './host/config.ts';
import { messageOf } from './host/errors.ts';
import { print, printError } from './host/print.ts';
import { readPassword } from './host/read-password.ts';
import { LOG_DIRECTORY, REPOSITORY } from './state/local-files.ts';
import { createAdmin } from './system/create-admin.ts';
import { planRunning } from './system/plan-running.ts';

type Arguments = [email: string, factors: string, role: string];

const readArguments = ([email = '', factors = '', role = '']: string[]): Arguments => [email, factors, role];

const makeAdmin = async ([email, factors, role]: Arguments): Promise<number> => {
  if (!['', 'remove'].includes(factors)) {
    printError(
      'The only value of factors is remove, as in: make admin email=name@example.org factors=remove',
    );
    return 2;
  }
  if (!email.includes('@')) {
    printError('The email address is missing, as in: make admin email=name@example.org');
    return 2;
  }
  const identity = await planRunning('identity');
  if (!identity) {
    printError('Shortlist is not running from this folder; run `make start` first.');
    return 1;
  }
  const password = environment().ADMIN_PASSWORD || (await readPassword(`Password for ${email}: `));
  const admin = { identity, email, password, role, removeFactors: factors === 'remove' };
  try {
    await createAdmin({ ...admin, root: REPOSITORY, logDirectory: LOG_DIRECTORY, print });
    print(`${email} is an admin.`);
    return 0;
  } catch (error) {
    printError(messageOf(error));
    return 1;
  }
};

process.exit(await makeAdmin(readArguments(process.argv.slice(2))));
