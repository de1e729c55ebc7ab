import { describe, expect, it } from 'vitest';
import type { Backup, LogFile } from './manifest.ts';
import { planRestore, reachOf, type Stock } from './restore-plan.rules.ts';

const at = (time: string): string => `2026-11-29T${time}:00.000Z`;

const backup = (start: string, end: string, file: string): Backup => ({
  format: 1,
  id: `20261129T${start.replace(':', '')}00Z`,
  startedAt: at(start),
  endedAt: at(end),
  serverVersion: '10.11',
  productVersion: '1',
  dumps: [
    { service: 'identity', name: 'x', bytes: 1, sha256: '', log: { file: `binlog.${file}`, position: 4 } },
  ],
});
const log = (file: string, start: string, until: string): LogFile => ({
  file: `binlog.${file}`,
  name: `logs/${start}-${file}`,
  bytes: 1,
  sha256: '',
  startedAt: at(start),
  until: at(until),
});

const STOCK: Stock = {
  backups: [backup('03:00', '03:10', '000008'), backup('05:00', '05:10', '000010')],
  logs: [
    log('000008', '02:00', '03:30'),
    log('000009', '03:30', '04:50'),
    log('000010', '04:50', '06:00'),
    log('000011', '06:00', '07:00'),
  ],
  restoredAt: [],
};
const planFor = (time: string, stock: Stock = STOCK) => {
  const plan = planRestore(stock, new Date(at(time)));
  return [plan.backup.id.slice(9, 13), plan.logs.map(({ file }) => file.slice(-2))];
};

describe('a restore', () => {
  it('begins with the newest backup that had ended, and uses the log from there to the instant', () => {
    expect(planFor('03:10')).toEqual(['0300', ['08']]);
    expect(planFor('04:00')).toEqual(['0300', ['08', '09']]);
    expect(planFor('05:05')).toEqual(['0300', ['08', '09', '10']]);
    expect(planFor('05:10')).toEqual(['0500', ['10']]);
    expect(planRestore(STOCK).at.toISOString()).toBe(at('07:00'));
  });

  it('refuses an instant before the oldest backup or after the log', () => {
    expect(() => planFor('03:09')).toThrow('The oldest backup begins at 2026-11-29T03:10:00Z');
    expect(() => planFor('07:01')).toThrow('can be brought up to 2026-11-29T07:00:00Z');
    expect(() => planRestore({ backups: [], logs: [], restoredAt: [] })).toThrow('no complete backup');
  });

  it('ends where a file of the log is missing, or where a new server began its own', () => {
    const without = (file: string): Stock => ({
      ...STOCK,
      logs: STOCK.logs.filter((one) => !one.file.endsWith(file)),
    });
    expect(() => planFor('07:00', without('11'))).toThrow('up to 2026-11-29T06:00:00Z');
    expect(() => planFor('04:00', without('09'))).toThrow('up to 2026-11-29T03:30:00Z');
    expect(() => planFor('04:00', without('08'))).toThrow('missing, from binlog.000008 on');
    const again = { ...STOCK, logs: [...STOCK.logs, log('000010', '08:00', '09:00')] };
    expect(() => planFor('08:30', again)).toThrow('up to 2026-11-29T07:00:00Z');
  });

  it('does not go beyond a restore without a backup from after it', () => {
    const replaced = { ...STOCK, restoredAt: [new Date(at('06:30'))] };
    expect(planFor('06:30', replaced)).toEqual(['0500', ['10', '11']]);
    expect(() => planFor('06:31', replaced)).toThrow('up to 2026-11-29T06:30:00Z');
    const later = { ...replaced, backups: [...STOCK.backups, backup('06:40', '06:50', '000011')] };
    expect(planFor('07:00', later)).toEqual(['0640', ['11']]);
    expect(reachOf(later.backups[0] as Backup, later)?.toISOString()).toBe(at('06:30'));
  });
});
