import { addAuditDoor } from '@shortlist/kit/audit';
import type { Clock } from '@shortlist/kit/clock';
import type { Db } from '@shortlist/kit/db';
import type { Log } from '@shortlist/kit/log';
import type { Service } from '@shortlist/kit/service';
import { addAccountDoors } from './accounts/routes.ts';
import type { Hasher } from './credentials/hasher.ts';
import { createAuthenticate } from './credentials/local-strategy.ts';
import { addCredentialDoors } from './credentials/routes.ts';
import { verifyCredentials } from './credentials/verify-credentials.ts';
import { schema } from './db.ts';

type Parts = { db: Db; hasher: Hasher; clock: Clock; log: Log; passwordMin: number };

/** identity: accounts and passwords. It hears nothing; others hear it. */
export const createIdentity = (parts: Parts): Service => ({
  name: 'identity',
  ...schema,
  hearings: [],
  doors: (doors) => {
    addAccountDoors(doors, parts);
    addAuditDoor(doors, parts.db);
    addCredentialDoors(
      doors,
      createAuthenticate((credentials) => verifyCredentials(parts, credentials)),
    );
  },
});
