import { expect, test } from '../../harness/system.ts';

test('a page whose files come from a process of another release loads itself again until they are there', async ({
  page,
}) => {
  let missing = 2;
  await page.route(/\/assets\/index-.*\.js$/, (route) =>
    (missing -= 1) >= 0 ? route.fulfill({ status: 404, body: '{}' }) : route.continue(),
  );
  await page.goto('/login');
  await page.locator('.prerendered').waitFor({ state: 'detached' });
  await expect(page.getByRole('button', { name: 'Log In', exact: true })).toBeEnabled();
  expect(missing).toBeLessThan(0);
  expect(await page.evaluate(() => sessionStorage.getItem('reloads'))).toBeNull();
});
