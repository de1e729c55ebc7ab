import Joi from 'joi';
import { count, flag, oneOf, text, view } from '../schemas/replies.ts';
import { time, uuid } from '../schemas/text.ts';
import { serviceEndpoint } from './service-endpoint.ts';

/** How a user proved who they are. */
export const SIGN_IN_METHODS = ['password', 'code', 'recovery_code', 'passkey'] as const;
export type SignInMethod = (typeof SIGN_IN_METHODS)[number];

/** Where a log-in comes from: names of products and places, and the network of the address; '' where unknown. */
export type SignInOrigin = { browser: string; system: string; network: string; place: string };

/** A log-in, or failed ones in a row. Times are ISO 8601. */
export type SignInView = Omit<SignInOrigin, 'network'> & {
  id: string;
  /** Of failed ones, the last. */
  at: string;
  outcome: 'succeeded' | 'failed';
  /** `support`: an admin viewed the account, which took no proof of the user. */
  method: SignInMethod | 'support';
  /** How many in a row failed; 1 for a success. */
  attempts: number;
  isNewDevice: boolean;
  /** Whether unknown devices then had to wait. */
  isLocked: boolean;
};

export const signInView = view<SignInView>({
  id: uuid,
  browser: text,
  system: text,
  place: text,
  at: time,
  outcome: oneOf(['succeeded', 'failed']),
  method: oneOf([...SIGN_IN_METHODS, 'support']),
  attempts: count,
  isNewDevice: flag,
  isLocked: flag,
});

export type NewSignIn = SignInOrigin & {
  id: string;
  method: SignInMethod;
  sessionId: string;
  /** Whether the client has a device cookie of the account. */
  isKnownDevice: boolean;
};

/** The account by its id, or by its address and role, of which there may be none. */
export type FailedSignIn = SignInOrigin & {
  method: SignInMethod;
  /** Whether unknown devices have to wait from now on. */
  isLocking: boolean;
} & ({ id: string } | { email: string; role: 'user' | 'admin' });

type None = Record<never, never>;

const method = Joi.string()
  .valid(...SIGN_IN_METHODS)
  .required();
const name = (longest: number) => Joi.string().allow('').max(longest).required();
const originFields = { browser: name(40), system: name(40), network: name(50), place: name(100) };

/** identity's history of log-ins. bff records them when they are complete: it knows that, and where they come from. */
export const signInEndpoints = {
  /** Adds that of an admin to the audit log too, with the address of the caller. */
  recordSignIn: serviceEndpoint<NewSignIn, None>({
    method: 'POST',
    path: '/accounts/:id/sign-ins',
    roles: ['service'],
    input: {
      ...originFields,
      method,
      id: uuid,
      sessionId: uuid,
      isKnownDevice: Joi.boolean().required(),
    },
  }),
  /** The response is the same for an unknown account. */
  recordFailedSignIn: serviceEndpoint<FailedSignIn, None>({
    method: 'POST',
    path: '/failed-sign-ins',
    roles: ['service'],
    input: Joi.object<FailedSignIn>({
      ...originFields,
      method,
      isLocking: Joi.boolean().required(),
      id: uuid.optional(),
      email: Joi.string().max(254),
      role: Joi.string().valid('user', 'admin'),
    })
      .xor('id', 'email')
      .and('email', 'role'),
  }),
  /** The newest first. */
  listSignIns: serviceEndpoint<{ id: string }, { data: SignInView[] }>({
    method: 'GET',
    path: '/accounts/:id/sign-ins',
    roles: ['user', 'admin'],
    self: 'id',
    input: { id: uuid },
  }),
} as const;
