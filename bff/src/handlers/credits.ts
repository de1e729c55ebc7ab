import { once } from 'node:events';
import { apiKeyEndpoints, connectionEndpoints } from '@shortlist/contracts/api/connected-apps';
import {
  bucketEndpoints,
  creditsEndpoints,
  type CreditsEntry,
  type HistoryFilters,
} from '@shortlist/contracts/api/credits';
import { packEndpoints } from '@shortlist/contracts/api/billing';
import { profileEndpoints } from '@shortlist/contracts/api/profile';
import { publicEndpoints } from '@shortlist/contracts/api/public';
import {
  creditReason,
  historyFileText,
  isOfTool,
  namedConnection,
  nameOfTool,
  namesOfTools,
} from '@shortlist/contracts/credit-history';
import { HISTORY_FILE_MAX, HISTORY_PAGE_MAX } from '@shortlist/contracts/limits';
import { BYTE_ORDER_MARK, csvHeaders, csvLine } from '@shortlist/kit/data/csv.rules';
import { createConcurrencyLimit } from '@shortlist/kit/process/concurrency-limit';
import { createError } from '@shortlist/kit/process/errors';
import type { Caller } from '@shortlist/kit/http/service-token';
import type { Response } from 'express';
import { composed, type Route, streamed } from '../http/endpoint.ts';
import { PROVIDER_TIMEOUT_MS, type Services } from '../services.ts';
import type { AssertVerified } from './sign-up.ts';
import { customerOf, getProfile, keepAccount } from './subscription.ts';

type Parts = { services: Services; assertVerified: AssertVerified };

/** The packs of credits of the user of the session, and how that user buys one. */
export const buyPackEndpoints = ({ services, assertVerified }: Parts): Route[] => [
  composed(publicEndpoints.creditPacks, async ({ caller, userId }) => {
    const [{ data: offer }, { data: packs }] = await Promise.all([
      services.billing(packEndpoints.getPackOffer, {}, { caller }),
      services.billing(packEndpoints.listCreditPacks, { userId }, { caller }),
    ]);
    return { data: { offer, packs } };
  }),

  composed(publicEndpoints.buyPack, async ({ caller, userId }) => {
    await assertVerified('checkout', caller);
    const customer = customerOf(await getProfile(services, userId, caller));
    await keepAccount({ services }, userId);
    const options = { caller, timeoutMs: PROVIDER_TIMEOUT_MS };
    return services.billing(packEndpoints.openPackCheckout, customer, options);
  }),

  // The session says who paid, Stripe says whether.
  composed(publicEndpoints.confirmPack, ({ input, caller, userId }) =>
    services.billing(
      packEndpoints.confirmPackCheckout,
      { userId, sessionId: input.xsl },
      { caller, timeoutMs: PROVIDER_TIMEOUT_MS },
    ),
  ),
];

/** Gives a user credits. credits does not know a user before the first charge, so profile says whether the user exists. */
export const creditGrantEndpoint = ({ profile, credits }: Services): Route =>
  composed(publicEndpoints.grantCredits, async ({ input, caller }) => {
    await profile(profileEndpoints.getProfile, { id: input.userId }, { caller });
    return credits(bucketEndpoints.grantCredits, input, { caller });
  });

type Names = ReadonlyMap<string, string>;

const COLUMNS: Record<string, (entry: CreditsEntry, names: Names) => string | number> = {
  'Time (UTC)': ({ createdAt }) => createdAt,
  Action: ({ reason }) => creditReason(reason),
  'Action (code)': ({ reason }) => reason,
  Contact: ({ reference }) => reference ?? '',
  Tool: ({ reason, clientId }, names) => (isOfTool(reason) ? nameOfTool(names, clientId) : ''),
  Credits: ({ amount }) => amount,
};

const lineOf = (entry: CreditsEntry, names: Names): string =>
  csvLine(Object.values(COLUMNS).map((cellOf) => cellOf(entry, names)));

type Export = { services: Services; caller: Caller; userId: string; filters: HistoryFilters; names: Names };

/** Writes the newest entries, page by page, and waits while the client reads: one page is in memory at a time. */
const writeHistory = async (
  { services, caller, userId, filters, names }: Export,
  to: Response,
): Promise<void> => {
  let cursor: string | undefined;
  let written = 0;
  do {
    const { data, next }: { data: CreditsEntry[]; next: string | null } = await services.credits(
      creditsEndpoints.listHistory,
      { ...filters, userId, limit: HISTORY_PAGE_MAX, ...(cursor && { cursor }) },
      { caller },
    );
    const lines = data.map((entry) => lineOf(entry, names)).join('');
    if (!to.write(lines)) await Promise.race([once(to, 'drain'), once(to, 'close')]);
    cursor = next ?? undefined;
    written += data.length;
  } while (cursor !== undefined && written < HISTORY_FILE_MAX && !to.destroyed);
  if (cursor !== undefined) to.write(csvLine([historyFileText('cut', { count: written })]));
};

/** The names of the user's keys and apps, which identity has. */
const readNames = async ({ identity }: Services, userId: string, caller: Caller): Promise<Names> => {
  const [keys, tools] = await Promise.all([
    identity(apiKeyEndpoints.listApiKeys, { userId }, { caller }),
    identity(connectionEndpoints.listConnections, { userId }, { caller }),
  ]);
  return namesOfTools([...keys.data, ...tools.data.map(namedConnection)]);
};

/** How soon a user whose file is being downloaded may ask again. */
const FILE_SECONDS = 10;

/** One file of a user at a time, in each process. */
export const historyExportEndpoint = (services: Services): Route => {
  const limitFiles = createConcurrencyLimit(1, () =>
    createError('credits.export_running', { retryAfterSeconds: FILE_SECONDS }),
  );
  return streamed(publicEndpoints.exportHistory, ({ input: filters, userId, caller, response }) =>
    limitFiles(userId, async () => {
      const names = await readNames(services, userId, caller);
      response.set(csvHeaders('credits.csv'));
      response.write(BYTE_ORDER_MARK + csvLine(Object.keys(COLUMNS)));
      await writeHistory({ services, caller, userId, filters, names }, response);
      response.end();
    }),
  );
};
