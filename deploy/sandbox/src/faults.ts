import type { ErrorRequestHandler, Response } from 'express';
import Joi from 'joi';

/** How the next `times` matching requests fail. `reset` closes the connection after the work is done. */
export type Fault = {
  method: string | null;
  path: string;
  status: number | null;
  delayMs: number;
  reset: boolean;
  times: number;
};

export const faultSchema = Joi.object<Fault>({
  method: Joi.string().uppercase().valid('GET', 'POST', 'DELETE').allow(null).default(null),
  path: Joi.string().pattern(/^\//, 'path').default('/'),
  status: Joi.number().integer().min(400).max(599).allow(null).default(null),
  delayMs: Joi.number().integer().min(0).max(600_000).default(0),
  reset: Joi.boolean().default(false),
  times: Joi.number().integer().min(1).default(1),
});

type WithFaults = { faults: Fault[] };

/** Replaces the fault with the same method and path. */
export const addFault = (context: WithFaults, fault: Fault): void => {
  const others = context.faults.filter(({ method, path }) => method !== fault.method || path !== fault.path);
  context.faults = [...others, fault];
};

const matchesRule = (rule: Fault, method: string, path: string): boolean => {
  if (rule.method !== null && rule.method !== method) return false;
  if (!rule.path.includes('/:')) return path.startsWith(rule.path);
  const patternParts = rule.path.split('/');
  const pathParts = path.split('/');
  return (
    patternParts.length === pathParts.length &&
    patternParts.every((part, index) => part.startsWith(':') || part === pathParts[index])
  );
};

/** Returns the fault that matches the request and counts it as used once. */
export const takeMatchingFault = (context: WithFaults, method: string, path: string): Fault | null => {
  const fault = context.faults.find((rule) => matchesRule(rule, method, path));
  if (!fault) return null;
  fault.times -= 1;
  context.faults = context.faults.filter((rule) => rule.times > 0);
  return fault;
};

export const delay = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds).unref());

export const createErrorHandler = (
  respond: (error: Error & { status?: number }, response: Response) => void,
): ErrorRequestHandler => {
  // Express recognizes an error handler by its four parameters.
  return (error: Error & { status?: number }, _request, response, next) => {
    if (response.headersSent) next(error);
    else respond(error, response);
  };
};
