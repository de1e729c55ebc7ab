import type { Context } from '../context.ts';
import type { Fault } from './fault.ts';

/** One rule per method and path: the same again replaces the one before. */
export const addFault = (context: Context, fault: Fault): void => {
  const others = context.faults.filter(({ method, path }) => method !== fault.method || path !== fault.path);
  context.faults = [...others, fault];
};

const matchesRule = (rule: Fault, method: string, path: string): boolean => {
  if (rule.method !== null && rule.method !== method) return false;
  if (!rule.path.includes('/:')) return path.startsWith(rule.path);
  const wanted = rule.path.split('/');
  const parts = path.split('/');
  return (
    wanted.length === parts.length &&
    wanted.every((part, place) => part.startsWith(':') || part === parts[place])
  );
};

/** The rule that this call meets, used up by one. */
export const takeMatchingFault = (context: Context, method: string, path: string): Fault | null => {
  const fault = context.faults.find((rule) => matchesRule(rule, method, path));
  if (!fault) return null;
  fault.times -= 1;
  context.faults = context.faults.filter((rule) => rule.times > 0);
  return fault;
};

export const pause = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds).unref());
