// Users' decisions about requests of apps. They do not use the library's pages: a decision is written into the request together with the
// connection, so that the first of concurrent decisions counts.
import {
  type ConnectionRequest,
  type DecidedRequest,
  type RequestReference,
  type Scope,
  SCOPES,
  type ToolDevice,
} from '@shortlist/contracts/api/connected-apps';
import type { SignInOrigin } from '@shortlist/contracts/api/sessions';
import type { SharedClock, Tx } from '@shortlist/kit/data/db';
import { hashOfToken } from '@shortlist/kit/http/access-token';
import type { Caller } from '@shortlist/kit/http/service-token';
import type { Clock } from '@shortlist/kit/process/clock';
import { createError } from '@shortlist/kit/process/errors';
import type { AdapterPayload } from 'oidc-provider';
import { createConnection } from '../tools/change-connection.ts';
import { presentTool } from '../tools/connection-queries.ts';
import { shareTool, type ToolRow } from '../tools/queries.ts';
import { type Artifact, decideArtifact, lockArtifact } from './queries.ts';

type Parts = { clock: Clock; sharedClock: SharedClock };
type OpenRequest = { row: Artifact; tool: ToolRow; scopes: Scope[]; device: string };

/** As the library stores it: letters only, without the displayed hyphen. */
const letterCode = (text: string): string => text.toUpperCase().replaceAll(/[^A-Z]/g, '');

const shownCode = (code: string): string => `${code.slice(0, 4)}-${code.slice(4)}`;

const keyOf = ({ source, request }: RequestReference) =>
  source === 'device'
    ? { model: 'DeviceCode', userCodeHash: hashOfToken(letterCode(request)) }
    : { model: 'Interaction', idHash: hashOfToken(request) };

const isDecided = ({ accountId, error, result }: AdapterPayload): boolean =>
  accountId !== undefined || error !== undefined || result !== undefined;

/** Throws unless the request waits for its user. */
const assertOpen = ({ payload, expiresAt }: Artifact, now: Date): void => {
  if (isDecided(payload)) throw createError('identity.request_decided');
  if (expiresAt <= now) throw createError('identity.request_expired');
};

/** The parameters of the app's request. A browser's request has its app among them. */
const paramsOf = ({ clientId, params }: AdapterPayload) => {
  const {
    client_id: ofBrowser = '',
    scope = '',
    device_name: device = '',
  } = params as Record<string, string>;
  return { toolId: clientId ?? ofBrowser, asked: scope.split(' '), device };
};

/** A request that waits for its user, locked. Throws `identity.request_unknown` and the other errors of a request. */
const lockOpenRequest = async (
  tx: Tx,
  reference: RequestReference,
  { sharedClock }: Parts,
): Promise<OpenRequest> => {
  const row = await lockArtifact(tx, keyOf(reference));
  if (row === null) throw createError('identity.request_unknown');
  assertOpen(row, await sharedClock(tx));
  const { toolId, asked, device } = paramsOf(row.payload);
  const tool = await shareTool(tx, toolId);
  if (tool === null || tool.disabledAt !== null) throw createError('identity.tool_disabled');
  const scopes = SCOPES.filter((name) => asked.includes(name) && tool.scopes.includes(name));
  return { row, tool, scopes, device };
};

const originIn = ({ deviceInfo }: AdapterPayload): SignInOrigin => {
  const { browser = '', system = '', network = '', place = '' } = (deviceInfo ?? {}) as Partial<SignInOrigin>;
  return { browser, system, network, place };
};

/** The request as the user sees it. Only a device's request shows its origin: a browser's is decided in the same browser. */
export const readRequest = async (
  tx: Tx,
  reference: RequestReference,
  parts: Parts,
): Promise<ConnectionRequest> => {
  const { row, tool, scopes, device } = await lockOpenRequest(tx, reference, parts);
  const { browser, system, place } = originIn(row.payload);
  return {
    ...presentTool(tool),
    scopes,
    device,
    browser,
    system,
    place,
    requestedAt: row.createdAt.toISOString(),
    code: reference.source === 'device' ? shownCode(letterCode(reference.request)) : null,
  };
};

const returnTo = ({ returnTo: address }: AdapterPayload): DecidedRequest => ({
  returnTo: address === undefined ? null : new URL(address).pathname,
});

type Approval = { userId: string; origin: SignInOrigin; caller: Caller };

const deviceOf = ({ row, device }: OpenRequest, origin: SignInOrigin): ToolDevice => {
  const { browser, system } = row.model === 'DeviceCode' ? originIn(row.payload) : origin;
  return { device, browser, system };
};

/** Connects the app. */
export const approveRequest = async (
  tx: Tx,
  reference: RequestReference,
  { userId, origin, caller }: Approval,
  parts: Parts,
): Promise<DecidedRequest> => {
  const open = await lockOpenRequest(tx, reference, parts);
  const { row, tool, scopes } = open;
  const order = { ...deviceOf(open, origin), userId, tool, scopes, caller, ...parts };
  const { id: grantId } = await createConnection(tx, order);
  const granted =
    row.model === 'DeviceCode'
      ? { accountId: userId, grantId, scope: scopes.join(' ') }
      : { result: { login: { accountId: userId, remember: false }, consent: { grantId } } };
  await decideArtifact(tx, row, { payload: { ...row.payload, ...granted }, connectionId: grantId });
  return returnTo(row.payload);
};

const DENIED = 'access_denied';

export const denyRequest = async (
  tx: Tx,
  reference: RequestReference,
  parts: Parts,
): Promise<DecidedRequest> => {
  const { row } = await lockOpenRequest(tx, reference, parts);
  const denied = row.model === 'DeviceCode' ? { error: DENIED } : { result: { error: DENIED } };
  await decideArtifact(tx, row, { payload: { ...row.payload, ...denied }, connectionId: null });
  return returnTo(row.payload);
};
