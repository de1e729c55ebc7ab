import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { Filters } from '../src/features/directory/list-controls.tsx';
import type { ChangeFilters } from '../src/lib/url-filters.ts';

const searchOf = (): string => new URLSearchParams(window.location.search).get('search') ?? '';

/** The filters of a page that renders a changed URL only when `renderUrl` is called, as on a busy machine. */
const open = (search = '') => {
  const show = (term: string): void => window.history.replaceState(null, '', `?search=${term}`);
  show(search);
  const handleChange: ChangeFilters = (part) => show(part['search'] ?? '');
  const filters = (term: string) => (
    <Filters params={new URLSearchParams({ search: term })} onChange={handleChange} end={null} />
  );
  const { rerender } = render(filters(search));
  const field = screen.getByRole<HTMLInputElement>('searchbox', { name: 'Search' });
  /** Types without a pause: no timer can end between two keys or before the next statement. */
  const type = (text: string): void => {
    for (const key of text) fireEvent.change(field, { target: { value: field.value + key } });
  };
  return { show, field, type, renderUrl: (term: string) => rerender(filters(term)) };
};

test('the search field keeps what is typed while the rendered URL lags behind', async () => {
  const { field, type, renderUrl } = open();
  type('am');
  await waitFor(() => expect(searchOf()).toBe('am'));
  type('ar');
  await waitFor(() => expect(searchOf()).toBe('amar'));
  renderUrl('am');
  expect(field).toHaveValue('amar');
  type('a');
  renderUrl('amar');
  expect(field).toHaveValue('amara');
  await waitFor(() => expect(searchOf()).toBe('amara'));
  renderUrl('amara');
  expect(field).toHaveValue('amara');
});

test('the search field follows a change of the URL by other means', async () => {
  const { show, field, renderUrl } = open('amara');
  fireEvent.change(field, { target: { value: 'amar' } });
  await waitFor(() => expect(searchOf()).toBe('amar'));
  renderUrl('amar');
  show('');
  renderUrl('');
  expect(field).toHaveValue('');
  show('bram');
  renderUrl('bram');
  expect(field).toHaveValue('bram');
});

test('typing goes on when the list is reset meanwhile', async () => {
  const { show, field, type, renderUrl } = open('amara');
  type(' ok');
  show('');
  renderUrl('');
  expect(field).toHaveValue('amara ok');
  await waitFor(() => expect(searchOf()).toBe('amara ok'));
});

test('a date filter keeps the last date while the rendered URL lags behind', () => {
  const show = (day: string): void => window.history.replaceState(null, '', `?joinedFrom=${day}`);
  const filters = (day: string) => (
    <Filters
      params={new URLSearchParams({ joinedFrom: day })}
      onChange={(part) => show(part['joinedFrom'] ?? '')}
      end={null}
    />
  );
  show('');
  const { rerender } = render(filters(''));
  const field = screen.getByLabelText('Joined from');
  for (const day of ['2026-11-01', '2026-11-12']) {
    fireEvent.change(field, { target: { value: day } });
    fireEvent.blur(field);
  }
  expect(window.location.search).toBe('?joinedFrom=2026-11-12');
  rerender(filters('2026-11-01'));
  expect(field).toHaveValue('2026-11-12');
  show('');
  rerender(filters(''));
  expect(field).toHaveValue('');
});
