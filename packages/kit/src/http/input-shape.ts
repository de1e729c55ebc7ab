import { createError } from '../process/errors.ts';

/** Names, items and nested parts of one input of a client. The largest form has thirty. */
const PARTS_MAX = 64;
const DEPTH_MAX = 5;

const childrenOf = (value: unknown): unknown[] => {
  if (typeof value !== 'object' || value === null) return [];
  return Array.isArray(value) ? value : Object.values(value);
};

/**
 * Throws `request.invalid` for an input with more or deeper parts than any endpoint has. Its cost is bounded, unlike that of a schema, which
 * reports every unknown part.
 */
export const assertShape = (input: unknown): void => {
  let level = [input];
  let parts = 0;
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > DEPTH_MAX) throw createError('request.invalid');
    const next: unknown[] = [];
    for (const value of level) {
      const children = childrenOf(value);
      parts += children.length;
      if (parts > PARTS_MAX) throw createError('request.invalid');
      next.push(...children);
    }
    level = next;
  }
};
