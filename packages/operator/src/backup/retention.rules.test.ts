import { days } from '@shortlist/contracts/durations';
import { expect, it } from 'vitest';
import type { Backup, DeletionList, LogFile } from './manifest.ts';
import { expiredOf, unfinishedOf } from './retention.rules.ts';

const NOW = new Date('2026-11-29T04:00:00Z');

const backupOn = (day: string): Backup => ({
  format: 1,
  id: `${day.replaceAll('-', '')}T030000Z`,
  startedAt: `${day}T03:00:00.000Z`,
  endedAt: `${day}T03:10:00.000Z`,
  serverVersion: '10.11',
  productVersion: '1',
  dumps: [],
});
const logOn = (day: string, time: string): LogFile => ({
  file: 'binlog.000001',
  name: 'logs/x',
  bytes: 1,
  sha256: '',
  startedAt: `${day}T${time}:00.000Z`,
  until: `${day}T${time}:59.000Z`,
});

/** A backup of each day from this one on, up to now. */
const dailyFrom = (first: string): Backup[] => {
  const all: Backup[] = [];
  for (let at = new Date(`${first}T00:00:00Z`); at < NOW; at = new Date(at.getTime() + days(1)))
    all.push(backupOn(at.toISOString().slice(0, 10)));
  return all;
};

const keptOf = (backups: Backup[], verified: string[] = [], keep = { days: 14, months: 3 }): string[] => {
  const expired = expiredOf({ backups, logs: [], deletions: [], verified }, keep, NOW).backups;
  return backups.filter((backup) => !expired.includes(backup)).map(({ id }) => id.slice(0, 8));
};

it('every backup of the last days stays, and the first of each month', () => {
  const kept = keptOf(dailyFrom('2026-06-15'));
  expect(kept.slice(0, 3)).toEqual(['20260901', '20261001', '20261101']);
  expect(kept.slice(3)).toEqual(
    Array.from({ length: 14 }, (_, index) => `202611${String(16 + index).padStart(2, '0')}`),
  );
});

it('the newest backup and the newest verified one stay, however old', () => {
  const old = ['2024-01-01', '2024-01-02', '2024-01-03', '2024-01-04'].map(backupOn);
  expect(keptOf(old, ['20240101T030000Z', '20240102T030000Z'])).toEqual(['20240102', '20240104']);
  expect(keptOf([])).toEqual([]);
});

it('the binary log stays for the days, and for the time in which a kept backup was made', () => {
  const logs = [
    logOn('2026-10-01', '02:00'),
    logOn('2026-10-01', '03:05'),
    logOn('2026-10-01', '04:00'),
    logOn('2026-11-20', '12:00'),
  ];
  const backups = [backupOn('2026-10-01'), backupOn('2026-11-16')];
  const contents = { backups, logs, deletions: [], verified: [] };
  const expired = expiredOf(contents, { days: 14, months: 3 }, NOW);
  expect(expired.backups).toEqual([]);
  expect(expired.logs).toEqual([logs[0], logs[2]]);
});

it('the lists of deleted users stay from the oldest kept backup on', () => {
  const listUntil = (until: string): DeletionList => ({
    name: 'deletions/x',
    bytes: 1,
    sha256: '',
    since: '2026-01-01T00:00:00.000Z',
    until,
    users: 1,
  });
  const deletions = ['2026-10-01T02:59:59.000Z', '2026-10-01T03:00:00.000Z', '2026-11-28T12:00:00.000Z'].map(
    listUntil,
  );
  // The one of August has expired.
  const backups = ['2026-08-01', '2026-10-01', '2026-11-16'].map(backupOn);
  const contents = { backups, logs: [], deletions, verified: [] };
  expect(expiredOf(contents, { days: 14, months: 3 }, NOW).deletions).toEqual([deletions[0]]);
});

it('what an interrupted backup left goes after two days', () => {
  const names = ['20261126T030000Z', '20261125T030000Z', '20261129T030000Z'].map(
    (id) => `backups/${id}/identity.x`,
  );
  const finished = 'backups/20261125T030000Z/manifest.json';
  expect(unfinishedOf([...names, finished], NOW)).toEqual(['20261126T030000Z']);
});
