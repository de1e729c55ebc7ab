// The storage of oidc-provider. Its clients are our apps, its grants our connections; what it issues has its own table. Its sessions are not
// stored, because the product's session decides who approves a request, and every request needs approval.
import type { ConnectionEnd } from '@shortlist/contracts/events/identity';
import { type Db, inTransaction, type SharedClock, type Tx } from '@shortlist/kit/data/db';
import { hashOfToken } from '@shortlist/kit/http/access-token';
import { SERVICE_CALLER } from '@shortlist/kit/http/service-token';
import type { Clock } from '@shortlist/kit/process/clock';
import Provider, { type Adapter, type AdapterPayload, errors } from 'oidc-provider';
import { endConnection } from '../tools/change-connection.ts';
import { extendConnection, findWorkingConnection, lockConnection } from '../tools/connection-queries.ts';
import { findTool } from '../tools/queries.ts';
import { consumeArtifact, deleteArtifact, findArtifact, insertArtifact } from './queries.ts';

type Parts = { db: Db; clock: Clock; sharedClock: SharedClock };

const nothing = (): Promise<undefined> => Promise.resolve(undefined);

const NO_STORAGE: Adapter = {
  upsert: nothing,
  find: nothing,
  findByUserCode: nothing,
  findByUid: nothing,
  consume: nothing,
  destroy: nothing,
  revokeByGrantId: nothing,
};

const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code';

/** A disabled app counts as unknown. */
const toolAdapter = ({ db }: Parts): Adapter => ({
  ...NO_STORAGE,
  find: async (id) => {
    const tool = await findTool(db.manager, id);
    if (tool === null || tool.disabledAt !== null) return undefined;
    const { name, redirectUris, scopes } = tool;
    const hasBrowser = redirectUris.length > 0;
    return {
      client_id: tool.id,
      client_name: name,
      application_type: 'native',
      token_endpoint_auth_method: 'none',
      redirect_uris: redirectUris,
      response_types: hasBrowser ? ['code'] : [],
      grant_types: [...(hasBrowser ? ['authorization_code'] : []), DEVICE_GRANT, 'refresh_token'],
      scope: scopes.join(' '),
    };
  },
});

const secondsOf = (time: Date): number => Math.floor(time.getTime() / 1_000);

/** Whether the app ended its connection, or one of its codes or tokens was used twice. */
const reasonOfEnd = (): ConnectionEnd => (Provider.ctx?.oidc.route === 'revocation' ? 'tool' : 'reuse');

/** The library destroys a grant when an app revokes its token, and when a code or a refresh token is used twice. */
const connectionAdapter = ({ db, clock, sharedClock }: Parts): Adapter => ({
  ...NO_STORAGE,
  find: async (id) => {
    const row = await findWorkingConnection(db.manager, id, await sharedClock(db.manager));
    if (row === null) return undefined;
    return {
      jti: id,
      kind: 'Grant',
      accountId: row.userId,
      clientId: row.tool.id,
      openid: { scope: row.scopes.join(' ') },
      iat: secondsOf(row.createdAt),
      exp: secondsOf(row.expiresAt),
    };
  },
  destroy: async (connectionId) => {
    await inTransaction(db, (tx) =>
      endConnection(tx, { connectionId, reason: reasonOfEnd(), caller: SERVICE_CALLER, clock }),
    );
  },
});

const ENDED = 'the connection has ended';

/** Throws `invalid_grant` if the connection has ended; locks it until the transaction ends. */
const assertConnected = async (tx: Tx, connectionId: string): Promise<void> => {
  const row = await lockConnection(tx, { id: connectionId });
  if (row === null || row.endedAt !== null) throw new errors.InvalidGrant(ENDED);
};

/** The stored parameters of a browser's request. Others may contain personal data, or be of any size. */
const STORED_PARAMS = [
  'client_id',
  'response_type',
  'redirect_uri',
  'scope',
  'state',
  'code_challenge',
  'code_challenge_method',
  'device_name',
];

const withStoredParams = ({ params, ...payload }: AdapterPayload): AdapterPayload => {
  if (params === undefined) return payload;
  const stored = Object.entries(params).filter(([name]) => STORED_PARAMS.includes(name));
  return { ...payload, params: Object.fromEntries(stored) };
};

const lifetimeMs = (seconds = 0): number => seconds * 1_000;

const artifactAdapter = ({ db, clock, sharedClock }: Parts, model: string): Adapter => {
  const keyOf = (id: string) => ({ model, idHash: hashOfToken(id) });
  return {
    ...NO_STORAGE,
    upsert: (id, { jti: _, userCode, ...all }, expiresIn) =>
      inTransaction(db, async (tx) => {
        const payload = withStoredParams(all);
        const { grantId: connectionId = null } = payload;
        const createdAt = await sharedClock(tx);
        const expiresAt = new Date(createdAt.getTime() + lifetimeMs(expiresIn));
        if (connectionId !== null) await assertConnected(tx, connectionId);
        if (connectionId !== null && model === 'RefreshToken')
          await extendConnection(tx, connectionId, expiresAt);
        const userCodeHash = userCode === undefined ? null : hashOfToken(userCode);
        const times = { createdAt, expiresAt, consumedAt: null, polledAt: null };
        await insertArtifact(tx, { ...keyOf(id), connectionId, userCodeHash, payload, ...times });
      }),
    find: async (id): Promise<AdapterPayload | undefined> => {
      const row = await findArtifact(db.manager, keyOf(id));
      if (row === null) return undefined;
      return {
        ...row.payload,
        jti: id,
        ...(row.consumedAt === null ? {} : { consumed: secondsOf(row.consumedAt) }),
      };
    },
    consume: async (id) => {
      const key = keyOf(id);
      const row = await findArtifact(db.manager, key);
      if (row !== null && (await consumeArtifact(db.manager, key, clock()))) return;
      // One of two concurrent uses may be a thief's: as with consecutive uses, the connection ends.
      if (row?.connectionId) await endReused({ db, clock, sharedClock }, row.connectionId);
      throw new errors.InvalidGrant('used already');
    },
    destroy: (id) => deleteArtifact(db.manager, keyOf(id)),
  };
};

const endReused = ({ db, clock }: Parts, connectionId: string): Promise<void> =>
  inTransaction(db, (tx) =>
    endConnection(tx, { connectionId, reason: 'reuse', caller: SERVICE_CALLER, clock }),
  );

/** `revokeByGrantId` does nothing, because the library then destroys the grant, and a token without a connection does not work. */
export const createAdapter =
  (parts: Parts) =>
  (model: string): Adapter => {
    if (model === 'Client') return toolAdapter(parts);
    if (model === 'Grant') return connectionAdapter(parts);
    if (model === 'Session') return NO_STORAGE;
    return artifactAdapter(parts, model);
  };
