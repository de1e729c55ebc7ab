import { billingEndpoints } from '@shortlist/contracts/api/billing';
import { identityEndpoints } from '@shortlist/contracts/api/identity';
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

/** Returns the job that reports payers without an account to billing. Only who had none in the run before counts: a deletion may be under way. */
export const createComparePayers = (parts: Parts): (() => Promise<void>) => {
  let suspects = new Set<string>();
  return async () => {
    const found = await findWithoutAccount(parts);
    const withoutAccount = found.filter((userId) => suspects.has(userId));
    suspects = new Set(found);
    await parts.billing(billingEndpoints.reportPayers, { withoutAccount }, CALL);
  };
};
