import { billingEndpoints } from '@shortlist/contracts/api/billing';
import { type KeptFor, unconfirmedEndpoints } from '@shortlist/contracts/api/email';
import { dataExportEndpoints } from '@shortlist/contracts/api/privacy';
import { asService, type ServiceClient } from '@shortlist/kit/http/http-client';
import type { Log } from '@shortlist/kit/process/log';

type Parts = Record<'identity' | 'billing' | 'credits', ServiceClient> & { log: Log };

const CALL = asService({ timeoutMs: 10_000 });

/** Why an account counts as in use: it has a plan version, or the ledger has a charge. */
const findUse = async ({ billing, credits }: Parts, userId: string): Promise<KeptFor | null> => {
  const { data, planState } = await billing(billingEndpoints.getSubscription, { userId }, CALL);
  if (planState.version > 0 || data.customerId !== null) return 'plan';
  const ledger = await credits(dataExportEndpoints.credits, { userId, section: 'ledger' }, CALL);
  return ledger.data.length > 0 ? 'credits' : null;
};

type Due = { userId: string; step: 'remind' | 'give_up' };

const advance = async (parts: Parts, { userId, step }: Due): Promise<void> => {
  const { identity, log } = parts;
  const keptFor = await findUse(parts, userId);
  if (keptFor !== null) {
    await identity(unconfirmedEndpoints.keepAccount, { userId, keptFor }, CALL);
  } else if (step === 'remind') {
    await identity(unconfirmedEndpoints.remindUnconfirmed, { userId }, CALL);
  } else {
    const { deleted } = await identity(unconfirmedEndpoints.giveUpAccount, { userId }, CALL);
    if (deleted) log.info({ userId }, 'unconfirmed account deleted');
  }
};

/**
 * Reminds the users of unconfirmed accounts, and deletes those whose time is over, unless they are in use. If billing or credits does not
 * respond, nothing happens to the account. A missed or repeated run makes no difference.
 */
export const advanceUnconfirmed = async (parts: Parts): Promise<void> => {
  const { data } = await parts.identity(unconfirmedEndpoints.listUnconfirmed, {}, CALL);
  for (const due of data)
    await advance(parts, due).catch((error: unknown) =>
      parts.log.warn({ err: error, userId: due.userId }, 'unconfirmed account left as it is'),
    );
};
