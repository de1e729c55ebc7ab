import { setTimeout as sleep } from 'node:timers/promises';
import { billingEndpoints } from '@shortlist/contracts/api/billing';
import { identityEndpoints } from '@shortlist/contracts/api/identity';
import { seconds } from '@shortlist/contracts/durations';
import { asService, type ServiceClient } from '@shortlist/kit/http/http-client';

type Parts = Record<'identity' | 'billing', ServiceClient>;

const CALL = asService({ timeoutMs: 10_000 });

/** The payers without an account. identity deletes an account before billing closes its subscription. */
const findWithoutAccount = async ({ identity, billing }: Parts): Promise<string[]> => {
  const found: string[] = [];
  let after: string | null = null;
  do {
    const page: { data: string[]; next: string | null } = await billing(
      billingEndpoints.listPayers,
      after === null ? {} : { after },
      CALL,
    );
    found.push(...(await identity(identityEndpoints.listUnknownAccounts, { ids: page.data }, CALL)).data);
    after = page.next;
  } while (after !== null);
  return found;
};

/** billing closes the subscription of a deleted account within seconds. */
const PAUSE_MS = seconds(30);

/** Reports payers without an account to billing. Only who still has none after a pause counts: a deletion may be under way. */
export const comparePayers = async (parts: Parts, pauseMs = PAUSE_MS): Promise<void> => {
  let withoutAccount = await findWithoutAccount(parts);
  if (withoutAccount.length > 0) {
    await sleep(pauseMs);
    const still = new Set(await findWithoutAccount(parts));
    withoutAccount = withoutAccount.filter((userId) => still.has(userId));
  }
  await parts.billing(billingEndpoints.reportPayers, { withoutAccount }, CALL);
};
