import { addAuditEndpoint } from '@shortlist/audit/audit-log';
import { startSealing } from '@shortlist/audit/chain';
import { dataExportEndpoints } from '@shortlist/contracts/data-export';
import { topicOf } from '@shortlist/contracts/events/define';
import { addSectionEndpoint } from '@shortlist/kit/http/section-endpoint';
import type { Metrics } from '@shortlist/kit/process/metrics';
import type { Service } from '@shortlist/kit/service';
import type { ChargeParts } from './charges/charge-credit.ts';
import { creditsHandlers } from './consumers.ts';
import { schema } from './db.ts';
import { startErasing } from './erase-user.ts';
import { exportSections } from './export-sections.ts';
import { EXPIRED_CONTACTS } from './ledger/contact-queries.ts';
import { createDriftReader, ledgerDrift } from './metrics.ts';
import { addBucketEndpoints, addCreditsEndpoints } from './routes.ts';
import { createWindowCache } from './windows/credit-window.ts';

/** credits: the ledger of charged credits and the windows in which they count. */
export const createCredits = ({
  metrics,
  ...dependencies
}: Omit<ChargeParts, 'windowCache'> & { metrics: Metrics }): Service => {
  const parts = { ...dependencies, windowCache: createWindowCache() };
  metrics.gauge(ledgerDrift, createDriftReader(parts.db));
  return {
    name: 'credits',
    topic: topicOf('credits'),
    ...schema,
    handlers: creditsHandlers(parts),
    prune: [EXPIRED_CONTACTS],
    background: (running) => {
      const repetitions = [startSealing(running), startErasing(running)];
      return { stop: async () => void (await Promise.all(repetitions.map(({ stop }) => stop()))) };
    },
    endpoints: (router) => {
      addCreditsEndpoints(router, parts);
      addBucketEndpoints(router, parts);
      addAuditEndpoint(router, parts.db);
      addSectionEndpoint(router, dataExportEndpoints.credits, exportSections(parts.db));
    },
  };
};
