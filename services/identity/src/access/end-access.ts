import type { EndedAccess } from '@shortlist/contracts/api/connected-apps';
import type { WebhookStop } from '@shortlist/contracts/api/webhooks';
import type { Tx } from '@shortlist/kit/data/db';
import type { Caller } from '@shortlist/kit/http/service-token';
import type { Clock } from '@shortlist/kit/process/clock';
import { revokeKeys } from '../api-keys/change-key.ts';
import { endConnections } from '../tools/change-connection.ts';
import { stopWebhooks } from '../webhooks/change-webhook.ts';

type Ending = { accountId: string; cause: keyof typeof STOPS; caller: Caller; clock: Clock };

const STOPS = { user: 'user', support: 'support', takeover: 'taken_back' } as const satisfies Record<
  string,
  WebhookStop
>;

/**
 * Ends everything besides sessions that acts for a user: API keys, connected apps and webhooks, each as if it were ended individually. The
 * caller has locked the account's row, which serializes this with creating one. Returns how many there were.
 */
export const endAccess = async (tx: Tx, { cause, ...ending }: Ending): Promise<EndedAccess> => ({
  apiKeys: await revokeKeys(tx, ending),
  connections: await endConnections(tx, { ...ending, reason: cause }),
  webhooks: await stopWebhooks(tx, { ...ending, stop: STOPS[cause] }),
});
