import { addAuditEndpoint } from '@shortlist/audit/audit-log';
import { startSealing } from '@shortlist/audit/chain';
import { addTimelineEndpoint } from '@shortlist/audit/timeline';
import { dataExportEndpoints } from '@shortlist/contracts/api/privacy';
import { topicsOf } from '@shortlist/contracts/events/catalogue';
import { addSectionEndpoint } from '@shortlist/kit/http/section-endpoint';
import type { Metrics } from '@shortlist/kit/process/metrics';
import type { Service } from '@shortlist/kit/service';
import { creditsHandlers } from './consumers.ts';
import { EXPIRED_CONTACTS } from './contacts/queries.ts';
import { schema } from './db.ts';
import { eraseAgain, startErasing } from './erase-user.ts';
import { exportSections } from './export-sections.ts';
import { startPruningLedger } from './ledger/prune-ledger.ts';
import { listTimelineEntries } from './ledger/queries.ts';
import { createDriftReader, ledgerDrift } from './metrics.ts';
import { addCreditsEndpoints, type CreditsDependencies } from './routes.ts';

/** credits: the buckets of users' credits, and the ledger of charges. */
export const createCredits = (dependencies: CreditsDependencies, metrics: Metrics): Service => {
  const { db, clock } = dependencies;
  metrics.gauge(ledgerDrift, createDriftReader(db));
  return {
    name: 'credits',
    topics: topicsOf('credits'),
    ...schema,
    handlers: creditsHandlers(db, clock),
    eraseAgain: eraseAgain(db),
    prune: [EXPIRED_CONTACTS],
    background: (running) => {
      const repetitions = [
        startSealing(running),
        startErasing(running),
        startPruningLedger({ ...running, clock }),
      ];
      return { stop: async () => void (await Promise.all(repetitions.map(({ stop }) => stop()))) };
    },
    endpoints: (router) => {
      addCreditsEndpoints(router, dependencies);
      addAuditEndpoint(router, db);
      addTimelineEndpoint(router, db, { credits: (page) => listTimelineEntries(db.manager, page) });
      addSectionEndpoint(router, dataExportEndpoints.credits, exportSections(db));
    },
  };
};
