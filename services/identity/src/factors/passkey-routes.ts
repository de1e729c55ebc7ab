import { factorEndpoints } from '@shortlist/contracts/api/factors';
import {
  challenge,
  origin,
  type PasskeyCeremony,
  passkeyName,
  type PasskeyRegistration,
  registrationCeremony,
} from '@shortlist/contracts/schemas/factors';
import { userId } from '@shortlist/contracts/schemas/text';
import { type Db, inTransaction } from '@shortlist/kit/data/db';
import type { Router } from '@shortlist/kit/http/router';
import type { Clock } from '@shortlist/kit/process/clock';
import { createError } from '@shortlist/kit/process/errors';
import Joi from 'joi';
import { findAccount } from '../accounts/queries.ts';
import { addPasskey } from './add-passkey.ts';
import { createOwnEndpoints, ofUser } from './own-endpoints.ts';
import { creationOptions } from './passkey-ceremony.ts';
import { presentPasskey } from './present.ts';
import { listPasskeys, renamePasskey } from './queries.ts';
import { removePasskey } from './remove-factors.ts';

type OfUser<Input> = { userId: string } & Input;
const passkeyId = userId;

export const addPasskeyEndpoints = (router: Router, parts: { db: Db; clock: Clock }): void => {
  const { db, clock } = parts;
  const addOwn = createOwnEndpoints(router);

  addOwn(factorEndpoints.passkeyOptions, {
    input: ofUser.append<OfUser<{ challenge: string; origin: string; brand: string }>>({
      ...{ challenge, origin },
      brand: Joi.string().max(200).required(),
    }),
    handle: async ({ input: { userId: id, ...site } }) => {
      const account = await findAccount(db.manager, id);
      if (account === null) throw createError('identity.user_not_found');
      const known = await listPasskeys(db.manager, id);
      return { data: await creationOptions({ account, known, ...site }) };
    },
  });

  addOwn(factorEndpoints.addPasskey, {
    input: ofUser.append<OfUser<{ passkey: PasskeyCeremony<PasskeyRegistration>; name: string }>>({
      passkey: registrationCeremony,
      name: passkeyName,
    }),
    handle: async ({ input: { userId: accountId, ...input }, caller }) => ({
      data: presentPasskey(await addPasskey(parts, { accountId, ...input, caller })),
    }),
  });

  addOwn(factorEndpoints.renamePasskey, {
    input: ofUser.append<OfUser<{ passkeyId: string; name: string }>>({ passkeyId, name: passkeyName }),
    handle: async ({ input: { userId: accountId, passkeyId: id, name } }) => {
      const row = await renamePasskey(db.manager, { accountId, id }, name);
      if (row === null) throw createError('identity.passkey_not_found');
      return { data: presentPasskey(row) };
    },
  });

  addOwn(factorEndpoints.removePasskey, {
    input: ofUser.append<OfUser<{ passkeyId: string }>>({ passkeyId }),
    handle: async ({ input: { userId: accountId, passkeyId: id }, caller }) => {
      const removal = { accountId, passkeyId: id, caller, clock };
      await inTransaction(db, (tx) => removePasskey(tx, removal));
      return { message: 'removed' };
    },
  });
};
