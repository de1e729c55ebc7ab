import type Joi from 'joi';
import type { Permission } from '../admin-permissions.ts';
import type { Typed } from '../schemas/typed.ts';
import type { Endpoint, Method } from './endpoint.ts';
import { type InputRules, type RulesFor, toSchema } from './service-endpoint.ts';

/**
 * Who may call an endpoint of the public API. `strangers`: everybody, and no session is read; `everybody`: a session counts where
 * there is one; `sessions`: users and admins; `clients`: tools that act for a user, with a key and without a session.
 */
export type Audience = 'strangers' | 'everybody' | 'users' | 'admins' | 'sessions' | 'clients';

/** What the role of an admin must include; `own_account` stands for what every admin may do with their own account. */
export type AdminPermission = Permission | 'own_account';

/**
 * The bytes of a body for which an endpoint declares no other number: an e-mail address, a password of 256 characters and a token, each
 * character escaped.
 */
export const FORM_BYTES = 4 * 1024;

export type Guards = {
  /** Requires that the user has proved who they are within STEP_UP_SECONDS. */
  recent?: true;
  /** Open to an admin who has to set up a second factor first. */
  beforeSecondFactor?: true;
  /** Open to a user whose account is about to be deleted. So is every endpoint that requires no session. */
  duringDeletion?: true;
  /** Open to an admin who views the product as a user. A password, a factor, an address, a payment, a key or a deletion never is. */
  whileViewing?: true;
  /** False for callers that are not browsers, such as the payment provider. */
  crossSiteCheck?: false;
};

/** An endpoint of the public API, which bff serves. */
export type PublicEndpoint<Input, Reply, To extends Audience = Audience> = Endpoint<Input, Reply> &
  Guards & {
    to: To;
    /** Null where no admin may call. */
    permission: AdminPermission | null;
    /** Of a success. */
    status: number;
    schema: Joi.ObjectSchema;
    /** Of a success; null for a file or a stream. Tests compare replies with it, and no process does. */
    replySchema: Joi.Schema | null;
    /** `form`: multipart, read by the handler; `stream`: passed on as it arrives. */
    body: 'json' | 'form' | 'stream';
    /** The bytes of its largest body. A request that announces more is refused before anything else is done for it. */
    bodyBytes: number;
  };

/** The rule of each member of a reply, or a schema that was made elsewhere. */
type ReplyRules<Reply> = [Reply] extends [string | Uint8Array]
  ? null
  : { [Name in keyof Reply]-?: Typed<Reply[Name]> } | Typed<Reply>;

export type Declaration<Input, Reply> = Guards & {
  method: Method;
  path: string;
  permission?: AdminPermission;
  /** 200 unless given. */
  status?: number;
  input?: InputRules<Input>;
  reply: ReplyRules<Reply>;
  body?: 'form' | 'stream';
  bodyBytes?: number;
};
export type WithRules<Input, Reply> = Declaration<Input, Reply> & RulesFor<Input>;
export type NoPermission = { permission?: never };

export const publicEndpoint = <Input, Reply, To extends Audience>(
  to: To,
  anyAdmin: 'own_account' | null,
  {
    input,
    reply,
    permission,
    status = 200,
    body,
    bodyBytes = FORM_BYTES,
    ...declaration
  }: Declaration<Input, Reply>,
): PublicEndpoint<Input, Reply, To> => ({
  ...declaration,
  to,
  permission: permission ?? anyAdmin,
  status,
  schema: toSchema(input),
  replySchema: reply === null ? null : toSchema(reply),
  body: body ?? 'json',
  bodyBytes: body === 'form' ? Infinity : bodyBytes, // a form's handler checks the size once it knows that the caller may send one
});

/** Declares an endpoint for everybody, without a session. */
export const forStrangers = <Input, Reply>(declaration: WithRules<Input, Reply> & NoPermission) =>
  publicEndpoint<Input, Reply, 'strangers'>('strangers', null, declaration);

/** Declares an endpoint for everybody; an admin's session needs the permission. */
export const forEverybody = <Input, Reply>(declaration: WithRules<Input, Reply>) =>
  publicEndpoint<Input, Reply, 'everybody'>('everybody', 'own_account', declaration);

/** Declares an endpoint for users about themselves. */
export const forUsers = <Input, Reply>(declaration: WithRules<Input, Reply> & NoPermission) =>
  publicEndpoint<Input, Reply, 'users'>('users', null, declaration);

/** Declares an endpoint for admins whose role includes the permission. */
export const forAdmins = <Input, Reply>(
  declaration: WithRules<Input, Reply> & { permission: AdminPermission },
) => publicEndpoint<Input, Reply, 'admins'>('admins', null, declaration);

/** Declares an endpoint for users and admins. */
export const forSessions = <Input, Reply>(declaration: WithRules<Input, Reply>) =>
  publicEndpoint<Input, Reply, 'sessions'>('sessions', 'own_account', declaration);
