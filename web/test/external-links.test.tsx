import { act, screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { fakeServer, LINKS, apiFailure } from './fake-server.ts';
import { PRICE } from './fixtures.ts';
import { holdTime } from './hold-time.ts';
import { logInUser, openApp } from './render-app.tsx';

const EXTERNAL = [/About Us/, /Contact & Support/, /Download Automation Bot/, /Go To CRM/];

// The only test in this file, because SWR's cache keeps the config between tests.
test('external links are disabled until the config is loaded, which is retried', async () => {
  holdTime();
  logInUser();
  const server = fakeServer({
    config: () => {
      throw apiFailure('service.unavailable');
    },
  });
  openApp('/');
  await screen.findByRole('heading', { name: 'Account Management Panel' });
  for (const name of EXTERNAL)
    for (const link of screen.getAllByRole('link', { name })) {
      expect(link).not.toHaveAttribute('href');
      expect(link).toHaveAttribute('aria-disabled', 'true');
    }
  server.use({
    config: () => ({
      consent: null,
      brand: 'Shortlist',
      passwordMin: 6,
      price: PRICE,
      links: LINKS,
    }),
  });
  await act(() => vi.advanceTimersByTimeAsync(3_000));
  for (const name of EXTERNAL)
    for (const link of screen.getAllByRole('link', { name })) {
      expect(link).toHaveAttribute('href', expect.stringMatching(/^https:/));
      expect(link).toHaveAccessibleName(expect.stringContaining('opens in a new tab'));
    }
});
