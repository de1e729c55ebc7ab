import { auditSection } from '@shortlist/audit/audit-log';
import { EXPORT_SECTIONS, type ExportSection } from '@shortlist/contracts/api/privacy';
import type { Db } from '@shortlist/kit/data/db';
import { type ReadSection, wholeSection } from '@shortlist/kit/http/section-endpoint';
import { listNotes } from './notes/queries.ts';
import { findPictureAfter } from './pictures/queries.ts';
import { findProfile } from './profiles/queries.ts';

/** One picture per page, because pictures are large. */
const readPictures =
  (db: Db): ReadSection =>
  async ({ userId, cursor }) => {
    const picture = await findPictureAfter(db.manager, userId, cursor ?? '');
    if (picture === null) return { data: [], next: null };
    const { name, bytes } = picture;
    return { data: [{ name, content: bytes.toString('base64') }], next: name };
  };

/** The data that profile stores about a user. */
export const exportSections = (db: Db): Record<ExportSection<'profile'>, ReadSection> => ({
  profile: wholeSection(EXPORT_SECTIONS.profile.profile, async (userId) => {
    const profile = await findProfile(db.manager, userId);
    return profile === null ? [] : [profile];
  }),
  pictures: readPictures(db),
  notes: wholeSection(EXPORT_SECTIONS.profile.notes, (userId) => listNotes(db.manager, userId)),
  changes: auditSection(db),
});
