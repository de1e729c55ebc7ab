import { addAuditDoor } from '@shortlist/kit/audit';
import type { Clock } from '@shortlist/kit/clock';
import type { Db } from '@shortlist/kit/db';
import type { Service } from '@shortlist/kit/service';
import { profileHearings } from './consumers.ts';
import { schema } from './db.ts';
import { addDirectoryDoors } from './directory/routes.ts';
import { addPictureDoors, addPictureFiles } from './pictures/routes.ts';
import { addProfileDoors } from './profiles/routes.ts';

/** profile: what people show, their pictures, and the directory that admins search. */
export const createProfileService = (parts: { db: Db; clock: Clock }): Service => ({
  name: 'profile',
  ...schema,
  hearings: profileHearings(parts),
  before: (app) => addPictureFiles(app, parts.db),
  doors: (doors) => {
    addProfileDoors(doors, parts);
    addAuditDoor(doors, parts.db);
    addDirectoryDoors(doors, parts);
    addPictureDoors(doors, parts);
  },
});
