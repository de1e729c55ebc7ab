import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { until } from '@shortlist/kit/testing/until';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { startBacking } from '../src/backing/backing.ts';
import { findMissingPrograms } from '../src/backing/native-servers.ts';
import { checkEnvFile, checkEnvironment } from '../src/doctor/configuration.ts';
import { checkLeftovers, checkPidFile, checkPorts } from '../src/doctor/earlier-start.ts';
import { checkClock, checkFolder, checkMemory, checkNode, checkWatches } from '../src/doctor/machine.ts';
import { findFreePorts, isPortFree } from '../src/host/ports.ts';
import { listProcesses } from '../src/host/processes.ts';
import { envFile, makeSecrets } from '../src/host/secrets.ts';

const SOURCES = join(import.meta.dirname, '../src');
const FOREVER = 'setInterval(() => undefined, 1_000)';
const runFile = promisify(execFile);

let directory: string;
const cleanups: (() => unknown)[] = [];

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'shortlist-doctor-'));
});
afterEach(async () => {
  vi.unstubAllEnvs();
  for (const cleanup of cleanups.splice(0)) await cleanup();
  await rm(directory, { recursive: true, force: true });
});

/** Occupies a port as another program would. */
const occupy = async (port: number): Promise<Server> => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  cleanups.push(() => server.close());
  return server;
};

/** Starts a program whose arguments look like those of another one. */
const startNode = async (...args: string[]): Promise<{ pid: number; stop: () => Promise<void> }> => {
  const child = spawn(process.execPath, ['-e', `console.log(1);${FOREVER}`, ...args]);
  await once(child.stdout, 'data');
  const stop = async (): Promise<void> => {
    if (child.kill()) await once(child, 'exit');
  };
  cleanups.push(stop);
  return { pid: child.pid ?? 0, stop };
};

/** Starts a program and ends its parent, which returns the id of the program. */
const startOrphan = async (command: string, ...args: string[]): Promise<number> => {
  const script = '"$@" >/dev/null 2>&1 </dev/null & echo $!';
  const { stdout } = await runFile('/bin/sh', ['-c', script, 'sh', command, ...args]);
  const pid = Number(stdout);
  cleanups.push(() => process.kill(pid, 'SIGKILL'));
  return pid;
};

const writeProgram = (name: string, script: string): Promise<void> =>
  writeFile(join(directory, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });

describe('ports', () => {
  it('that are taken are named with the process that listens on them', async () => {
    const [port = 0, free = 0, other = 0] = await findFreePorts(3);
    await occupy(port);
    await occupy(other);
    const [finding, ...more] = await checkPorts([port, free, other], await listProcesses());
    expect(finding?.level).toBe('problem');
    expect(finding?.text).toContain(
      `Ports ${port}, ${other} are in use by node (process ${process.pid}); end`,
    );
    expect(more).toEqual([]);
  });

  it('are named without the process where no program can tell it', async () => {
    const [port = 0] = await findFreePorts(1);
    await occupy(port);
    vi.stubEnv('PATH', directory);
    const [finding] = await checkPorts([port], await listProcesses());
    expect(finding?.text).toContain(`Port ${port} is in use by another program`);
  });

  it('that are free are no problem', async () => {
    expect(await checkPorts(await findFreePorts(2), [])).toMatchObject([{ level: 'ok' }]);
  });
});

describe('the pid file', () => {
  const checkFileOf = async (content: string): Promise<unknown> => {
    const file = join(directory, 'running.json');
    await writeFile(file, content);
    return checkPidFile(await listProcesses(), file);
  };

  it('of a start that has ended is a warning, since the next start replaces it', async () => {
    const { pid, stop } = await startNode();
    await stop();
    expect(await checkFileOf(JSON.stringify({ pid, base: 7000 }))).toEqual([
      { level: 'warning', text: expect.stringContaining(`names process ${pid}, which has ended`) },
    ]);
  });

  it('whose process id another program has by now is a problem, since a start would be refused', async () => {
    const { pid } = await startNode();
    expect(await checkFileOf(JSON.stringify({ pid, base: 7000 }))).toEqual([
      {
        level: 'problem',
        text: expect.stringMatching(/which is another program; remove the file: rm .*json$/),
      },
    ]);
  });

  it('of a start that runs is a problem, with its port', async () => {
    const { pid } = await startNode('deploy/local/src/start.ts');
    expect(await checkFileOf(JSON.stringify({ pid, base: 7000 }))).toEqual([
      { level: 'problem', text: expect.stringContaining(`already running from this folder, on port 7000`) },
    ]);
  });

  it('that cannot be read, or is not there, is no problem', async () => {
    expect(await checkFileOf('{"pid":')).toMatchObject([{ level: 'ok' }]);
    expect(checkPidFile([], join(directory, 'absent.json'))).toMatchObject([{ level: 'ok' }]);
  });
});

describe('processes of an earlier start', () => {
  const check = async (): Promise<unknown> => checkLeftovers(await listProcesses(), directory, directory);

  it('that outlive it are named, whether servers or services, and so are their ports', async () => {
    const data = join(directory, 'backing/redis-queue');
    await mkdir(data, { recursive: true });
    const [port = 0] = await findFreePorts(1);
    const settings = ['--port', String(port), '--bind', '127.0.0.1', '--dir', data, '--set-proc-title', 'no'];
    const redis = await startOrphan('redis-server', ...settings);
    const script = join(directory, 'services/credits/src/main.ts');
    await mkdir(join(script, '..'), { recursive: true });
    await writeFile(script, FOREVER);
    const service = await startOrphan(process.execPath, script);
    await until('Redis to listen', async () => !(await isPortFree(port)));
    const named = `redis-server (process ${redis}), node (process ${service}); end: kill ${redis} ${service}`;
    expect(await check()).toEqual([{ level: 'problem', text: expect.stringContaining(named) }]);
    const [finding] = await checkPorts([port], await listProcesses());
    expect(finding?.text).toContain(`in use by redis-server (process ${redis})`);
  });

  it('are not those of a start that runs', async () => {
    const backing = await startBacking({ directory: join(directory, 'backing'), parts: ['redis'] });
    cleanups.push(backing.stop);
    expect(await check()).toMatchObject([{ level: 'ok' }]);
  });

  it('are not programs that only read its files', async () => {
    await writeFile(join(directory, 'log'), '');
    await mkdir(join(directory, 'backing'));
    await startOrphan('tail', '-f', join(directory, 'log'), join(directory, 'backing/kafka.log'));
    expect(await check()).toMatchObject([{ level: 'ok' }]);
  });
});

describe('programs', () => {
  beforeEach(() => void vi.stubEnv('PATH', directory));

  it('that are missing are named with the packages that have them', async () => {
    expect(await findMissingPrograms(['database', 'redis'])).toMatchObject({
      text: expect.stringMatching(
        /^Missing on this machine: MariaDB 10\.11 or newer, Redis 6\.2 or newer\. .*apt-get install mariadb-server redis-server/,
      ),
      isInstalledByStart: false,
    });
  });

  it.each(['Redis server v=6.0.16 sha=0', 'no version'])(
    'that are too old count as missing: %s',
    async (text) => {
      await writeProgram('redis-server', `echo '${text}'`);
      expect((await findMissingPrograms(['redis']))?.text).toContain('Redis 6.2 or newer');
    },
  );

  it('that do not run count as missing', async () => {
    await writeProgram('java', 'exit 1');
    await writeProgram('mvn', '');
    expect((await findMissingPrograms(['kafka']))?.text).toContain('Java 17 or newer');
  });

  it('of the oldest version are enough', async () => {
    await writeProgram('java', 'echo openjdk 17 2021-09-14');
    await writeProgram('mvn', '');
    await writeProgram('redis-server', 'echo Redis server v=6.2.0');
    expect(await findMissingPrograms(['redis', 'kafka'])).toBeNull();
  });
});

describe('the folder of local data', () => {
  it('is a problem when another user owns a file in it', async () => {
    const folder = join(directory, 'local');
    await mkdir(join(folder, 'backing'), { recursive: true });
    await chmod(directory, 0o755);
    await chmod(join(folder, 'backing'), 0o555);
    const script = `
      const { checkFolder } = await import('${SOURCES}/doctor/machine.ts');
      if (process.getuid() === 0) process.setuid(65534); // root may write everything
      console.log(JSON.stringify(await checkFolder('${folder}')));`;
    const { stdout } = await runFile(process.execPath, ['--input-type=module', '--eval', script]);
    const [finding] = JSON.parse(stdout) as { level: string; text: string }[];
    expect(finding?.level).toBe('problem');
    expect(finding?.text).toMatch(
      /local(\/backing)? cannot be written; make it yours: sudo chown -R "\$USER" /,
    );
  });

  it('is a problem when it is a file', async () => {
    await writeFile(join(directory, 'local'), '');
    expect(await checkFolder(join(directory, 'local'))).toMatchObject([{ level: 'problem' }]);
  });

  it('may be absent', async () => {
    expect(await checkFolder(join(directory, 'local'))).toMatchObject([{ level: 'ok' }]);
  });
});

describe('the variables of a start', () => {
  const { PATH } = process.env;

  it('are in order without any', async () => {
    expect(await checkEnvironment(7000, { PATH })).toMatchObject([{ level: 'ok' }]);
  });

  it('that a process refuses are named without their values', async () => {
    const findings = await checkEnvironment(7000, {
      PATH,
      LOGIN_LIMIT: 'often',
      STRIPE_SECRET_KEY: 'sk_short',
    });
    expect(findings.map(({ level }) => level)).toEqual(['problem', 'problem']);
    const text = JSON.stringify(findings);
    expect(text).toMatch(
      /billing: cannot start: invalid STRIPE_SECRET_KEY .*bff: cannot start: invalid LOGIN_LIMIT /,
    );
    expect(text).not.toMatch(/often|sk_short/);
  });

  it('are a problem when an address is none', async () => {
    const findings = await checkEnvironment(7000, { PATH, DATABASE_ADMIN_URL: 'root hidden' });
    expect(findings).toMatchObject([{ level: 'problem' }]);
    expect(JSON.stringify(findings)).not.toContain('hidden');
  });
});

describe('.env', () => {
  const check = async (text: string): Promise<unknown> => {
    await writeFile(join(directory, '.env'), text);
    return checkEnvFile(join(directory, '.env'));
  };

  it('is complete as make env writes it', async () => {
    expect(await check(envFile(makeSecrets(), { BRAND: 'Bob’s $ People' }))).toMatchObject([{ level: 'ok' }]);
  });

  it('is a warning with what is missing, unknown and invalid, and no value', async () => {
    const text = envFile(makeSecrets(), {})
      .replace(/^XSRF_KEY=.*$/m, 'XSRF_KEY=')
      .replace(/^FACTOR_KEY=.*$/m, 'FACTOR_KEY=hidden')
      .concat('LOGIN_LIMITS=hidden\n');
    const findings = await check(text);
    expect(findings).toEqual([
      {
        level: 'warning',
        text: expect.stringMatching(/missing XSRF_KEY; .*: LOGIN_LIMITS; identity: .*invalid FACTOR_KEY/),
      },
    ]);
    expect(JSON.stringify(findings)).not.toContain('hidden');
  });

  it('may be absent', async () => {
    expect(await checkEnvFile(join(directory, '.env'))).toMatchObject([{ level: 'ok' }]);
  });
});

describe('the machine', () => {
  it('is a problem with an old Node', () => {
    expect(checkNode('20.20.2', '24.21.0')).toMatchObject([{ level: 'problem' }]);
    expect(checkNode('24.0.0', '24.21.0')).toMatchObject([{ level: 'ok' }]);
  });

  it.runIf(process.platform === 'linux')('is a warning with little memory', () => {
    expect(checkMemory(2 ** 20)).toMatchObject([{ level: 'warning' }]);
    expect(checkMemory(2 ** 40)).toMatchObject([{ level: 'ok' }]);
  });

  it('is a warning with a clock that is behind the files', async () => {
    expect(await checkClock(0)).toMatchObject([{ level: 'warning' }]);
    expect(await checkClock(Date.now())).toMatchObject([{ level: 'ok' }]);
  });

  it('is a warning with limits of watched files that are too low for make dev', async () => {
    await writeFile(join(directory, 'max_user_watches'), '8192\n');
    expect(await checkWatches(directory)).toMatchObject([
      { level: 'warning', text: expect.stringMatching(/sudo sysctl fs\.inotify\.max_user_watches=\d+$/) },
    ]);
  });
});

describe('with a port that another program has', () => {
  const run = async (script: string, port: number): Promise<{ code: number; output: string }> => {
    const env = { ...process.env, PORT: String(port) };
    const child = spawn(process.execPath, [join(SOURCES, script)], {
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (text: Buffer) => void (output += text.toString()));
    const [code] = (await once(child, 'close')) as [number];
    return { code, output };
  };

  it.each(['doctor.ts', 'start.ts'])('%s names the process and ends with 1', async (script) => {
    const [port = 0] = await findFreePorts(1);
    await occupy(port);
    const { code, output } = await run(script, port - 3);
    expect(code).toBe(1);
    expect(output).toMatch(
      new RegExp(`^problem +Ports? .*\\b${port}\\b.* in use by node \\(process ${process.pid}\\); end`, 'm'),
    );
  });
});
