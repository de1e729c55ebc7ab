// What acts for a user beside the sessions: API keys, connected tools and webhooks, seen together.
import { factorReason } from '../schemas/factors.ts';
import { listOf, message, text, time, type TypeOf, uuid, view } from '../schemas/typed.ts';
import { forAdmins, operationsOf, toAdmins, toUsers } from './operation.ts';

/** How much of it was ended. */
export type EndedAccess = Record<keyof AccessView, number>;

/** `name`: of a key, a tool, or the host of a webhook. `detail`: the ends of the key, or the device of the tool; '' where unknown. */
const accessItem = view({ id: uuid, name: text, detail: text, createdAt: time });
export type AccessItem = TypeOf<typeof accessItem>;

/** What works now, the newest first. */
export const accessView = view({
  apiKeys: listOf(accessItem),
  connections: listOf(accessItem),
  webhooks: listOf(accessItem),
});
export type AccessView = TypeOf<typeof accessView>;

const ofUser = { userId: uuid };

export const accessEndpoints = {
  getAccess: operationsOf('identity')('GET /accounts/:userId/access', {
    roles: ['user', 'admin'],
    self: 'userId',
    input: ofUser,
    reply: { data: accessView },
    public: {
      access: toUsers('/api/access', { whileViewing: true }),
      userAccess: toAdmins('/api/users/:userId/access', { permission: 'users.read' }),
    },
  }),
} as const;

/** The user reads the reason in the file with their data. */
const reason = factorReason;

/** Support ends one for its user, with the same effects as if the user did. */
export const publicAccessEndpoints = {
  endUserKey: forAdmins('POST /api/users/:userId/api-keys/:keyId/end', {
    permission: 'sessions.end',
    recent: true,
    input: { ...ofUser, keyId: uuid, reason },
    reply: { message },
  }),
  endUserConnection: forAdmins('POST /api/users/:userId/connections/:connectionId/end', {
    permission: 'sessions.end',
    recent: true,
    input: { ...ofUser, connectionId: uuid, reason },
    reply: { message },
  }),
} as const;
