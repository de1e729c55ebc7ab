// The operator's command for admins: creates the first one, and recovers one who has lost the password or the second factors. The password is
// read from the environment, a terminal or standard input, because other users of the machine can read a command line.
import { ADMIN_ROLES, type AdminRole } from '@shortlist/contracts/admin-permissions';
import { inSeconds, minutes } from '@shortlist/contracts/durations';
import { emailSchema } from '@shortlist/contracts/schemas/account';
import { variable } from '@shortlist/kit/process/config';
import { type Action, type Command, EXIT, type Invocation, UsageError } from '@shortlist/operator/command';
import { withServiceDb } from '@shortlist/operator/service-db';
import { type AdminConfig, readAdminConfig } from './config.ts';
import { recoverAdmin } from './credentials/lost-factors.ts';
import { schema } from './db.ts';
import { createHasher } from './passwords.ts';
import { createAdmin } from './team/change-admin.ts';

const TIMEOUT_SECONDS = inSeconds(minutes(5));

const emailOf = (text: string): string => {
  const result = emailSchema.validate(text);
  if (result.error) throw new UsageError(`${text} is no email address.`);
  return result.value;
};

const roleOf = (text: string): AdminRole => {
  const role = ADMIN_ROLES.find((name) => name === text);
  if (role === undefined) throw new UsageError(`The role is one of ${ADMIN_ROLES.join(', ')}.`);
  return role;
};

/** The password from the environment, or otherwise as typed or piped in. */
const passwordOf = async (
  { ADMIN_PASSWORD: configured }: AdminConfig,
  email: string,
  { terminal }: Invocation,
): Promise<string> => {
  if (configured !== '') return configured;
  const typed = await terminal.readSecret(`Password for ${email}: `);
  if (variable.password.validate(typed).error)
    throw new Error('the password needs at least 12 characters and must not begin with a usual word');
  return typed;
};

const create: Action = {
  name: 'create',
  about: 'creates an admin; an existing one stays unchanged',
  words: ['email?'],
  options: { role: { type: 'string', about: `one of ${ADMIN_ROLES.join(', ')}; default owner` } },
  timeoutSeconds: TIMEOUT_SECONDS,
  run: async (invocation) => {
    const { words, options, clock, terminal } = invocation;
    const config = readAdminConfig(invocation.env);
    const email = emailOf(words[0] ?? config.ADMIN_EMAIL);
    const role = options['role'] === undefined ? config.ADMIN_ROLE : roleOf(String(options['role']));
    const admin = { email, role, password: await passwordOf(config, email, invocation) };
    const hasher = await createHasher();
    const outcome = await withServiceDb({ url: config.DATABASE_URL, schema }, (db) =>
      createAdmin({ db, hasher, clock }, admin),
    );
    terminal.print(`admin ${email} ${outcome}`);
    return EXIT.done;
  },
};

const recover: Action = {
  name: 'recover',
  about: 'lets an existing admin in again',
  words: ['email'],
  options: {
    'new-password': { type: 'boolean', about: 'sets a password, which ends the sessions' },
    'remove-factors': {
      type: 'boolean',
      about: 'removes authenticator app, passkeys and recovery codes, together with a new password',
    },
  },
  timeoutSeconds: TIMEOUT_SECONDS,
  run: async (invocation) => {
    const { words, options, clock, terminal } = invocation;
    // Without its factors, an account is only as safe as its password, which another person may know.
    if (options['new-password'] !== true) throw new UsageError('--new-password is missing.');
    const removesFactors = options['remove-factors'] === true;
    const config = readAdminConfig(invocation.env);
    const email = emailOf(words[0] ?? '');
    const password = await passwordOf(config, email, invocation);
    const hasher = await createHasher();
    const outcome = await withServiceDb({ url: config.DATABASE_URL, schema }, (db) =>
      recoverAdmin({ db, hasher, clock }, { email, password, removesFactors }),
    );
    if (outcome === null) throw new Error(`no admin has the address ${email}`);
    const factors = outcome.factors === 'removed' ? 'second factors removed' : 'there were no second factors';
    const done = [`password ${outcome.password}`, ...(removesFactors ? [factors] : [])];
    terminal.print(`admin ${email}: ${done.join(', ')}`);
    return EXIT.done;
  },
};

export const adminCommand: Command = { actions: [create, recover] };
