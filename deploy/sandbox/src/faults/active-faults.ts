import type { Context } from '../context.ts';
import type { Fault } from './fault.ts';

/** Replaces the fault with the same method and path. */
export const addFault = (context: Context, fault: Fault): void => {
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
export const takeMatchingFault = (context: Context, method: string, path: string): Fault | null => {
  const fault = context.faults.find((rule) => matchesRule(rule, method, path));
  if (!fault) return null;
  fault.times -= 1;
  context.faults = context.faults.filter((rule) => rule.times > 0);
  return fault;
};

export const delay = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds).unref());
