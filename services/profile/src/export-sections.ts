import { auditSection } from '@shortlist/audit/data-export';
import type { ExportRow, ExportSection } from '@shortlist/contracts/data-export';
import type { Db, Tx } from '@shortlist/kit/data/db';
import { type ReadSection, wholeSection } from '@shortlist/kit/http/section-endpoint';
import { findPictureAfter } from './pictures/queries.ts';
import { findProfile, presentProfile } from './profiles/queries.ts';

const profileRows = async (tx: Tx, userId: string): Promise<ExportRow[]> => {
  const row = await findProfile(tx, userId);
  if (row === null) return [];
  const { version: _, ...profile } = presentProfile(row);
  return [profile];
};

/** One picture a page, because a picture is large. */
const readPictures =
  (db: Db): ReadSection =>
  async ({ userId, cursor }) => {
    const picture = await findPictureAfter(db.manager, userId, cursor ?? '');
    if (picture === null) return { data: [], next: null };
    const { name, bytes } = picture;
    return { data: [{ name, content: bytes.toString('base64') }], next: name };
  };

/** What profile stores about a user. */
export const exportSections = (db: Db): Record<ExportSection<'profile'>, ReadSection> => ({
  profile: wholeSection((userId) => profileRows(db.manager, userId)),
  pictures: readPictures(db),
  changes: auditSection(db),
});
