import { auditLogsAreComplete } from './audit-chain.ts';
import { earningsAgree } from './earnings.ts';
import { eventsArrived, outboxesAreEmpty } from './events.ts';
import { bucketsHaveSources, ledgerAddsUp, plansHaveTheirCredits } from './ledger.ts';
import { addressesAgree, chargesAreStored, plansAreNewest, registeredHaveAccounts } from './lost-states.ts';
import { mailsWentOnce } from './mails.ts';
import {
  oneBucketForEachInvoice,
  planCopiesAreNewest,
  plansHavePrices,
  premiumIsPaidOrGranted,
} from './plans.ts';
import { packCopiesAreNewest, packsArePaid } from './packs.ts';
import { providerAgrees } from './provider.ts';
import { personsHaveAccounts } from './personal-data.ts';
import { recordsAgree } from './records.ts';
import { revenueAddsUp, revenueAgrees } from './revenue.ts';
import type { Breach, Invariant, SourceName, Sources } from './sources.ts';
import { accountsHaveProfiles, sessionsHaveOwners, termsMatchProfiles } from './users.ts';

const INVARIANTS: readonly Invariant[] = [
  premiumIsPaidOrGranted,
  providerAgrees,
  recordsAgree,
  plansHavePrices,
  packsArePaid,
  earningsAgree,
  revenueAgrees,
  revenueAddsUp,
  oneBucketForEachInvoice,
  ledgerAddsUp,
  plansHaveTheirCredits,
  bucketsHaveSources,
  accountsHaveProfiles,
  ...outboxesAreEmpty,
  eventsArrived,
  planCopiesAreNewest,
  packCopiesAreNewest,
  termsMatchProfiles,
  addressesAgree,
  registeredHaveAccounts,
  chargesAreStored,
  plansAreNewest,
  sessionsHaveOwners,
  mailsWentOnce,
  ...personsHaveAccounts,
  ...auditLogsAreComplete,
];

export type Unchecked = { invariant: string; about: string; missing: readonly SourceName[] };
/** `about`: what the invariant states. */
export type FoundBreach = Breach & Pick<Invariant, 'about'>;
export type VerifyResult = { checked: number; breaches: FoundBreach[]; unchecked: Unchecked[] };

type Available = Partial<Sources> & Pick<Sources, 'now'>;

/** Checks the invariants (V1 to V8, V11, V12) for which all sources are available against the current state. */
export const verify = async (sources: Available): Promise<VerifyResult> => {
  const result: VerifyResult = { checked: 0, breaches: [], unchecked: [] };
  for (const { id, about, needs, find } of INVARIANTS) {
    const missing = needs.filter((name) => sources[name] === undefined);
    if (missing.length > 0) {
      result.unchecked.push({ invariant: id, about, missing });
      continue;
    }
    const found = await find(sources as Sources); // an invariant reads only what it needs
    result.breaches.push(...found.map((breach) => ({ ...breach, about })));
    result.checked += 1;
  }
  return result;
};
