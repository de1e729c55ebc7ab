import Joi from 'joi';
import type { Endpoint, Method } from './endpoint.ts';

/** Who sends a request to a service. `service`: another service on its own behalf. */
export type CallerRole = 'anonymous' | 'user' | 'admin' | 'service';

/** What a request stands on, such as the sessions of an account since their last end. Once `id` has ended with a higher version, it is over. */
export type Right = { id: string; version: number };

/** No input, or nothing in a reply. */
export type None = Record<never, never>;

/** What is validated of an input: a body of bytes is not. */
type Fields<Input> = {
  [Name in keyof Input as Input[Name] extends Uint8Array ? never : Name]: Input[Name];
};

/** The rule of each field, or a schema that was made elsewhere. */
export type InputRules<Input> = [Input] extends [FormData]
  ? Joi.PartialSchemaMap
  : Joi.StrictSchemaMap<Fields<Input>> | Joi.ObjectSchema<Fields<Input>>;

/** An endpoint with an input states its rules. The fields of a form are validated by its handler. */
export type RulesFor<Input> = [Input] extends [FormData]
  ? unknown
  : [keyof Fields<Input>] extends [never]
    ? unknown
    : { input: InputRules<Input> };

/** Path parameters, query and body are merged and validated against one schema. Without rules there is no input. */
export const toSchema = (rules: unknown): Joi.ObjectSchema =>
  Joi.isSchema(rules) ? (rules as Joi.ObjectSchema) : Joi.object((rules ?? {}) as Joi.SchemaMap);

/** An endpoint of a service, which other services call. */
export type ServiceEndpoint<Input, Reply> = Endpoint<Input, Reply> & {
  roles: readonly CallerRole[];
  /** The parameter by which a user may only name themself. */
  self: string | null;
  /** Whether an admin, too, may only name themself. */
  selfOnly: boolean;
  /** Whether a change compares the rights of its caller before it commits. False where the caller's own right ends anyway. */
  comparesRights: boolean;
  /** Of a success. */
  status: number;
  schema: Joi.ObjectSchema;
};

type Declaration<Input> = {
  method: Method;
  path: string;
  roles: readonly CallerRole[];
  self?: keyof Input & string;
  selfOnly?: boolean;
  /** True unless given. */
  comparesRights?: boolean;
  /** 200 unless given. */
  status?: number;
  input?: InputRules<Input>;
};

/** Declares an endpoint of a service: all that its callers and the service itself need to know of it. */
export const serviceEndpoint = <Input, Reply>({
  input,
  self,
  selfOnly = false,
  comparesRights = true,
  status = 200,
  ...declaration
}: Declaration<Input> & RulesFor<Input>): ServiceEndpoint<Input, Reply> => ({
  ...declaration,
  self: self ?? null,
  selfOnly,
  comparesRights,
  status,
  schema: toSchema(input),
});
