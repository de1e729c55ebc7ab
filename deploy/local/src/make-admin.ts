import { createAdmin } from './admin.ts';
import { askSecretly } from './ask-secretly.ts';
import { environment } from './config.ts';
import { messageOf } from './errors.ts';
import { REPOSITORY } from './local-files.ts';
import { planRunning } from './plan-running.ts';
import { complain, tell } from './tell.ts';

const makeAdmin = async (email: string): Promise<number> => {
  if (!email.includes('@')) {
    complain('Whose account? As in: make admin email=someone@example.org');
    return 2;
  }
  const identity = await planRunning('identity');
  if (!identity) {
    complain('Shortlist does not run from this folder; say `make start` first.');
    return 1;
  }
  const password = environment().ADMIN_PASSWORD || (await askSecretly(`Password for ${email}: `));
  try {
    await createAdmin({ root: REPOSITORY, identity, email, password });
    tell(`${email} is an admin.`);
    return 0;
  } catch (error) {
    complain(messageOf(error));
    return 1;
  }
};

process.exit(await makeAdmin(process.argv[2] ?? ''));
