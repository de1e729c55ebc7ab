import { addAuditEndpoint } from '@shortlist/audit/audit-log';
import { startSealing } from '@shortlist/audit/chain';
import { addTimelineEndpoint, type TimelineLists } from '@shortlist/audit/timeline';
import { dataExportEndpoints } from '@shortlist/contracts/api/privacy';
import { topicsOf } from '@shortlist/contracts/events/catalogue';
import { type Db, inTransaction } from '@shortlist/kit/data/db';
import { addSectionEndpoint } from '@shortlist/kit/http/section-endpoint';
import type { Clock } from '@shortlist/kit/process/clock';
import type { Service } from '@shortlist/kit/service';
import { profileHandlers } from './consumers.ts';
import { schema } from './db.ts';
import { addDirectoryEndpoints, addFilterEndpoints } from './directory/routes.ts';
import { eraseUser } from './erase-user.ts';
import { exportSections } from './export-sections.ts';
import { listNoteEntries, NOTED } from './notes/queries.ts';
import { addNoteEndpoints } from './notes/routes.ts';
import { addNoticeEndpoints } from './notices/routes.ts';
import { addPictureEndpoints, addPictureFiles } from './pictures/routes.ts';
import { startRefreshingTerms } from './profiles/refresh-terms.ts';
import { addCopyEndpoints, addProfileEndpoints } from './profiles/routes.ts';

/** profile: the users' profiles, their pictures, and the directory that admins search. */
export const createProfileService = (parts: { db: Db; clock: Clock }): Service => ({
  name: 'profile',
  topics: topicsOf('profile'),
  ...schema,
  background: (running) => {
    const repetitions = [startSealing(running), startRefreshingTerms(running)];
    return { stop: async () => void (await Promise.all(repetitions.map(({ stop }) => stop()))) };
  },
  handlers: profileHandlers(parts),
  eraseAgain: ({ userId, deletedAt }) => inTransaction(parts.db, (tx) => eraseUser(tx, userId, deletedAt)),
  rawRoutes: (app) => addPictureFiles(app, parts.db),
  endpoints: (router) => {
    addProfileEndpoints(router, parts);
    addCopyEndpoints(router, parts);
    addAuditEndpoint(router, parts.db);
    const notes: TimelineLists = { note: (page) => listNoteEntries(parts.db.manager, page) };
    addTimelineEndpoint(router, parts.db, notes, NOTED);
    addSectionEndpoint(router, dataExportEndpoints.profile, exportSections(parts.db));
    addDirectoryEndpoints(router, parts);
    addFilterEndpoints(router, parts);
    addNoteEndpoints(router, parts);
    addNoticeEndpoints(router, parts);
    addPictureEndpoints(router, parts);
  },
});
