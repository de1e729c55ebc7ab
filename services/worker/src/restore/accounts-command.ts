// The operator's command for accounts that identity has lost with its topic: nothing but profile knows who had registered since.
import { type AccountCopy, identityEndpoints } from '@shortlist/contracts/api/identity';
import { profileEndpoints } from '@shortlist/contracts/api/profile';
import { inSeconds, minutes } from '@shortlist/contracts/durations';
import { asService, createServiceClient, type ServiceClient } from '@shortlist/kit/http/http-client';
import { createServicePool } from '@shortlist/kit/http/service-pool';
import { createTokenSigner } from '@shortlist/kit/http/service-token';
import { settleAll } from '@shortlist/kit/process/settle-all';
import { type Command, EXIT, isConfirmed, YES_OPTION } from '@shortlist/operator/command';
import { readConfig, serviceTokenKeys } from '../config.ts';

const TIMEOUT_SECONDS = inSeconds(minutes(60));
/** A page may have a hundred accounts that are lost, each with a password to be hashed. */
const CALL = asService({ timeoutMs: minutes(1) });

type Parts = Record<'identity' | 'profile', ServiceClient> & { print: (line: string) => void };

/** Compares every account that profile knows with identity's. States the profiles of those that are missing, brings them back, and prints them. */
export const recoverAccounts = async ({ identity, profile, print }: Parts): Promise<void> => {
  let [compared, recovered] = [0, 0];
  let after: string | null = null;
  do {
    const page: { data: AccountCopy[]; next: string | null } = await profile(
      profileEndpoints.listAccountCopies,
      after === null ? {} : { after },
      CALL,
    );
    const ids = page.data.map(({ id }) => id);
    const unknown = await identity(identityEndpoints.listUnknownAccounts, { ids }, CALL);
    // billing knows nothing of them if it was set back too. First, so that a run that was interrupted here is repeated.
    if (unknown.data.length > 0) await profile(profileEndpoints.stateProfiles, { ids: unknown.data }, CALL);
    const { data } = await identity(identityEndpoints.recoverAccounts, { accounts: page.data }, CALL);
    for (const { id, done } of data) print(`${id}\t${done}`);
    [compared, recovered] = [compared + page.data.length, recovered + data.length];
    after = page.next;
  } while (after !== null);
  print(`${recovered} of ${compared} accounts that profile knows were brought up to date.`);
};

export const accountsCommand: Command = {
  actions: [
    {
      name: 'recover',
      about:
        'creates accounts that profile knows and identity has lost, unless they were deleted, and stores later addresses; identity and profile must run',
      words: [],
      options: YES_OPTION,
      timeoutSeconds: TIMEOUT_SECONDS,
      run: async (invocation) => {
        const { env, clock, terminal } = invocation;
        const config = readConfig(env);
        const question = 'Has the database of identity been set back, and has Kafka lost its topic?';
        if (!(await isConfirmed(invocation, question))) return EXIT.failed;
        const sign = createTokenSigner({ keys: serviceTokenKeys(config), clock });
        const pools = {
          identity: createServicePool(config.IDENTITY_URL),
          profile: createServicePool(config.PROFILE_URL),
        };
        const client = (audience: keyof typeof pools): ServiceClient =>
          createServiceClient({ audience, pool: pools[audience], sign });
        try {
          await recoverAccounts({
            identity: client('identity'),
            profile: client('profile'),
            print: terminal.print,
          });
        } finally {
          await settleAll(Object.values(pools).map((pool) => pool.close()));
        }
        return EXIT.done;
      },
    },
  ],
};
