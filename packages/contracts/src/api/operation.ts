// Declares each operation of a service once: its path, who may call it, its addresses in the public API, and the schemas of its input and
// reply, from which the types are inferred.
import Joi from 'joi';
import type { Permission } from '../admin-permissions.ts';
import { type Members, type Rules, toSchema, type TypeOf, uuid } from '../schemas/validation.ts';
import type { CallerRole, Endpoint, Method, None, Operation } from './endpoint.ts';

export type ServiceName = 'identity' | 'profile' | 'billing' | 'credits' | 'worker';

/** `strangers`: no session is read; `everybody`: a session is optional; `sessions`: users and admins; `clients`: apps, with a key. */
export type Audience = 'strangers' | 'everybody' | 'users' | 'admins' | 'sessions' | 'clients';

/** What the role of an admin must include; `own_account` stands for what every admin may do with their own account. */
export type AdminPermission = Permission | 'own_account';

/** The default body limit: an email, a password of 256 characters and a token, with each character escaped. */
export const FORM_BYTES = 4 * 1024;

export type Guards = {
  /** Requires that the user has proved who they are within STEP_UP_SECONDS. */
  recent?: true;
  /** Open to an admin who must first set up a second factor. */
  beforeSecondFactor?: true;
  /** Open to a user whose account is about to be deleted, as is every endpoint that requires no session. */
  duringDeletion?: true;
  /** Open to an admin who views the product as a user. Never set for passwords, factors, emails, payments, keys or deletions. */
  whileViewing?: true;
  /** False for callers that are not browsers, such as the payment provider. */
  crossSiteCheck?: false;
};

/** An endpoint of the public API, which bff serves. */
export type PublicEndpoint<Input, Reply, To extends Audience = Audience> = Endpoint<Input, Reply> &
  Guards & {
    to: To;
    /** Null if no admin may call. */
    permission: AdminPermission | null;
    status: number;
    schema: Joi.ObjectSchema;
    /** The schema of a successful reply; null for a file or a stream. Only tests validate replies. */
    replySchema: Joi.Schema | null;
    /** `form`: multipart, read by the handler; `stream`: passed on as it arrives. */
    body: 'json' | 'form' | 'stream';
    /** The size limit of the body. A request that announces more is refused before anything else is done. */
    bodyBytes: number;
    /** The operation that responds, unless bff composes the response. */
    operation: { service: ServiceName; path: string; self: string | null } | null;
  };

/** Used instead of a schema if the reply is a file. */
type FileKind = 'text' | 'bytes';
type ReplyRules = Rules | FileKind;
type ReplyOf<R> = R extends 'text' ? string : R extends 'bytes' ? Uint8Array : TypeOf<R>;

const replySchemaOf = (reply: ReplyRules): Joi.Schema | null =>
  reply === 'text' || reply === 'bytes' ? null : toSchema(reply);

type PermissionFor<To extends Audience> = To extends 'admins'
  ? { permission: AdminPermission }
  : To extends 'everybody' | 'sessions'
    ? { permission?: AdminPermission }
    : { permission?: never };

/** Endpoints about an admin's own account need no other permission. */
const permissionFor = (to: Audience, permission: AdminPermission | undefined): AdminPermission | null =>
  permission ?? (to === 'everybody' || to === 'sessions' ? 'own_account' : null);

type Body = 'json' | 'form' | 'stream';

export type Route = `${Method} /${string}`;

/** The parameters of a path: each is a UUID unless the input says otherwise. */
type Ids<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Record<Name, string> & Ids<`/${Rest}`>
  : Path extends `${string}:${infer Name}`
    ? Record<Name, string>
    : unknown;
export type InputOf<Path extends string, Input> = Omit<Ids<Path>, keyof Input> & Input;

const partsOf = (route: Route): { method: Method; path: string } => {
  const [method, path] = route.split(' ') as [Method, string];
  return { method, path };
};

const rulesOf = (route: Route, input: Rules, common: Members = {}): Rules => {
  if (Joi.isSchema(input)) return input;
  const ids = Array.from(route.matchAll(/:(\w+)/g), ([, name = '']) => [name, uuid] as const);
  return { ...Object.fromEntries(ids), ...common, ...input };
};

type Composed<I extends Rules, R extends ReplyRules, B extends Body> = Guards & {
  /** 200 unless given. */
  status?: number;
  input?: I;
  reply: R;
  body?: B;
  bodyBytes?: number;
};

/** Declares an endpoint of the public API whose response bff composes. */
const composedFor =
  <To extends Audience>(to: To) =>
  <const P extends Route, const R extends ReplyRules, const I extends Rules = None, B extends Body = 'json'>(
    route: P,
    declaration: Composed<I, R, B> & PermissionFor<To>,
  ): PublicEndpoint<B extends 'form' ? FormData : InputOf<P, TypeOf<I>>, ReplyOf<R>, To> => {
    const {
      input = {},
      reply,
      permission,
      status = 200,
      body = 'json',
      bodyBytes = FORM_BYTES,
      ...guards
    } = declaration as Composed<Rules, ReplyRules, Body> & { permission?: AdminPermission };
    return {
      ...guards,
      ...partsOf(route),
      to,
      permission: permissionFor(to, permission),
      status,
      schema: toSchema(rulesOf(route, input)),
      replySchema: replySchemaOf(reply),
      body,
      bodyBytes: body === 'form' ? Infinity : bodyBytes, // a form's handler checks the size once it knows that the caller may send one
      operation: null,
    };
  };

/** For everybody, without a session. */
export const forStrangers = composedFor('strangers');
/** For everybody; an admin's session needs the permission. */
export const forEverybody = composedFor('everybody');
export const forUsers = composedFor('users');
/** For admins whose role includes the permission. */
export const forAdmins = composedFor('admins');
export const forSessions = composedFor('sessions');
/** For apps. They send no cookies, so pages of other sites cannot use these endpoints. */
export const forClients = composedFor('clients');

/** An address of an operation in the public API. */
type Address<Path extends string, To extends Audience> = Guards & {
  path: Path;
  to: To;
  permission: AdminPermission | null;
  bodyBytes?: number;
};

type AddressOptions<To extends Audience> = Guards & { bodyBytes?: number } & PermissionFor<To>;

const addressFor =
  <To extends Audience>(to: To) =>
  <const Path extends string>(
    path: Path,
    ...[given = {}]: To extends 'admins' ? [AddressOptions<To>] : [AddressOptions<To>?]
  ): Address<Path, To> => {
    const { permission, ...options } = given as Guards & { permission?: AdminPermission };
    return { ...options, path, to, permission: permissionFor(to, permission) };
  };

export const toUsers = addressFor('users');
export const toAdmins = addressFor('admins');
export const toSessions = addressFor('sessions');

type Addresses = Record<string, Address<string, Audience>>;

/** If the path lacks it, the operation is about the caller. */
type AddressInput<Input, Self extends string, Path extends string> = Path extends `${string}:${Self}${string}`
  ? Input
  : Omit<Input, Self>;

type PublicOf<A, Input, Self extends string, Reply> = {
  -readonly [Name in keyof A]: A[Name] extends Address<infer Path, infer To>
    ? PublicEndpoint<AddressInput<Input, Self, Path>, Reply, To>
    : never;
};

type Declaration<I extends Rules, R extends ReplyRules, Self extends string, A extends Addresses> = {
  roles: readonly CallerRole[];
  self?: Self;
  selfOnly?: boolean;
  /** True unless given. */
  comparesRights?: boolean;
  /** 200 unless given. */
  status?: number;
  input?: I;
  /** Nothing unless given. */
  reply?: R;
  /** Its addresses in the public API, by name. bff forwards a request unless it composes the response. */
  public?: A;
};

/** What several operations have in common. Common members of the input come first. */
type Common = { roles: readonly CallerRole[]; self?: string; selfOnly?: boolean; input?: Members };
type Given<C> = C extends { input: infer I extends Members } ? TypeOf<I> : unknown;
type SelfOf<C> = C extends { self: infer Self extends string } ? Self : never;
/** A declaration states its roles unless the common part does. */
type Own<D extends { roles: unknown }, C> = Omit<D, 'roles'> &
  (C extends Common ? Partial<Pick<D, 'roles'>> : Pick<D, 'roles'>);

const without = (rules: Rules, self: string | null): Joi.ObjectSchema => {
  if (self === null) return toSchema(rules);
  if (Joi.isSchema(rules)) return toSchema(rules).fork(self, (schema) => schema.forbidden());
  const { [self]: _own, ...others } = rules;
  return toSchema(others);
};

/**
 * Declares operations of a service, for callers and for the service itself. `each`: several services have the operation, without a public address.
 */
export const operationsOf =
  <const C extends Common | undefined = undefined>(service: ServiceName | 'each', common?: C) =>
  <
    const P extends Route,
    const R extends ReplyRules = None,
    const I extends Rules = None,
    const Self extends string = SelfOf<C>,
    const A extends Addresses = None,
  >(
    route: P,
    declaration: Own<Declaration<I, R, Self & keyof InputOf<P, TypeOf<I>>, A>, C>,
  ): Operation<InputOf<P, Given<C> & TypeOf<I>>, ReplyOf<R>> & {
    public: PublicOf<A, InputOf<P, Given<C> & TypeOf<I>>, Self, ReplyOf<R>>;
  } => {
    const {
      roles,
      self = null,
      selfOnly = false,
      comparesRights = true,
      status = 200,
      input = {},
      reply = {},
      public: addresses,
    } = { ...common, ...declaration } as Declaration<Rules, ReplyRules, string, Addresses>;
    const { method, path } = partsOf(route);
    const rules = rulesOf(route, input, common?.input);
    const schema = toSchema(rules);
    const replySchema = replySchemaOf(reply);
    const toPublic = (address: Address<string, Audience>): PublicEndpoint<never, unknown> => ({
      bodyBytes: FORM_BYTES,
      ...address,
      method,
      status,
      schema: without(rules, address.path.includes(`:${self}`) ? null : self),
      replySchema,
      body: 'json',
      operation: { service: service as ServiceName, path, self },
    });
    const named = Object.entries(addresses ?? {}).map(([name, address]) => [name, toPublic(address)]);
    const endpoint = { method, path, roles, self, selfOnly, comparesRights, status, schema, replySchema };
    return {
      ...endpoint,
      public: Object.fromEntries(named) as PublicOf<A, InputOf<P, Given<C> & TypeOf<I>>, Self, ReplyOf<R>>,
    };
  };

type Intersection<Union> = (Union extends unknown ? (member: Union) => void : never) extends (
  member: infer Whole,
) => void
  ? Whole
  : never;

export const addressesOf = <Operations extends Record<string, { public: object }>>(operations: Operations) =>
  Object.assign({}, ...Object.values(operations).map((operation) => operation.public)) as Intersection<
    Operations[keyof Operations]['public']
  >;
