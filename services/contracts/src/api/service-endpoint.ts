import Joi from 'joi';
import type { Endpoint, Method } from './endpoint.ts';

/** Who sends a request to a service. `service`: another service on its own behalf. */
export type CallerRole = 'anonymous' | 'user' | 'admin' | 'service';

/** The rule of each input, or a schema that was made elsewhere. */
export type InputRules<Input> = Joi.StrictSchemaMap<Input> | Joi.ObjectSchema<Input>;

/** Path parameters, query and body are merged and validated against one schema. Without rules there is no input. */
export const toSchema = <Input>(rules: InputRules<Input> | undefined): Joi.ObjectSchema =>
  Joi.isSchema(rules) ? (rules as Joi.ObjectSchema) : Joi.object(rules ?? {});

/** An endpoint of a service, which other services call. */
export type ServiceEndpoint<Input, Reply> = Endpoint<Input, Reply> & {
  roles: readonly CallerRole[];
  /** The parameter by which a user may only name themself. */
  self: string | null;
  /** Of a success. */
  status: number;
  schema: Joi.ObjectSchema;
};

type Declaration<Input> = {
  method: Method;
  path: string;
  roles: readonly CallerRole[];
  self?: keyof Input & string;
  /** 200 unless given. */
  status?: number;
  input?: InputRules<Input>;
};

/** Declares an endpoint of a service: all that its callers and the service itself need to know of it. */
export const serviceEndpoint = <Input, Reply>({
  input,
  self,
  status = 200,
  ...declaration
}: Declaration<Input>): ServiceEndpoint<Input, Reply> => ({
  ...declaration,
  self: self ?? null,
  status,
  schema: toSchema(input),
});
