import { expect, it } from 'vitest';
import { findFreePorts } from '../src/host/ports.ts';

it('ports that are chosen but not in use yet are not chosen again', async () => {
  const chosen: number[] = [];
  for (let call = 0; call < 20; call += 1) chosen.push(...(await findFreePorts(8)));
  expect(new Set(chosen).size).toBe(160);
});

it('calls at the same time choose different ports', async () => {
  const chosen = await Promise.all(Array.from({ length: 20 }, () => findFreePorts(8)));
  expect(new Set(chosen.flat()).size).toBe(160);
});
